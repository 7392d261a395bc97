/* Compares the functions of CKernels with definitions that look at one byte after another.

   Usage: kernels [seed]. Prints the number of cases of each function, or exits with 1 after the first difference.

   All memory for input and output is between two protected pages. Half of the texts end at the second one, or begin at the
   first one, so that a read or write outside the documented bounds ends the program. */

#if defined(__linux__)
#define _GNU_SOURCE
#include <sched.h>
#endif

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cores.h"
#include "digits.h"
#include "kernels.h"
#include "lines.h"
#include "structure.h"
#include "thread_slab.h"
#include "threads.h"
#include "writing.h"

#if defined(__SSE2__)
#define VECTORS "SSE2"
#elif defined(__aarch64__) && defined(__ARM_NEON)
#define VECTORS "NEON"
#endif

enum { longest = 320, rounds = 4, places = 64, margin = 32 };

/* The functions, in the order of the output. */
enum { string_end, plain_end, space_end, copy_plain, copy_literal, vertical_space, is_utf8, is_short_utf8, is_equal, put_small,
       copy_literal_until, copy_whole, put_small_until,
       copy_prefix, sixteen_digits, hex_unit, digit_count, append_digits, number_length, long_number_length, structure, line_feeds, blocks,
       threads, cores, kernels };
static const char *const names[kernels] = {
    "string_end", "plain_end", "space_end", "copy_plain", "copy_literal", "vertical_space", "is_utf8", "is_short_utf8", "is_equal",
    "put_small", "copy_literal_until", "copy_whole", "put_small_until", "copy_prefix", "sixteen_digits", "hex_unit", "digit_count", "append_digits", "number_length", "long_number_length", "advance", "line_feeds",
    "take_slab", "start_thread", "core_count"};
static uint64_t cases[kernels];

/* The current case, for messages. */
static uint64_t seed = 1;
static int current;
static const uint8_t *input;
static size_t input_count;

static _Thread_local uint64_t state;

/* Returns the next number of SplitMix64. */
static uint64_t next(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static size_t below(size_t bound) { return (size_t)(next() % bound); }

static void describe(void) {
    fprintf(stderr, "%s, seed %" PRIu64 ", %zu bytes at an address with the remainder %d of 64:", names[current], seed,
            input_count, (int)((uintptr_t)input % 64));
    for (size_t i = 0; i < input_count; i++) fprintf(stderr, " %02X", input[i]);
    fputc('\n', stderr);
}

static void begin(int kernel, const uint8_t *at, size_t count) {
    current = kernel;
    input = at;
    input_count = count;
    cases[kernel]++;
}

static void expect(const char *what, uint64_t result, uint64_t expected) {
    if (result == expected) return;
    describe();
    fprintf(stderr, "%s is %" PRIu64 ", not %" PRIu64 "\n", what, result, expected);
    exit(1);
}

static void stop(int signal) {
    (void)signal;
    fputs("A read or write outside the bounds: ", stderr);
    describe();
    _exit(1);
}

/* One page between two protected pages. */
typedef struct {
    uint8_t *start, *end;
} area;

static area text_area, other_area;

static area make_area(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_READ | PROT_WRITE) != 0) exit(2);
    return (area){pages + page, pages + 2 * page};
}

/* Returns an address for `count` bytes: near the end of the area for the first half of the places, otherwise near the
   start. The places 0 and 32 have no distance from the protected page. */
static uint8_t *place(area area, size_t count, int number) {
    return number < places / 2 ? area.end - number - count : area.start + (number - places / 2);
}

/* The bytes at the limits of the conditions in the kernels, in JSON and in UTF-8. */
static const uint8_t special[] = {
    0x00, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7E, 0x7F, 0x80, 0x8F,
    0x90, 0x9F, 0xA0, 0xA2, 0xBF, 0xC0, 0xC1, 0xC2, 0xDC, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5,
    0xFF};
