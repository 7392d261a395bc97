/* Calls each function of CKernels once for some inputs. `counts.sh` counts the instructions of the calls.

   Prints a line for each call, in order: the function, the input, and the number of bytes for counts per byte, or 0 for counts
   per call. The first call is that of an empty function. With PORTABLE, the functions are those of `portable.swift`. */

#include <stdio.h>
#include <string.h>

#include "digits.h"
#include "kernels.h"
#include "writing.h"

#if defined(PORTABLE)
#define KERNEL(name) portable_##name
const uint8_t *portable_string_end(const uint8_t *, const uint8_t *, uint32_t *);
const uint8_t *portable_plain_end(const uint8_t *, const uint8_t *);
const uint8_t *portable_space_end(const uint8_t *, const uint8_t *);
size_t portable_copy_plain(const uint8_t *, const uint8_t *, uint8_t *, const uint8_t *, uint32_t *);
size_t portable_copy_literal(const uint8_t *, size_t, uint8_t *);
int portable_copy_whole(const uint8_t *, size_t, uint8_t *);
size_t portable_copy_literal_until(const uint8_t *, size_t, uint8_t *, uint8_t);
size_t portable_put_small(uint64_t, uint64_t, uint8_t *);
size_t portable_put_small_until(uint64_t, uint64_t, uint8_t *, uint8_t);
int portable_is_equal(const uint8_t *, const uint8_t *, size_t);
int portable_is_utf8(const uint8_t *, size_t);
int portable_is_short_utf8(const uint8_t *, size_t);
uint64_t portable_digits(const uint8_t *, const uint8_t *);
uint64_t portable_sixteen_digits(uint64_t, uint64_t);
#else
#define KERNEL(name) sluice_##name
#endif

enum { length = 4096, margin = 64 };

static uint8_t text[length + 2 * margin], other[length + 2 * margin];
static size_t count;
static volatile uint64_t sink;

/* The arguments are in registers before the call. */
typedef uint64_t measured(const uint8_t *at, size_t count, uint8_t *to, const uint8_t *last, const uint8_t *to_last);
#define MEASURED(name) \
    __attribute__((noinline)) static uint64_t name( \
        const uint8_t *at, size_t count, uint8_t *to, const uint8_t *last, const uint8_t *to_last)
#define FIRST (text + margin)

/* The log has the names of these functions. */
__attribute__((noinline)) void count_start(void) { __asm__ volatile(""); }
__attribute__((noinline)) void count_stop(void) { __asm__ volatile(""); }

static void measure(const char *kernel, const char *input, size_t bytes, measured *call) {
    printf("%s|%s|%zu\n", kernel, input, bytes);
    count_start();
    sink = call(FIRST, count, other, FIRST + length, other + length);
    count_stop();
}

