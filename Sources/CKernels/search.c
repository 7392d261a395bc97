#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include <string.h>

#include "search.h"

const uint8_t *sluice_find(const uint8_t *text, size_t count, const uint8_t *pattern, size_t length) {
#if defined(_WIN32)
    while (count >= length) {
        const uint8_t *first = memchr(text, pattern[0], count - length + 1);
        if (!first) return NULL;
        if (memcmp(first, pattern, length) == 0) return first;
        count -= (size_t)(first + 1 - text);
        text = first + 1;
    }
    return NULL;
#else
    return memmem(text, count, pattern, length);
#endif
}
