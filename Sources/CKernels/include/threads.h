#ifndef SLUICE_THREADS_H
#define SLUICE_THREADS_H

// Runs a function on a new thread, which takes no signals but those of its faults, and has a small stack. Nothing waits for its end.
//
// Returns 0, or the number of an error. After an error, the function is not called.
int sluice_start_thread(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull argument);

#endif
