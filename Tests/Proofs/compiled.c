/* The loops in C as a program, so that the executor of the proofs can be compared with the code that the compiler makes.

   Usage: compiled list, or compiled. The first prints the names of the functions that this processor has. The second answers requests: a
   line has the name, the number of bytes of the output, three numbers, and the bytes of the input, all in hexadecimal digits. The answer is
   the result and the output. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "kernels.h"
#include "writing.h"

/* The files have static functions, and some equal names. */
#define block_size lines_block_size
#include "../../Sources/CKernels/lines.c"
#undef block_size
#include "../../Sources/CKernels/structure.c"
#undef AVX2
#include "../../Sources/CKernels/utf8.c"

/* A function of the program: the result for an input and numbers. The output has 0xA5 in all bytes. */
typedef uint64_t function(const uint8_t *in, size_t count, const uint64_t *n, uint8_t *out);

#define FUNCTION(name) static uint64_t run_##name(const uint8_t *in, size_t count, const uint64_t *n, uint8_t *out)

#if defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON))
#define VECTORS

static uint64_t word(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

#if defined(__SSE2__)
#define LOADED(at) _mm_loadu_si128((const __m128i *)(at))
#else
#define LOADED(at) vld1q_u8(at)
#endif

FUNCTION(string_end) {
    uint32_t high = 0;
    uint64_t end = (uint64_t)(sluice_string_end(in, in + count - 16, &high) - in);
    memcpy(out, &high, 4);
    return end;
}
FUNCTION(plain_end) { return (uint64_t)(sluice_plain_end(in, in + count - 16) - in); }
FUNCTION(space_end) { return (uint64_t)(sluice_space_end(in, in + count - 16) - in); }
FUNCTION(copy_plain) {
    uint32_t high = (uint32_t)n[1];
    uint64_t copied = sluice_copy_plain(in, in + count - 16, out + 4, out + 4 + n[0], &high);
    memcpy(out, &high, 4);
    return copied;
}
FUNCTION(copy_literal) { return sluice_copy_literal(in, count, out); }
FUNCTION(copy_literal_until) { return sluice_copy_literal_until(in, count, out, (uint8_t)n[0]); }
FUNCTION(copy_whole) { return (uint64_t)sluice_copy_whole(in, count, out); }
FUNCTION(copy_prefix) {
    sluice_copy_prefix(out, in, n[0]);
    return 0;
}
FUNCTION(put_small) { return sluice_put_small(word(in), word(in + 8), out); }
FUNCTION(put_small_until) { return sluice_put_small_until(word(in), word(in + 8), out, (uint8_t)n[0]); }
FUNCTION(special_bytes) { return sluice_special_bytes(LOADED(in)); }
FUNCTION(special_bytes_and) { return sluice_special_bytes_and(LOADED(in), (uint8_t)n[0]); }
#if defined(__SSE2__)
FUNCTION(differences) { return sluice_differences(in, in + 32); }
#else
FUNCTION(is_equal) { return (uint64_t)sluice_is_equal(in, in + 32, n[0]); }
#endif
FUNCTION(digit_count) { return sluice_digit_count(in); }
FUNCTION(other_bytes) { return sluice_other_bytes(in); }
FUNCTION(other_bytes_of_32) { return sluice_other_bytes_of_32(in); }
FUNCTION(number_length) { return sluice_number_length(in); }
FUNCTION(long_number_length) { return sluice_long_number_length(in); }
FUNCTION(append_digits) { return sluice_append_digits(n[0], in + 16, n[1]); }
FUNCTION(sixteen_digits) {
    sluice_digits digits = sluice_sixteen_digits(n[0], n[1]);
    memcpy(out, &digits.upper, 8);
    memcpy(out + 8, &digits.lower, 8);
    return 0;
}

/* Returns the first number below 10^8 that has wrong digits as the upper or as the lower number; 10^8 without any. */
FUNCTION(first_wrong_digits) {
    uint64_t digits = 0, number = 0;
    for (; number < 100000000; number++) {
        sluice_digits result = sluice_sixteen_digits(number, number);
        if (result.upper != digits || result.lower != digits) break;
        /* The next number: the last digit is in the highest byte. */
        int place = 56;
        for (; place >= 0 && (digits >> place & 0xFF) == 9; place -= 8) digits &= ~((uint64_t)0xFF << place);
        if (place >= 0) digits += (uint64_t)1 << place;
    }
    return number;
}

#endif

FUNCTION(vertical_space) { return (uint64_t)(sluice_vertical_space(in, in + count) - in); }
FUNCTION(hex_unit) { return (uint32_t)sluice_hex_unit(in); }
FUNCTION(plain_line_feeds) { return plain_line_feeds(in, count); }
FUNCTION(parities) { return parities(n[0]); }
FUNCTION(escaped_bytes) {
    bool is_escaped = n[2] != 0;
    uint64_t escaped = escaped_bytes(n[0], n[1], &is_escaped);
    out[0] = is_escaped;
    return escaped;
}

/* The bytes of a structure are at the start of the input and of the output, without the padding. */
enum { structure_size = 10 };

static struct sluice_structure structure_of(const uint8_t *in) {
    struct sluice_structure structure = {.is_in_string = in[8], .is_escaped = in[9]};
    memcpy(&structure.depth, in, 8);
    return structure;
}

static void put_structure(struct sluice_structure structure, uint8_t *out) {
    memcpy(out, &structure.depth, 8);
    out[8] = structure.is_in_string;
    out[9] = structure.is_escaped;
}

FUNCTION(advance_block) {
    struct sluice_structure structure = structure_of(in);
    struct masks masks;
    bool stops = false;
    memcpy(&masks, in + structure_size, sizeof masks);
    uint64_t result = advance_block(&structure, masks, n[0], (int64_t)n[1], &stops);
    put_structure(structure, out);
    out[structure_size] = stops;
    return result;
}

#define STRUCTURE(name) \
    FUNCTION(name##_masks) { \
        struct masks masks = name##_masks(in); \
        memcpy(out, &masks, sizeof masks); \
        return 0; \
    } \
    FUNCTION(advance_##name) { \
        struct sluice_structure structure = structure_of(in); \
        uint64_t result = advance_##name(&structure, in + structure_size, count - structure_size, (int64_t)n[0]); \
        put_structure(structure, out); \
        return result; \
    }

#if defined(__SSE2__)
STRUCTURE(sse2)
#elif defined(VECTORS)
STRUCTURE(neon)
#else
STRUCTURE(plain)
#endif

#if defined(__SSE2__) && defined(__x86_64__)
STRUCTURE(avx2)
FUNCTION(avx2_line_feeds) { return avx2_line_feeds(in, count); }
__attribute__((target("avx2"))) FUNCTION(errors) {
    __m256i found = errors(_mm256_loadu_si256((const __m256i *)in), _mm256_loadu_si256((const __m256i *)(in + 32)));
    _mm256_storeu_si256((__m256i *)out, found);
    return 0;
}
FUNCTION(is_utf8) { return (uint64_t)is_utf8_avx2(in, count); }
FUNCTION(is_short_utf8) { return (uint64_t)is_short_utf8_avx2(in, n[0]); }
#elif defined(VECTORS)
FUNCTION(errors) {
    vst1q_u8(out, errors(vld1q_u8(in), vld1q_u8(in + 16)));
    return 0;
}
FUNCTION(is_utf8) { return (uint64_t)sluice_is_utf8(in, count); }
FUNCTION(is_short_utf8) { return (uint64_t)sluice_is_short_utf8(in, n[0]); }
#endif

static const struct {
    const char *name;
    function *run;
    bool needs_avx2;
} functions[] = {
#define NAMED(name) {#name, run_##name, false}
#define WITH_AVX2(name) {#name, run_##name, true}
#if defined(VECTORS)
    NAMED(string_end), NAMED(plain_end), NAMED(space_end), NAMED(copy_plain), NAMED(copy_literal), NAMED(copy_literal_until),
    NAMED(copy_whole), NAMED(copy_prefix), NAMED(put_small), NAMED(put_small_until), NAMED(special_bytes), NAMED(special_bytes_and),
    NAMED(digit_count), NAMED(other_bytes), NAMED(other_bytes_of_32), NAMED(number_length), NAMED(long_number_length),
    NAMED(append_digits), NAMED(sixteen_digits), NAMED(first_wrong_digits),
#endif
    NAMED(vertical_space), NAMED(hex_unit), NAMED(plain_line_feeds), NAMED(parities), NAMED(escaped_bytes), NAMED(advance_block),
#if defined(__SSE2__)
    NAMED(differences), NAMED(sse2_masks), NAMED(advance_sse2),
#elif defined(VECTORS)
    NAMED(is_equal), NAMED(neon_masks), NAMED(advance_neon), NAMED(errors), NAMED(is_utf8), NAMED(is_short_utf8),
#else
    NAMED(plain_masks), NAMED(advance_plain),
#endif
#if defined(__SSE2__) && defined(__x86_64__)
    WITH_AVX2(avx2_masks), WITH_AVX2(advance_avx2), WITH_AVX2(avx2_line_feeds), WITH_AVX2(errors), WITH_AVX2(is_utf8),
    WITH_AVX2(is_short_utf8),
#endif
};

static bool has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
#else
    return false;
#endif
}

