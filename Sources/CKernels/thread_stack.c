// Declares pthread_getattr_np.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "thread_stack.h"

#include <pthread.h>
#include <stdbool.h>

#if defined(__linux__) && !defined(__GLIBC__) && !defined(__ANDROID__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#define SLUICE_MUSL 1
#endif

// The frames of instrumented code are several times as large.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLUICE_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLUICE_IS_SANITIZED 1
#endif
#endif

// The reserve: enough for a call that does not recurse, with the description of an error and the first use of a type by the runtime.
#if defined(SLUICE_IS_SANITIZED)
enum { reserve = 160 * 1024 };
#else
enum { reserve = 64 * 1024 };
#endif

struct bounds {
    bool is_known;
    // The first address of the stack, the lowest one that calls may use, and the address after the stack.
    uintptr_t start, low, high;
};

static _Thread_local struct bounds bounds;

#if defined(SLUICE_MUSL)
// musl reports the part of the main thread's stack that is in memory. The rest grows up to the limit of the process.
static size_t size_of_main_stack(size_t reported) {
    struct rlimit limit;
    if (syscall(SYS_gettid) != getpid() || getrlimit(RLIMIT_STACK, &limit) != 0) return reported;
    size_t size = limit.rlim_cur == RLIM_INFINITY ? (size_t)8 << 20 : (size_t)limit.rlim_cur;
    return size > reported ? size : reported;
}
#endif

__attribute__((noinline)) static void find_bounds(void) {
    uintptr_t high = 0;
    size_t size = 0, guard = 0;
#if defined(__APPLE__)
    pthread_t thread = pthread_self();
    high = (uintptr_t)pthread_get_stackaddr_np(thread);
    size = pthread_get_stacksize_np(thread);
#elif defined(__linux__)
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *start;
        if (pthread_attr_getstack(&attributes, &start, &size) == 0) high = (uintptr_t)start + size;
        // Some libraries count the guard pages as a part of the stack.
        if (pthread_attr_getguardsize(&attributes, &guard) != 0) guard = 0;
        pthread_attr_destroy(&attributes);
    }
#if defined(SLUICE_MUSL)
    if (high != 0) size = size_of_main_stack(size);
#endif
#endif
    bounds.is_known = true;
    if (high == 0 || size > high) return;
    // A small stack keeps three quarters for calls.
    size_t kept = guard + reserve;
    bounds.start = high - size;
    bounds.low = bounds.start + (kept < size / 4 ? kept : size / 4);
    bounds.high = high;
}

size_t sluice_free_stack(void) {
    if (!bounds.is_known) find_bounds();
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    // The frame is on another stack, such as that of a coroutine.
    if (here >= bounds.high || here < bounds.start) return SIZE_MAX;
    return here > bounds.low ? here - bounds.low : 0;
}

uintptr_t sluice_thread_id(void) { return (uintptr_t)&bounds; }
