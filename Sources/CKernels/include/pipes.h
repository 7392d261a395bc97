#ifndef SLUICE_PIPES_H
#define SLUICE_PIPES_H

#include <stddef.h>
#include <sys/types.h>

// Writes bytes like `write`, to a pipe or socket of this process alone. If the pipe has no reader, the result is −1 with EPIPE, and no
// signal is sent.
ssize_t sluice_write_without_signal(int descriptor, const void *_Nonnull bytes, size_t count);

#endif
