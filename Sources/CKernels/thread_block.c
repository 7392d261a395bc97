#include "thread_block.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

// The number of blocks that a thread keeps. Nested calls, such as calls in a hook, use blocks of their own.
enum { longest = 4 };

struct block_list {
    int count;
    bool is_registered;
    void *blocks[longest];
};

static _Thread_local struct block_list kept;
static pthread_key_t at_exit;
// False if the process has no key left. No block is then kept.
static bool has_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_all(void *list_address) {
    struct block_list *list = list_address;
    while (list->count > 0) free(list->blocks[--list->count]);
    list->is_registered = false;
}

static void make_key(void) { has_key = pthread_key_create(&at_exit, free_all) == 0; }

void *sluice_take_block(void) {
    if (kept.count > 0) return kept.blocks[--kept.count];
    void *block;
    if (posix_memalign(&block, 64, sluice_block_size) != 0) abort();
    return block;
}

// Under the address sanitizer, every block is new, so that the use of a returned block is found.
#if defined(__SANITIZE_ADDRESS__)
#define SLUICE_KEEPS_BLOCKS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLUICE_KEEPS_BLOCKS 0
#endif
#endif
#ifndef SLUICE_KEEPS_BLOCKS
#define SLUICE_KEEPS_BLOCKS 1
#endif

void sluice_return_block(void *block) {
    if (!SLUICE_KEEPS_BLOCKS || kept.count == longest) return free(block);
    if (!kept.is_registered) {
        pthread_once(&once, make_key);
        if (!has_key || pthread_setspecific(at_exit, &kept) != 0) return free(block);
        kept.is_registered = true;
    }
    kept.blocks[kept.count++] = block;
}
