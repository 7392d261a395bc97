// Declares pthread_getattr_np.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "thread_stack.h"

#include <pthread.h>
#include <stdbool.h>

#if defined(__linux__) && !defined(__ANDROID__)
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#define SLUICE_FINDS_MAIN_STACK 1
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

#if defined(SLUICE_FINDS_MAIN_STACK)
// Finds the stack of the main thread, for which glibc reads all of /proc/self/maps, and musl reports the part in memory only. Linux stores
// the name of the program at the end of this stack, which grows down to the limit of the process.
static bool find_main_stack(uintptr_t *high, size_t *size) {
    const char *name = (const char *)getauxval(AT_EXECFN);
    struct rlimit limit;
    if (name == NULL || syscall(SYS_gettid) != getpid() || getrlimit(RLIMIT_STACK, &limit) != 0) return false;
#if defined(__GLIBC__)
    // Other memory may be in the way of a larger stack. Linux keeps 128 MB free.
    if (limit.rlim_cur > (rlim_t)64 << 20) return false;
#else
    if (limit.rlim_cur == RLIM_INFINITY) limit.rlim_cur = (rlim_t)8 << 20;
#endif
    size_t page = (size_t)getpagesize();
    uintptr_t end = ((uintptr_t)name + strlen(name) + 1 + sizeof(void *) + page - 1) & ~(page - 1);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    // An emulator may store the name elsewhere.
    if (here >= end || end - here > limit.rlim_cur) return false;
    *high = end;
    *size = (size_t)limit.rlim_cur & ~(page - 1);
    return true;
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
#if defined(SLUICE_FINDS_MAIN_STACK)
    bool is_found = find_main_stack(&high, &size);
#else
    bool is_found = false;
#endif
    if (!is_found && pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *start;
        if (pthread_attr_getstack(&attributes, &start, &size) == 0) high = (uintptr_t)start + size;
        // Some libraries count the guard pages as a part of the stack.
        if (pthread_attr_getguardsize(&attributes, &guard) != 0) guard = 0;
        pthread_attr_destroy(&attributes);
    }
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
