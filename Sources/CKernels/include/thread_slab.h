#ifndef SLUICE_THREAD_SLAB_H
#define SLUICE_THREAD_SLAB_H

// Slabs of memory that a thread keeps between calls, so that a call for a short document allocates nothing.

// Two parts of 4 KB, and 768 bytes for the last unknown keys of a decode.
enum { sluice_slab_size = 8960 };

// Returns a slab of sluice_slab_size bytes, aligned to 64 bytes. The contents are undefined.
void *_Nonnull sluice_take_slab(void);

// Gives a slab back to the calling thread. The thread keeps up to four slabs until the thread ends. Other slabs are freed.
void sluice_return_slab(void *_Nonnull slab);

#endif
