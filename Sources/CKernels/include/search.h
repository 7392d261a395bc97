#ifndef SLUICE_SEARCH_H
#define SLUICE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

// Returns the address of the first occurrence of `pattern`, which has at least one byte, or NULL.
const uint8_t *_Nullable sluice_find(
    const uint8_t *_Nonnull text, size_t count, const uint8_t *_Nonnull pattern, size_t length);

#endif
