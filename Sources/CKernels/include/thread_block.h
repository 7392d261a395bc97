#ifndef SLUICE_THREAD_BLOCK_H
#define SLUICE_THREAD_BLOCK_H

// Blocks of memory that a thread keeps between calls, so that a call for a short document allocates nothing.

// Two parts of 4 KB, and 768 bytes for the last unknown keys of a decode.
enum { sluice_block_size = 8960 };

// Returns a block of sluice_block_size bytes, aligned to 64 bytes. The contents are undefined.
void *_Nonnull sluice_take_block(void);

// Gives a block back to the calling thread. The thread keeps up to four blocks until the thread ends. Other blocks are freed.
void sluice_return_block(void *_Nonnull block);

#endif