static uint64_t word(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

MEASURED(empty) { return 0; }

MEASURED(string_end) {
    uint32_t high;
    return (uint64_t)(KERNEL(string_end)(at, last, &high) - at) + high;
}
MEASURED(plain_end) { return (uint64_t)(KERNEL(plain_end)(at, last) - at); }
MEASURED(space_end) { return (uint64_t)(KERNEL(space_end)(at, last) - at); }
MEASURED(copy_plain) {
    uint32_t high = 0;
    return KERNEL(copy_plain)(at, last, to, to_last, &high) + high;
}
MEASURED(copy_literal) { return KERNEL(copy_literal)(at, count, to); }
MEASURED(copy_literal_until) { return KERNEL(copy_literal_until)(at, count, to, '/'); }
MEASURED(copy_whole) { return (uint64_t)KERNEL(copy_whole)(at, count, to); }
MEASURED(put_small) { return KERNEL(put_small)(word(at), word(at + 8), to); }
MEASURED(put_small_until) { return KERNEL(put_small_until)(word(at), word(at + 8), to, '/'); }
MEASURED(is_utf8) { return KERNEL(is_utf8)(at, count) != 0; }
MEASURED(is_short_utf8) { return KERNEL(is_short_utf8)(at, count) != 0; }

#if defined(PORTABLE)
MEASURED(is_equal) { return portable_is_equal(at, to, count) != 0; }
MEASURED(digits) { return portable_digits(at, last); }
MEASURED(sixteen_digits) { return portable_sixteen_digits(count, count + 1); }
#else
MEASURED(is_equal) {
#if defined(__SSE2__)
    /* As in Kernels.isEqual. */
    return (size_t)__builtin_ctzll(sluice_differences(at, to) | (uint64_t)1 << 32) >= count;
#else
    return sluice_is_equal(at, to, count) != 0;
#endif
}
MEASURED(digits) {
    size_t digits = sluice_digit_count(at);
    return digits < 16 ? sluice_append_digits(0, at + digits, digits) : 0;
}
MEASURED(sixteen_digits) {
    sluice_digits result = sluice_sixteen_digits(count, count + 1);
    return result.upper ^ result.lower;
}
MEASURED(number_length) { return sluice_number_length(at); }
MEASURED(long_number_length) { return sluice_long_number_length(at); }
MEASURED(copy_prefix) {
    sluice_copy_prefix(to, at, count);
    return 0;
}
#endif

/* The kernels that are the same on all processors. */
MEASURED(hex_unit) { return (uint64_t)sluice_hex_unit(at); }
MEASURED(vertical_space) { return (uint64_t)(sluice_vertical_space(at, at + count) - at); }

/* Fills the text with a repeated part up to `bytes`, then a quote and letters. */
static void fill(const char *part, size_t bytes) {
    memset(text, 'a', sizeof text);
    size_t step = strlen(part);
    bytes -= bytes % step;
    for (size_t at = 0; at < bytes; at += step) memcpy(FIRST + at, part, step);
    FIRST[bytes] = '"';
    count = bytes;
}

int main(void) {
    /* The text in German has two characters of two bytes in 18 bytes, that in Japanese only characters of three bytes. */
    static const char ascii[] = "abcdefghijklmnop", german[] = "Viele Gr\xC3\xBC\xC3\x9F" "e an ",
                      japanese[] = "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x81\xA7", white[] = "\n               ";
    measure("empty", "", 0, empty);

    fill(ascii, length);
    measure("string_end", "ASCII, 4 KB", count, string_end);
    fill(german, length);
    measure("string_end", "German, 4 KB", count, string_end);
    fill("abcdefg", 7);
    measure("string_end", "7 bytes", 0, string_end);
    fill(ascii, length);
    measure("plain_end", "ASCII, 4 KB", count, plain_end);
    fill("abcdefg", 7);
    measure("plain_end", "7 bytes", 0, plain_end);
    fill(white, length);
    measure("space_end", "line breaks and spaces, 4 KB", count, space_end);
    fill("\n    ", 5);
    measure("space_end", "a line break and 4 spaces", 0, space_end);

    fill(ascii, length);
    measure("copy_plain", "ASCII, 4 KB", count, copy_plain);
    fill(german, length);
    measure("copy_plain", "German, 4 KB", count, copy_plain);
    fill("abcdefghijklmnopqrst", 20);
    measure("copy_plain", "20 bytes", 0, copy_plain);
    fill(ascii, length);
    measure("copy_literal", "ASCII, 4 KB", count, copy_literal);
    measure("copy_literal_until", "ASCII, 4 KB", count, copy_literal_until);
    fill("abcdefghijklmnopqrst", 20);
    measure("copy_literal", "20 bytes", 0, copy_literal);
    measure("copy_literal_until", "20 bytes", 0, copy_literal_until);
    measure("copy_whole", "20 bytes", 0, copy_whole);
    fill("abcdef", 6);
    measure("put_small", "6 bytes", 0, put_small);
    measure("put_small_until", "6 bytes", 0, put_small_until);

    fill(ascii, length);
    measure("is_utf8", "ASCII, 4 KB", count, is_utf8);
    fill(german, length);
    measure("is_utf8", "German, 4 KB", count, is_utf8);
    fill(japanese, length);
    measure("is_utf8", "Japanese, 4 KB", count, is_utf8);
    fill(japanese, 24);
    measure("is_short_utf8", "Japanese, 24 bytes", 0, is_short_utf8);
    fill(ascii, length);
    measure("vertical_space", "ASCII, 4 KB", count, vertical_space);

    fill("created_at", 10);
    memcpy(other, FIRST, 32);
    measure("is_equal", "a key of 10 bytes", 0, is_equal);
    fill("1234567", 7);
    measure("digit_count, append_digits", "7 digits", 0, digits);
    fill("123456789012345", 15);
    measure("digit_count, append_digits", "15 digits", 0, digits);
    fill("fe0f", 4);
    measure("hex_unit", "fe0f", 0, hex_unit);
    count = 12345678;
    measure("sixteen_digits", "two numbers", 0, sixteen_digits);
#if !defined(PORTABLE)
    fill("-12.5", 5);
    measure("number_length", "-12.5", 0, number_length);
    fill("505874924095815681", 18);
    measure("long_number_length", "18 digits", 0, long_number_length);
    fill("-65.613616999999977", 19);
    measure("long_number_length", "-65.613616999999977", 0, long_number_length);
    fill("abcdefghi", 9);
    measure("copy_prefix", "9 bytes", 0, copy_prefix);
#endif
}