/* The bytes at the limits of the ranges in RFC 3629. */
static const uint8_t utf8_special[] = {
    0x00, 0x22, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
    0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
static const uint32_t scalars[] = {
    0x01, 0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x3FFFF, 0x100000, 0x10FFFF,
    /* The following are not allowed in UTF-8. */
    0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000};
static const uint8_t white[] = {' ', '\n', '\t', '\r'};

#define ANY_OF(values) (values)[below(sizeof(values) / sizeof(values)[0])]

/* Returns a scalar of UTF-8, of any length. */
static uint32_t any_scalar(void) {
    uint32_t scalar = (uint32_t)(next() & 0x1FFFFF) >> below(21);
    return scalar > 0x10FFFF || (scalar >= 0xD800 && scalar < 0xE000) ? 0xFFFD : scalar;
}

/* Writes UTF-8 up to `count` bytes. One of `wrong` sequences may be wrong, and the last one incomplete. */
static void fill_utf8(uint8_t *at, size_t count, size_t wrong) {
    for (size_t i = 0; i < count;) {
        uint32_t scalar = below(2) ? 'a' : below(wrong) == 0 ? ANY_OF(scalars) : any_scalar();
        uint8_t bytes[4];
        size_t length = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
        for (size_t k = length - 1; k > 0; k--, scalar >>= 6) bytes[k] = 0x80 | (scalar & 0x3F);
        static const uint8_t leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
        bytes[0] = (uint8_t)(leads[length] | scalar);
        /* A sequence that does not fit is replaced, except in one of eight texts. */
        if (length > count - i && below(8)) {
            at[i++] = 'z';
            continue;
        }
        for (size_t k = 0; k < length && i < count; k++) at[i++] = bytes[k];
    }
}

static void fill(uint8_t *at, size_t count) {
    size_t style = below(8);
    size_t rare = 1 + below(2 * longest);
    switch (style) {
    case 0: for (size_t i = 0; i < count; i++) at[i] = (uint8_t)next(); break;
    case 1: for (size_t i = 0; i < count; i++) at[i] = ANY_OF(special); break;
    case 2: for (size_t i = 0; i < count; i++) at[i] = below(rare) ? ANY_OF(white) : ANY_OF(special); break;
    case 3: for (size_t i = 0; i < count; i++) at[i] = below(rare) ? 0x20 + below(0x60) : ANY_OF(special); break;
    case 4: for (size_t i = 0; i < count; i++) at[i] = below(rare) ? 'a' : 0x80 + below(0x80); break;
    case 5: fill_utf8(at, count, 64); break;
    default:
        fill_utf8(at, count, SIZE_MAX);
        if (style == 7 && count > 0) at[below(count)] = (uint8_t)next();
    }
}

/* Whether bytes are valid UTF-8 as RFC 3629 defines it. */
static int is_valid(const uint8_t *at, size_t count) {
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    for (size_t i = 0; i < count;) {
        uint8_t lead = at[i++];
        if (lead < 0x80) continue;
        if (lead < 0xC0 || lead >= 0xF8) return 0;
        int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        uint32_t scalar = lead & (0x3Fu >> more);
        for (int k = 0; k < more; k++, i++) {
            if (i == count || (at[i] & 0xC0) != 0x80) return 0;
            scalar = scalar << 6 | (at[i] & 0x3F);
        }
        if (scalar < smallest[more] || scalar > 0x10FFFF || (scalar >= 0xD800 && scalar < 0xE000)) return 0;
    }
    return 1;
}

/* Whether sluice_is_utf8 has vector code for this processor. Otherwise the result is 0. */
static int decides_utf8(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0;
#elif defined(__aarch64__) && defined(__ARM_NEON)
    return 1;
#else
    return 0;
#endif
}

/* The comparisons. */

#if defined(VECTORS)

static int is_plain(uint8_t byte) { return byte >= 0x20 && byte != '"' && byte != '\\'; }

static int is_white(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

static size_t plain_count(const uint8_t *at, size_t count) {
    size_t i = 0;
    while (i < count && is_plain(at[i])) i++;
    return i;
}

/* The same, where one more character ends the count. */
static size_t count_until(const uint8_t *at, size_t count, uint8_t other) {
    size_t plain = plain_count(at, count), found = 0;
    while (found < plain && at[found] != other) found++;
    return found;
}

static int has_high(const uint8_t *at, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (at[i] >= 0x80) return 1;
    return 0;
}

/* Fills `count` bytes at `to` and the bytes around them, within the area. */
static void fill_output(const uint8_t *from, uint8_t *to, size_t count) {
    uint8_t *start = to - other_area.start < margin ? other_area.start : to - margin;
    uint8_t *end = other_area.end - to < (ptrdiff_t)count + margin ? other_area.end : to + count + margin;
    for (uint8_t *at = start; at < end; at++) *at = 0xA5;
    /* Each byte differs from the input, so that each missing write is found. */
    for (size_t i = 0; i < count; i++) to[i] = (uint8_t)~from[i];
}

/* Compares the output: `copied` bytes, then `free` bytes of any value, and around them the bytes from before. */
static void expect_output(const uint8_t *from, const uint8_t *to, size_t copied, size_t free, size_t count) {
    for (size_t i = 0; i < copied; i++) expect("a copied byte", to[i], from[i]);
    for (size_t i = copied + free; i < count; i++) expect("a byte after the copy", to[i], (uint8_t)~from[i]);
    for (int i = 1; i <= margin && to - i >= other_area.start; i++) expect("a byte before the copy", to[-i], 0xA5);
    for (int i = 0; i < margin && to + count + i < other_area.end; i++)
        expect("a byte behind the output", to[count + (size_t)i], 0xA5);
}

static void check_searches(const uint8_t *at, size_t count) {
    const uint8_t *last = at + count - 16;
    /* The searches look at as many blocks of 16 bytes as the text has. */
    size_t limit = count / 16 * 16;

    begin(string_end, at, count);
    uint32_t high = (uint32_t)next();
    size_t expected = plain_count(at, limit);
    expect("the end", (uint64_t)(sluice_string_end(at, last, &high) - at), expected);
    expect("high", high != 0, has_high(at, expected));

    if (count >= 16) {
        begin(plain_end, at, count);
        expected = 0;
        while (expected < limit && is_plain(at[expected]) && at[expected] < 0x80) expected++;
        expect("the end", (uint64_t)(sluice_plain_end(at, last) - at), expected);
    }

    begin(space_end, at, count);
    expected = 0;
    while (expected < limit && is_white(at[expected])) expected++;
    expect("the end", (uint64_t)(sluice_space_end(at, last) - at), expected);
}

static void check_copies(const uint8_t *at, size_t count) {
    begin(copy_plain, at, count);
    size_t room = below(2) ? count : below(count + 33), shorter = room < count ? room : count;
    uint8_t *to = place(other_area, room, (int)below(places));
    fill_output(at, to, shorter);
    uint32_t before = below(2) ? 0 : 0x100, high = before;
    size_t expected = plain_count(at, shorter / 16 * 16);
    expect("the count", sluice_copy_plain(at, at + count - 16, to, to + room - 16, &high), expected);
    expect("high", high != 0, before != 0 || has_high(at, expected));
    expect_output(at, to, expected, 16, shorter);

    if (count < 16) return;
    begin(copy_literal, at, count);
    to = place(other_area, count, (int)below(places));
    fill_output(at, to, count);
    expected = plain_count(at, count);
    expect("the count", sluice_copy_literal(at, count, to), expected);
    expect_output(at, to, expected, count, count);

    begin(copy_literal_until, at, count);
    to = place(other_area, count, (int)below(places));
    fill_output(at, to, count);
    uint8_t other = below(2) ? '/' : (uint8_t)next();
    expected = count_until(at, count, other);
    expect("the count", sluice_copy_literal_until(at, count, to, other), expected);
    expect_output(at, to, expected, count, count);

    begin(copy_whole, at, count);
    to = place(other_area, count, (int)below(places));
    fill_output(at, to, count);
    expect("the result", sluice_copy_whole(at, count, to) != 0, plain_count(at, count) == count);
    expect_output(at, to, count, count, count);
}

/* On x86-64, the function returns the mask of the differences. */
static void check_is_equal(void) {
    uint8_t *at = place(text_area, 32, (int)below(places)), *pattern = place(other_area, 32, (int)below(places));
    size_t rare = 1 + below(64);
    uint32_t differences = 0;
    for (int i = 0; i < 32; i++) {
        at[i] = pattern[i] = below(2) ? ANY_OF(special) : (uint8_t)next();
        if (below(rare) == 0) pattern[i] ^= below(2) ? 1u << below(8) : below(256);
        if (at[i] != pattern[i]) differences |= (uint32_t)1 << i;
    }
    begin(is_equal, at, 32);
#if defined(__SSE2__)
    expect("the mask", sluice_differences(at, pattern), differences);
#else
    for (size_t count = 0; count <= 32; count++)
        expect("the result", sluice_is_equal(at, pattern, count) != 0, (differences & (((uint64_t)1 << count) - 1)) == 0);
#endif
}

static void check_put_small(void) {
    uint8_t bytes[16];
    fill(bytes, 16);
    uint64_t low = 0, high = 0;
    for (int i = 7; i >= 0; i--) low = low << 8 | bytes[i], high = high << 8 | bytes[i + 8];
    begin(put_small, bytes, 16);
    uint8_t *to = place(other_area, 16, (int)below(places));
    fill_output(bytes, to, 16);
    size_t expected = plain_count(bytes, 16);
    expect("the index", sluice_put_small(low, high, to), expected < 16 ? expected : 32);
    expect_output(bytes, to, 16, 0, 16);

    begin(put_small_until, bytes, 16);
    fill_output(bytes, to, 16);
    uint8_t other = below(2) ? '/' : (uint8_t)next();
    expected = count_until(bytes, 16, other);
    expect("the index", sluice_put_small_until(low, high, to, other), expected < 16 ? expected : 32);
    expect_output(bytes, to, 16, 0, 16);
}

#endif

#if defined(VECTORS)

static uint64_t digits(uint64_t number) {
    uint64_t word = 0;
    for (int i = 0; i < 8; i++, number /= 10) word = word << 8 | number % 10;
    return word;
}

static void check_sixteen_digits(uint64_t upper, uint64_t lower) {
    uint64_t numbers[2] = {upper, lower};
    begin(sixteen_digits, (const uint8_t *)numbers, sizeof numbers);
    sluice_digits result = sluice_sixteen_digits(upper, lower);
    expect("the upper word", result.upper, digits(upper));
    expect("the lower word", result.lower, digits(lower));
}

/* Returns a number below 10^8, with any number of digits. */
static uint64_t eight_digits(void) {
    uint64_t number = next() % 100000000;
    for (size_t i = below(8); i > 0; i--) number /= 10;
    return below(4) ? number : 99999999 - number;
}

#endif

static void check_vertical_space(const uint8_t *at, size_t count) {
    begin(vertical_space, at, count);
    size_t expected = 0;
    while (expected < count && at[expected] != 0x0B && at[expected] != 0x0C) expected++;
    expect("the position", (uint64_t)(sluice_vertical_space(at, at + count) - at), expected);
}

static void check_utf8(const uint8_t *at, size_t count) {
    begin(is_utf8, at, count);
    expect("the result", sluice_is_utf8(at, count) != 0, decides_utf8() && is_valid(at, count));
}

/* Up to 31 bytes of a text, followed by other bytes. */
static void check_short_utf8(const uint8_t *text, size_t text_count) {
    size_t count = text_count < 31 ? text_count : below(32);
    uint8_t *at = place(other_area, 32, (int)below(places));
    memcpy(at, text + below(text_count - count + 1), count);
    for (size_t i = count; i < 32; i++) at[i] = below(2) ? ANY_OF(utf8_special) : (uint8_t)next();
    begin(is_short_utf8, at, count);
    expect("the result", sluice_is_short_utf8(at, count) != 0, decides_utf8() && is_valid(at, count));
}

/* Advances over one byte. Returns whether the byte is a bracket after which the depth is below the limit. */
static bool advance_byte(struct sluice_structure *structure, uint8_t byte, int64_t limit) {
    bool is_escaped = structure->is_escaped;
    structure->is_escaped = !is_escaped && byte == '\\';
    if (byte == '"' && !is_escaped) structure->is_in_string = !structure->is_in_string;
    if (structure->is_in_string) return false;
    if (byte == '{' || byte == '[') structure->depth++;
    if (byte != '}' && byte != ']') return false;
    return --structure->depth < limit;
}

static void check_advance(const uint8_t *at, size_t count) {
    struct sluice_structure found = {(int64_t)below(4), below(2), below(8) == 0}, expected = found;
    bool stops_at_element = below(2);
    begin(structure, at, count);
    size_t length = 0;
    while (length < count && !advance_byte(&expected, at[length++], stops_at_element ? 1 : 0)) {}
    expect("the number of bytes", sluice_advance(&found, at, count, stops_at_element), length);
    expect("the depth", (uint64_t)found.depth, (uint64_t)expected.depth);
    expect("whether the position is in a string", found.is_in_string, expected.is_in_string);
    expect("whether the next byte is escaped", found.is_escaped, expected.is_escaped);
}

static void check_line_feeds(const uint8_t *at, size_t count) {
    size_t expected = 0;
    for (size_t i = 0; i < count; i++) expected += at[i] == '\n';
    begin(line_feeds, at, count);
    expect("the number of line feeds", sluice_line_feeds(at, count), expected);
}

static void check_text(const uint8_t *at, size_t count) {
#if defined(VECTORS)
    check_searches(at, count);
    check_copies(at, count);
#endif
    check_vertical_space(at, count);
    check_advance(at, count);
    check_line_feeds(at, count);
    check_utf8(at, count);
    check_short_utf8(at, count);
}

static int32_t digit_value(uint8_t byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
    return -1;
}

static void check_hex_unit(const uint8_t *at) {
    begin(hex_unit, at, 4);
    int32_t expected = 0;
    for (int i = 0; i < 4; i++)
        expected = expected < 0 || digit_value(at[i]) < 0 ? -1 : expected << 4 | digit_value(at[i]);
    int32_t result = sluice_hex_unit(at);
    expect("the value", (uint64_t)(result < 0 ? -1 : result), (uint64_t)expected);
}

/* The inputs. */

/* All lengths at all places, with random bytes. */
static void check_random_texts(void) {
    for (int round = 0; round < rounds; round++)
        for (size_t count = 0; count <= longest; count++)
            for (int number = 0; number < places; number++) {
                uint8_t *at = place(text_area, count, number);
                fill(at, count);
                check_text(at, count);
            }
}

/* Brackets, quotes and backslashes in any order. */
static void check_structures(void) {
    static const uint8_t parts[] = {'{', '}', '[', ']', '"', '\\', '\\', ',', '{', '}'};
    for (int round = 0; round < rounds; round++)
        for (size_t count = 0; count <= longest; count++)
            for (int number = 0; number < places; number++) {
                uint8_t *at = place(text_area, count, number);
                size_t rare = 1 + below(12), values = 1 + below(sizeof parts);
                for (size_t i = 0; i < count; i++) at[i] = below(rare) ? 'a' : parts[below(values)];
                check_advance(at, count);
            }
}

/* Each byte at each position of the first blocks, among bytes that no search stops at. */
static void check_single_bytes(void) {
    static const uint8_t around[] = {' ', 'a'};
    for (size_t filler = 0; filler < sizeof around; filler++)
        for (size_t position = 0; position < 70; position++)
            for (int byte = 0; byte < 256; byte++) {
                size_t count = position + 1 + below(70);
                uint8_t *at = place(text_area, count, (int)below(places));
                memset(at, around[filler], count);
                at[position] = (uint8_t)byte;
                check_text(at, count);
            }
}

/* Up to four bytes at any position, among ASCII or at the end of the text. */
static void check_sequence(const uint8_t *bytes, size_t length) {
    size_t position = below(36), count = position + length + (below(2) ? 0 : below(36));
    uint8_t *at = place(text_area, count, (int)below(places));
    memset(at, 'a', count);
    memcpy(at + position, bytes, length);
    check_utf8(at, count);
    check_short_utf8(at, count);
}

/* All sequences of four bytes at the limits of UTF-8, and all pairs of bytes with up to two continuations. */
static void check_utf8_sequences(void) {
    size_t values = sizeof utf8_special;
    for (size_t sequence = 0; sequence < values * values * values * values; sequence++) {
        uint8_t bytes[4];
        size_t rest = sequence;
        for (size_t i = 0; i < 4; i++, rest /= values) bytes[i] = utf8_special[rest % values];
        check_sequence(bytes, 4);
    }
    for (int pair = 0; pair < 0x10000; pair++)
        for (size_t length = 2; length <= 4; length++) {
            uint8_t bytes[4] = {(uint8_t)(pair >> 8), (uint8_t)pair, below(2) ? 0x80 : 0xBF, below(2) ? 0x80 : 0xBF};
            check_sequence(bytes, length);
        }
}

#if defined(VECTORS)
/* The first bytes of sixteen. */
static void check_copy_prefix(void) {
    size_t count = below(17);
    uint8_t *at = place(text_area, 16, (int)below(places));
    for (size_t i = 0; i < 16; i++) at[i] = (uint8_t)next();
    uint8_t out[16];
    begin(copy_prefix, at, 16);
    sluice_copy_prefix(out, at, count);
    for (size_t i = 0; i < 16; i++) expect("a byte of the copy", out[i], i < count ? at[i] : 0);
}

/* Sixteen bytes, of which any number are digits at first. */
static void check_digits(void) {
    size_t count = below(17);
    uint8_t *at = place(text_area, 16, (int)below(places));
    for (size_t i = 0; i < 16; i++) at[i] = (uint8_t)(i < count || below(2) ? '0' + below(10) : next());
    if (count < 16) at[count] = below(2) ? ANY_OF(special) : below(2) ? '0' - 1 : '9' + 1;
    begin(digit_count, at, 16);
    expect("the number of digits", sluice_digit_count(at), count);

    /* The same bytes in reverse order: the digits are the last bytes. */
    for (size_t i = 0; i < 8; i++) {
        uint8_t byte = at[i];
        at[i] = at[15 - i];
        at[15 - i] = byte;
    }
    uint64_t number = below(2) ? next() : 0, expected = number;
    for (size_t i = 16 - count; i < 16; i++) expected = expected * 10 + (at[i] - '0');
    begin(append_digits, at, 16);
    expect("the number", sluice_append_digits(number, at + 16, count), expected);
}

/* Returns the number of digits from `start` on, before the byte at `limit`. */
static size_t digits_from(const uint8_t *at, size_t start, size_t limit) {
    size_t i = start;
    while (i < limit && at[i] >= '0' && at[i] <= '9') i++;
    return i - start;
}

/* The length of a number of fewer than `limit` bytes by the grammar of RFC 8259, or 0. */
static size_t length_of_number(const uint8_t *at, size_t limit) {
    size_t end = digits_from(at, 0, limit), count;
    if (end == 0 || (end > 1 && at[0] == '0')) return 0;
    if (end < limit && at[end] == '.') {
        if ((count = digits_from(at, ++end, limit)) == 0) return 0;
        end += count;
    }
    if (end < limit && (at[end] == 'e' || at[end] == 'E')) {
        end++;
        if (end < limit && (at[end] == '+' || at[end] == '-')) end++;
        if ((count = digits_from(at, end, limit)) == 0) return 0;
        end += count;
    }
    return end < limit ? end : 0;
}

/* Bytes of which most can be part of a number. The functions examine 16 or 32 bytes after the sign. */
static void check_number_length(int kernel) {
    static const uint8_t parts[] = {'-', '+', '.', 'e', 'E', 'd', 'D', '0', ',', '/', ':'};
    size_t limit = kernel == number_length ? 16 : 32;
    uint8_t *at = place(text_area, limit + 1, (int)below(places));
    size_t rare = 2 + below(limit);
    for (size_t i = 0; i < limit + 1; i++) at[i] = below(rare) ? (uint8_t)('0' + below(10)) : ANY_OF(parts);
    for (size_t i = 1; i < limit; i++)
        if ((at[i] | 0x20) == 'e' && below(2)) at[i + 1] = below(2) ? '+' : '-';
    if (below(3) == 0) at[0] = '-';
    if (at[0] != '-' && (at[0] < '0' || at[0] > '9')) at[0] = '1';
    size_t sign = at[0] == '-', length = length_of_number(at + sign, limit);
    begin(kernel, at, limit + 1);
    size_t found = kernel == number_length ? sluice_number_length(at) : sluice_long_number_length(at);
    expect("the length", found, length == 0 ? 0 : sign + length);
}
#endif

/* All units, and each byte at each position of a unit. */
static void check_hex_units(void) {
    static const char hex[] = "0123456789abcdef", capital[] = "0123456789ABCDEF";
    uint8_t *at = place(text_area, 4, 0);
    for (int unit = 0; unit < 0x10000; unit++) {
        for (int i = 0; i < 4; i++) at[i] = (uint8_t)(below(2) ? hex : capital)[unit >> (12 - 4 * i) & 15];
        check_hex_unit(at);
        for (int i = 0; i < 4; i++) {
            uint8_t before = at[i];
            at[i] = (uint8_t)(unit & 0xFF);
            check_hex_unit(at);
            at[i] = before;
        }
        for (int i = 0; i < 4; i++) at[i] = (uint8_t)next();
        check_hex_unit(at);
    }
}

enum { block_calls = 500000, block_threads = 4 };

/* Takes and returns blocks in random order. The bytes of a block belong to the holder alone. */
static void *use_blocks(void *thread) {
    uint8_t *taken[8];
    int count = 0;
    uint8_t mark = (uint8_t)(uintptr_t)thread;
    state = seed ^ mark;
    for (int i = 0; i < block_calls || count > 0; i++) {
        if (i < block_calls && count < 8 && below(2)) {
            uint8_t *block = sluice_take_slab();
            expect("the alignment of a block", (uintptr_t)block % 64, 0);
            for (int k = 0; k < count; k++) expect("a block is taken twice", block == taken[k], 0);
            block[0] = block[sluice_slab_size - 1] = mark;
            taken[count++] = block;
        } else if (count > 0) {
            int index = (int)below((size_t)count);
            expect("the first byte of a block", taken[index][0], mark);
            expect("the last byte of a block", taken[index][sluice_slab_size - 1], mark);
            taken[index][0] = 0;
            sluice_return_slab(taken[index]);
            taken[index] = taken[--count];
        }
    }
    return NULL;
}

enum { many_blocks = 2000 };

/* Returns far more blocks than a thread keeps. */
static void *return_blocks(void *unused) {
    static void *taken[many_blocks];
    for (int i = 0; i < many_blocks; i++) taken[i] = sluice_take_slab();
    for (int i = 0; i < many_blocks; i++) sluice_return_slab(taken[i]);
    return unused;
}

static void check_blocks(void) {
    begin(blocks, NULL, 0);
    pthread_t threads[block_threads];
    for (uintptr_t i = 0; i < block_threads; i++)
        if (pthread_create(&threads[i], NULL, use_blocks, (void *)(i + 1)) != 0) exit(2);
    for (int i = 0; i < block_threads; i++) pthread_join(threads[i], NULL);
    if (pthread_create(&threads[0], NULL, return_blocks, NULL) != 0) exit(2);
    pthread_join(threads[0], NULL);
    cases[blocks] = (uint64_t)block_calls * block_threads + many_blocks;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int runs;

static int blocks_signal(int number) {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    return sigismember(&mask, number);
}

static void run(void *argument) {
    static const int signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        expect("a signal is blocked", blocks_signal(signals[i]) != 0, 1);
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        expect("the signal of a fault is blocked", blocks_signal(faults[i]) != 0, 0);
    pthread_mutex_lock(&lock);
    runs += *(int *)argument;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

/* A new thread takes no signals but those of its faults, and the thread that starts it takes the same as before. */
static void check_threads(void) {
    for (int i = 1; i <= 20; i++) {
        begin(threads, NULL, 0);
        int one = 1;
        expect("the error of a new thread", (uint64_t)sluice_start_thread(run, &one), 0);
        pthread_mutex_lock(&lock);
        while (runs < i) pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        expect("a signal is blocked afterwards", (uint64_t)blocks_signal(SIGTERM), 0);
    }
}

static void check_cores(void) {
    begin(cores, NULL, 0);
    expect("a number of cores", sluice_core_count() >= 1, 1);
#if defined(__linux__)
    /* One of the cores that the process may use. */
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    expect("the number of allowed cores", (uint64_t)sluice_core_count(), (uint64_t)CPU_COUNT(&allowed));
    int first = 0;
    while (!CPU_ISSET(first, &allowed)) first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) return;
    expect("the number of one allowed core", (uint64_t)sluice_core_count(), 1);
    sched_setaffinity(0, sizeof allowed, &allowed);
#endif
}

int main(int count, char **arguments) {
    if (count > 1) seed = strtoull(arguments[1], NULL, 10);
    state = seed;
    text_area = make_area();
    other_area = make_area();
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);

    check_single_bytes();
    check_random_texts();
    check_structures();
    check_utf8_sequences();
    check_hex_units();
#if defined(VECTORS)
    for (int i = 0; i < 200000; i++) check_is_equal();
    for (int i = 0; i < 200000; i++) check_put_small();
    for (int i = 0; i < 200000; i++) check_copy_prefix();
    for (int i = 0; i < 500000; i++) check_digits();
    for (int i = 0; i < 500000; i++) check_number_length(number_length);
    for (int i = 0; i < 500000; i++) check_number_length(long_number_length);
    for (uint64_t i = 0; i < 10000; i++) check_sixteen_digits(i * 10000 + below(10000), below(10000) * 10000 + i);
    for (int i = 0; i < 500000; i++) check_sixteen_digits(eight_digits(), eight_digits());
#endif
    /* More line feeds than a byte counts. */
    uint8_t *feeds = malloc(100000);
    memset(feeds, '\n', 100000);
    for (size_t length = 0; length < 100000; length += 1 + below(5000)) check_line_feeds(feeds, length);
    free(feeds);
    check_blocks();
    check_threads();
    check_cores();

#if defined(VECTORS)
    printf(VECTORS);
#else
    printf("portable");
#endif
    uint64_t total = 0;
    printf(", seed %" PRIu64 ":", seed);
    for (int i = 0; i < kernels; i++) {
        if (cases[i] > 0) printf(" %s %" PRIu64 ",", names[i], cases[i]);
        total += cases[i];
    }
    printf(" %" PRIu64 " cases in all%s\n", total, decides_utf8() ? "" : ", without vector code for UTF-8");
}
