#ifndef SLUICE_THREAD_STACK_H
#define SLUICE_THREAD_STACK_H

#include <stddef.h>
#include <stdint.h>

// The stack of the calling thread. The bounds are looked up once per thread.

// Returns the number of bytes that calls may still use, without a reserve for the deepest call that does not recurse. Returns 0 if
// only the reserve is left, and SIZE_MAX if the bounds are unknown, as on the stack of a coroutine.
size_t sluice_free_stack(void);

// Returns a number that no other running thread has.
uintptr_t sluice_thread_id(void);

#endif
