#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "pipes.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

ssize_t sluice_write_without_signal(int descriptor, const void *bytes, size_t count) {
#if defined(F_SETNOSIGPIPE)
    fcntl(descriptor, F_SETNOSIGPIPE, 1);
    return write(descriptor, bytes, count);
#else
    // The signal goes to the thread that writes. The thread blocks the signal, and removes the one that its write has sent.
    sigset_t pipe, previous, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe, &previous);
    ssize_t written = write(descriptor, bytes, count);
    int error = errno;
    if (written < 0 && error == EPIPE && !was_pending) {
        const struct timespec none = {0, 0};
        while (sigtimedwait(&pipe, NULL, &none) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    errno = error;
    return written;
#endif
}