int main(int count, char **arguments) {
    const size_t number = sizeof functions / sizeof functions[0];
    if (count > 1) {
        for (size_t index = 0; index < number; index++)
            if (!functions[index].needs_avx2 || has_avx2()) puts(functions[index].name);
        return 0;
    }
    static char line[1 << 16], name[64], digits[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        unsigned long long size, n[3];
        digits[0] = 0;
        if (sscanf(line, "%63s %llx %llx %llx %llx %65535s", name, &size, n, n + 1, n + 2, digits) < 5) return 1;
        size_t bytes = strlen(digits) / 2, index = 0;
        /* Each in memory of its own, without further bytes. */
        uint8_t *in = malloc(bytes), *out = malloc(size);
        for (size_t at = 0; at < bytes; at++) {
            char pair[3] = {digits[2 * at], digits[2 * at + 1], 0};
            in[at] = (uint8_t)strtoul(pair, NULL, 16);
        }
        memset(out, 0xA5, size);
        while (index < number && strcmp(functions[index].name, name) != 0) index++;
        if (index == number) return 1;
        uint64_t numbers[3] = {n[0], n[1], n[2]};
        printf("%llx ", (unsigned long long)functions[index].run(in, bytes, numbers, out));
        for (size_t at = 0; at < size; at++) printf("%02x", out[at]);
        puts("");
        fflush(stdout);
        free(in);
        free(out);
    }
    return 0;
}
