#include "lines.h"

/* The sum of a block of this size fits in a byte, so that the compiler can use vectors. */
enum { block_size = 240 };

static size_t plain_line_feeds(const uint8_t *text, size_t count) {
    size_t total = 0;
    while (count > 0) {
        size_t length = count < block_size ? count : block_size;
        uint8_t sum = 0;
        for (size_t i = 0; i < length; i++) sum += text[i] == '\n';
        total += sum;
        text += length;
        count -= length;
    }
    return total;
}

#if defined(__x86_64__)

#include <immintrin.h>

/* Each byte of a sum is that of four vectors of a step, and at most 255 after this number of steps. */
enum { step_size = 128, maximum_steps = 63 };

__attribute__((target("avx2"))) static size_t avx2_line_feeds(const uint8_t *text, size_t count) {
    const __m256i feed = _mm256_set1_epi8('\n');
    __m256i total = _mm256_setzero_si256();
    while (count >= step_size) {
        size_t steps = count / step_size < maximum_steps ? count / step_size : maximum_steps;
        count -= steps * step_size;
        __m256i sum = _mm256_setzero_si256();
        for (; steps > 0; steps--, text += step_size) {
            const __m256i *at = (const __m256i *)text;
            /* A comparison is -1 for equal bytes. */
            __m256i first = _mm256_add_epi8(
                _mm256_cmpeq_epi8(_mm256_loadu_si256(at), feed), _mm256_cmpeq_epi8(_mm256_loadu_si256(at + 1), feed));
            __m256i second = _mm256_add_epi8(
                _mm256_cmpeq_epi8(_mm256_loadu_si256(at + 2), feed), _mm256_cmpeq_epi8(_mm256_loadu_si256(at + 3), feed));
            sum = _mm256_sub_epi8(sum, _mm256_add_epi8(first, second));
        }
        total = _mm256_add_epi64(total, _mm256_sad_epu8(sum, _mm256_setzero_si256()));
    }
    uint64_t parts[4];
    _mm256_storeu_si256((__m256i *)parts, total);
    return (size_t)(parts[0] + parts[1] + parts[2] + parts[3]) + plain_line_feeds(text, count);
}

#endif

size_t sluice_line_feeds(const uint8_t *text, size_t count) {
#if defined(__x86_64__)
    if (count >= step_size && __builtin_cpu_supports("avx2")) return avx2_line_feeds(text, count);
#endif
    return plain_line_feeds(text, count);
}
