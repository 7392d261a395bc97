#ifndef SLUICE_STRUCTURE_H
#define SLUICE_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A position between two bytes of JSON text. All zero between two elements of an array. */
struct sluice_structure {
    /* The number of open brackets, without those around the array's elements. */
    int64_t depth;
    /* Whether the position is in a string. */
    bool is_in_string;
    /* Whether the byte before the position is a backslash that escapes the next byte. */
    bool is_escaped;
};

/* Advances over text, which need not be well-formed.

   Stops after the bracket that closes the array: the depth is then -1. With `stops_at_element`, also stops after a bracket that closes an
   element, where the depth is 0. Returns the number of bytes before the new position. */
size_t sluice_advance(
    struct sluice_structure *_Nonnull structure, const uint8_t *_Nonnull text, size_t count, bool stops_at_element);

#endif
