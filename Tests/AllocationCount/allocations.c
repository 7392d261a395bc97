#include "allocations.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

// The functions of the program replace those of the C library, which has the originals with other names. Sanitizers have functions of
// their own.
#if defined(__linux__) && defined(__GLIBC__) && !defined(IS_SANITIZED)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local uint64_t allocation_count;

void *malloc(size_t size) {
    allocation_count++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocation_count++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocation_count++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocation_count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    allocation_count++;
    void *result = __libc_memalign(alignment, size);
    if (result == NULL) return ENOMEM;
    *memory = result;
    return 0;
}

bool sluice_counts_allocations(void) { return true; }

uint64_t sluice_allocation_count(void) { return allocation_count; }

#else

bool sluice_counts_allocations(void) { return false; }

uint64_t sluice_allocation_count(void) { return 0; }

#endif
