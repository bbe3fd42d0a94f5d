/* Work split into shares before it starts, a thread each; and tasks that threads take one after another. */
#ifndef WEND_TOOLS_CLI_THREADS_H
#define WEND_TOOLS_CLI_THREADS_H

#include <wend/db.h>

/* Calls function(context, share, shares) for each share from 0 to shares - 1 and returns when all are done.
 * Share 0 runs on the caller's thread; so do, after it, those for which the system gives no thread. */
void tool_run_shares(int shares, void (*function)(void *context, int share, int shares), void *context);

/* So many threads for the library's tasks. Whoever is free takes the next one: the results do not depend on
 * it. Where the system gives fewer threads, those do all of it. The number must outlive the tasks. */
wend_tasks tool_tasks(int *threads);

/* The same for tasks that come again and again, many times a second: threads that stay and wait for the next
 * ones. It takes one caller at a time. */
typedef struct tool_pool tool_pool;
/* With the caller's, so many threads, or as many as the system gives. NULL: no memory. */
tool_pool *tool_pool_create(int threads);
wend_tasks tool_pool_tasks(tool_pool *pool);
void tool_pool_destroy(tool_pool *pool); /* NULL is fine */

#endif
