/* Work split into shares before it starts, a thread each; and tasks that threads take one after another. */
#ifndef WEND_SHARED_CREW_H
#define WEND_SHARED_CREW_H

#include <wend/db.h>

/* Calls function(context, share, shares) for each share from 0 to shares - 1 and returns when all are done.
 * Share 0 runs on the caller's thread; so do, after it, those for which the system gives no thread. */
void shared_run_shares(int shares, void (*function)(void *context, int share, int shares), void *context);

/* So many threads for the library's tasks. Whoever is free takes the next one: the results do not depend on
 * it. Where the system gives fewer threads, those do all of it. */
wend_tasks shared_tasks(int threads);

/* The same for tasks that come again and again, many times a second: threads that stay and wait for the next
 * ones. It takes one caller at a time. */
typedef struct shared_crew shared_crew;
/* With the caller's, so many threads, or as many as the system gives. NULL: no memory. */
shared_crew *shared_crew_create(int threads);
wend_tasks shared_crew_tasks(shared_crew *crew);
void shared_crew_destroy(shared_crew *crew); /* NULL is fine */

#endif
