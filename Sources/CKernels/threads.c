#include "threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

// Enough for the sanitizers, and little memory for a thousand threads.
enum { stack_size = 512 * 1024 };

static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};

struct start {
    void (*body)(void *);
    void *argument;
};

static void *run(void *address) {
    struct start start = *(struct start *)address;
    free(address);
    start.body(start.argument);
    return NULL;
}

int sluice_start_thread(void (*body)(void *), void *argument) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) abort();
    *start = (struct start){body, argument};
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        pthread_attr_setstacksize(&attributes, stack_size);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        // The new thread inherits the mask. Signals are left to the threads of the program, except for those of the thread's own faults: if
        // they are blocked, the system ends the process without a call of the program's handlers.
        sigset_t others, previous;
        sigfillset(&others);
        for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) sigdelset(&others, faults[i]);
        pthread_sigmask(SIG_SETMASK, &others, &previous);
        pthread_t thread;
        error = pthread_create(&thread, &attributes, run, start);
        pthread_sigmask(SIG_SETMASK, &previous, NULL);
        pthread_attr_destroy(&attributes);
    }
    if (error != 0) free(start);
    return error;
}
