#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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
void __libc_free(void *memory);

static _Thread_local uint64_t allocation_count;

// The guarded blocks are in one range of addresses, which are used once. A block is whole pages, of which the next one is never mapped:
//
//     ... | unused  header  memory of the caller | guard |
enum { header_size = 16 };
static const size_t range_size = (size_t)1 << 38;
static size_t page_size;

// The size of the memory of the caller, which ends with the block, and of the block.
struct header {
    size_t size;
    size_t block_size;
};

static char *_Atomic range;
static _Atomic size_t range_used;
static _Thread_local bool is_guarding;
static _Thread_local size_t minimum;

static bool is_guarded(const void *memory) {
    char *start = atomic_load_explicit(&range, memory_order_relaxed);
    return start != NULL && (uintptr_t)memory - (uintptr_t)start < range_size;
}

static struct header *header_of(void *memory) { return (struct header *)((char *)memory - header_size); }

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

// Returns NULL if the kernel has no memory or no more mappings.
static void *guarded_memory(size_t alignment, size_t size) {
    if (alignment > page_size || size > range_size / 2) return NULL;
    size_t place = round_up(size == 0 ? 1 : size, alignment < 16 ? 16 : alignment);
    size_t block_size = round_up(place + header_size, page_size);
    size_t offset = atomic_fetch_add(&range_used, block_size + page_size);
    if (offset + block_size + page_size > range_size) return NULL;
    char *block = atomic_load(&range) + offset;
    if (mprotect(block, block_size, PROT_READ | PROT_WRITE) != 0) return NULL;
    void *memory = block + block_size - place;
    *header_of(memory) = (struct header){size, block_size};
    return memory;
}

// The pages are returned to the kernel, and cannot be read or written any more.
static void release(void *memory) {
    struct header header = *header_of(memory);
    char *end = (char *)round_up((size_t)memory + header.size, page_size);
    mmap(end - header.block_size, header.block_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void *allocate(size_t alignment, size_t size) {
    allocation_count++;
    void *memory = is_guarding && size >= minimum ? guarded_memory(alignment, size) : NULL;
    if (memory != NULL) return memory;
    return alignment <= 16 ? __libc_malloc(size) : __libc_memalign(alignment, size);
}

void *malloc(size_t size) { return allocate(16, size); }

void *calloc(size_t count, size_t size) {
    size_t total;
    if (!is_guarding || __builtin_mul_overflow(count, size, &total)) {
        allocation_count++;
        return __libc_calloc(count, size);
    }
    void *memory = allocate(16, total);
    return memory == NULL ? NULL : memset(memory, 0, total);
}

void free(void *memory) {
    if (is_guarded(memory)) release(memory);
    else __libc_free(memory);
}

void *realloc(void *memory, size_t size) {
    if (memory == NULL) return malloc(size);
    if (!is_guarded(memory)) {
        allocation_count++;
        return __libc_realloc(memory, size);
    }
    void *larger = size == 0 ? NULL : malloc(size);
    if (larger == NULL && size > 0) return NULL;
    size_t old = header_of(memory)->size;
    if (larger != NULL) memcpy(larger, memory, old < size ? old : size);
    release(memory);
    return larger;
}

void *aligned_alloc(size_t alignment, size_t size) { return allocate(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *result = allocate(alignment, size);
    if (result == NULL) return ENOMEM;
    *memory = result;
    return 0;
}

size_t malloc_usable_size(void *memory) {
    if (is_guarded(memory)) return header_of(memory)->size;
    static size_t (*_Atomic original)(void *);
    size_t (*function)(void *) = atomic_load(&original);
    if (function == NULL) {
        function = (size_t (*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");
        atomic_store(&original, function);
    }
    return function(memory);
}

bool sluice_counts_allocations(void) { return true; }

uint64_t sluice_allocation_count(void) { return allocation_count; }

bool sluice_guards_allocations(void) {
    if (atomic_load(&range) != NULL) return true;
    page_size = (size_t)sysconf(_SC_PAGESIZE);
    char *reserved = mmap(NULL, range_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) return false;
    char *none = NULL;
    if (!atomic_compare_exchange_strong(&range, &none, reserved)) munmap(reserved, range_size);
    return true;
}

void sluice_begin_guards(size_t minimum_size) {
    minimum = minimum_size;
    is_guarding = sluice_guards_allocations();
}

void sluice_end_guards(void) { is_guarding = false; }

#else

bool sluice_counts_allocations(void) { return false; }

uint64_t sluice_allocation_count(void) { return 0; }

bool sluice_guards_allocations(void) { return false; }

void sluice_begin_guards(size_t minimum_size) { (void)minimum_size; }

void sluice_end_guards(void) {}

#endif
