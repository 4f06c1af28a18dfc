#ifndef BUMP_CALL_H
#define BUMP_CALL_H

/// What a call of libcurl can be cancelled by, from any thread, and the connection that it may keep for the next one.
struct bump_call;

/// Returns NULL where libcurl is not installed, or lacks what is needed, or where there is no memory.
struct bump_call *bump_call_make(void);

/// May be called at any time before `bump_call_free`. A call that was cancelled carries out nothing further.
void bump_call_cancel(struct bump_call *call);

void bump_call_free(struct bump_call *call);

#endif
