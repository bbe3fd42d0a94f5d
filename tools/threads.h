/* Work split into shares before it starts, a thread each. */
#ifndef WEND_TOOLS_THREADS_H
#define WEND_TOOLS_THREADS_H

/* Calls function(context, share, shares) for each share from 0 to shares - 1 and returns when all are done.
 * Share 0 runs on the caller's thread; so do, after it, those for which the system gives no thread. */
void tool_run_shares(int shares, void (*function)(void *context, int share, int shares), void *context);

#endif
