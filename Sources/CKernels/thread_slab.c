#include "thread_slab.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

// The number of slabs that a thread keeps. Nested calls, such as calls in a hook, use slabs of their own.
enum { maximum_count = 4 };

struct slab_list {
    int count;
    bool is_registered;
    void *slabs[maximum_count];
};

static _Thread_local struct slab_list kept;
static pthread_key_t at_exit;
// False if the process has no key left. No slab is then kept.
static bool has_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_all(void *list_address) {
    struct slab_list *list = list_address;
    while (list->count > 0) free(list->slabs[--list->count]);
    list->is_registered = false;
}

static void make_key(void) { has_key = pthread_key_create(&at_exit, free_all) == 0; }

void *sluice_take_slab(void) {
    if (kept.count > 0) return kept.slabs[--kept.count];
    void *slab;
    if (posix_memalign(&slab, 64, sluice_slab_size) != 0) abort();
    return slab;
}

// Under the address sanitizer, every slab is new, so that the use of a returned slab is found.
#if defined(__SANITIZE_ADDRESS__)
#define SLUICE_KEEPS_SLABS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLUICE_KEEPS_SLABS 0
#endif
#endif
#ifndef SLUICE_KEEPS_SLABS
#define SLUICE_KEEPS_SLABS 1
#endif

void sluice_return_slab(void *slab) {
    if (!SLUICE_KEEPS_SLABS || kept.count == maximum_count) return free(slab);
    if (!kept.is_registered) {
        pthread_once(&once, make_key);
        if (!has_key || pthread_setspecific(at_exit, &kept) != 0) return free(slab);
        kept.is_registered = true;
    }
    kept.slabs[kept.count++] = slab;
}
