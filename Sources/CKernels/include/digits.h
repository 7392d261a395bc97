#ifndef SLUICE_DIGITS_H
#define SLUICE_DIGITS_H

#include <stddef.h>
#include <stdint.h>

/* The conversion of up to 16 decimal digits, for instruction sets that every x86-64 or arm64 processor has: SSE2 and NEON.
   On other processors, the loop over eight bytes in Kernels+Digits.swift replaces these functions. */

#if defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON))

#if defined(__SSE2__)
#include <emmintrin.h>
#else
#include <arm_neon.h>
#endif

/* Returns the number of decimal digits from `at` on, at most 16. Reads 16 bytes. */
static inline size_t sluice_digit_count(const uint8_t *_Nonnull at) {
#if defined(__SSE2__)
    __m128i values = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)at), _mm_set1_epi8('0'));
    __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    /* The bits above the 16th end the count. */
    return (size_t)__builtin_ctz(~(uint32_t)_mm_movemask_epi8(digits));
#else
    uint8x16_t others = vcgtq_u8(vsubq_u8(vld1q_u8(at), vdupq_n_u8('0')), vdupq_n_u8(9));
    uint64_t mask = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(others), 4)), 0);
    return mask == 0 ? 16 : (size_t)(__builtin_ctzll(mask) >> 2);
#endif
}

/* Returns a bit for each byte, which is 1 for all bytes but digits, at the position of the byte times `sluice_step`. Reads 16
   bytes. */
#if defined(__SSE2__)
enum { sluice_step = 1 };
static inline uint64_t sluice_other_bytes(const uint8_t *_Nonnull at) {
    __m128i values = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)at), _mm_set1_epi8('0'));
    __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    return (uint32_t)_mm_movemask_epi8(digits) ^ 0xFFFF;
}
#else
enum { sluice_step = 4 };
static inline uint64_t sluice_other_bytes(const uint8_t *_Nonnull at) {
    uint8x16_t others = vcgtq_u8(vsubq_u8(vld1q_u8(at), vdupq_n_u8('0')), vdupq_n_u8(9));
    uint64_t mask = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(others), 4)), 0);
    return mask & 0x1111111111111111;
}
#endif

/* Returns the length of the number at `at`, which begins with a digit or a minus sign. Returns 0 for a number that is malformed
   or has more than 15 bytes after the sign. Reads 17 bytes. */
static inline size_t sluice_number_length(const uint8_t *_Nonnull at) {
    size_t sign = *at == '-';
    at += sign;
    /* Each bit is the end of the digits before. The last bit is the end of the number. */
    uint64_t others = sluice_other_bytes(at);
    if (others == 0) return 0;
    size_t end = (size_t)__builtin_ctzll(others) / sluice_step;
    if (end == 0 || (end > 1 && *at == '0')) return 0;
    if (at[end] == '.') {
        size_t point = end;
        others &= others - 1;
        if (others == 0) return 0;
        end = (size_t)__builtin_ctzll(others) / sluice_step;
        if (end == point + 1) return 0;
    }
    if ((at[end] | 0x20) == 'e') {
        size_t letter = end;
        others &= others - 1;
        if (others == 0) return 0;
        end = (size_t)__builtin_ctzll(others) / sluice_step;
        if (end == letter + 1 && (at[end] == '+' || at[end] == '-')) {
            letter = end;
            others &= others - 1;
            if (others == 0) return 0;
            end = (size_t)__builtin_ctzll(others) / sluice_step;
        }
        if (end == letter + 1) return 0;
    }
    return sign + end;
}

/* Appends the `count` decimal digits before `end`, at most 16, to a number, which wraps. Reads the 16 bytes before `end`. */
static inline uint64_t sluice_append_digits(uint64_t number, const uint8_t *_Nonnull end, size_t count) {
    static const uint64_t powers[17] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
                                        10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
                                        1000000000000000, 10000000000000000};
    /* The 16 bytes at `count` keep the low halves of the last `count` bytes, and clear the bytes before. */
    static const uint8_t masks[32] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
                                      15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
    /* Neighbors are combined in pairs, then fours, then eights. */
#if defined(__SSE2__)
    __m128i ones = _mm_and_si128(
        _mm_loadu_si128((const __m128i *)(end - 16)), _mm_loadu_si128((const __m128i *)(masks + count)));
    __m128i pairs = _mm_add_epi16(
        _mm_mullo_epi16(_mm_and_si128(ones, _mm_set1_epi16(0xFF)), _mm_set1_epi16(10)), _mm_srli_epi16(ones, 8));
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
    __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
    uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
    return number * powers[count] + (both & 0xFFFFFFFF) * 100000000 + (both >> 32);
#else
    const uint8x16_t tens = {10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1};
    const uint16x8_t hundreds = {100, 1, 100, 1, 100, 1, 100, 1};
    const uint32x4_t thousands = {10000, 1, 10000, 1};
    uint8x16_t ones = vandq_u8(vld1q_u8(end - 16), vld1q_u8(masks + count));
    uint16x8_t pairs = vpaddlq_u8(vmulq_u8(ones, tens));
    uint32x4_t fours = vpaddlq_u16(vmulq_u16(pairs, hundreds));
    uint64x2_t eights = vpaddlq_u32(vmulq_u32(fours, thousands));
    return number * powers[count] + vgetq_lane_u64(eights, 0) * 100000000 + vgetq_lane_u64(eights, 1);
#endif
}

#endif

#endif
