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
    return (mask == 0 ? 64 : (size_t)__builtin_ctzll(mask)) >> 2;
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

/* The same for 32 bytes, with one bit for each byte. */
static inline uint64_t sluice_other_bytes_of_32(const uint8_t *_Nonnull at) {
#if defined(__SSE2__)
    return sluice_other_bytes(at) | sluice_other_bytes(at + 16) << 16;
#else
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t zero = vdupq_n_u8('0'), nine = vdupq_n_u8(9);
    uint8x16_t low = vandq_u8(bits, vcgtq_u8(vsubq_u8(vld1q_u8(at), zero), nine));
    uint8x16_t high = vandq_u8(bits, vcgtq_u8(vsubq_u8(vld1q_u8(at + 16), zero), nine));
    /* Each addition of neighbors halves the number of bytes, until a byte holds eight bits. */
    uint8x16_t sums = vpaddq_u8(low, high);
    sums = vpaddq_u8(sums, sums);
    sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u32(vreinterpretq_u32_u8(sums), 0);
#endif
}

/* Returns the end of the number at `at`, which begins with a digit, given the bits of the other bytes, one for each `step` bits.
   Returns 0 for a number that is malformed, or does not end among these bytes. */
static inline size_t sluice_number_end(const uint8_t *_Nonnull at, uint64_t others, size_t step) {
    /* Each bit is the end of the digits before. The last bit is the end of the number. */
    if (others == 0) return 0;
    size_t end = (size_t)__builtin_ctzll(others) / step;
    if (end == 0 || (end > 1 && *at == '0')) return 0;
    if (at[end] == '.') {
        size_t point = end;
        others &= others - 1;
        if (others == 0) return 0;
        end = (size_t)__builtin_ctzll(others) / step;
        if (end == point + 1) return 0;
    }
    if ((at[end] | 0x20) == 'e') {
        size_t letter = end;
        others &= others - 1;
        if (others == 0) return 0;
        end = (size_t)__builtin_ctzll(others) / step;
        if (end == letter + 1 && (at[end] == '+' || at[end] == '-')) {
            letter = end;
            others &= others - 1;
            if (others == 0) return 0;
            end = (size_t)__builtin_ctzll(others) / step;
        }
        if (end == letter + 1) return 0;
    }
    return end;
}

/* Returns the length of the number at `at`, which begins with a digit or a minus sign. Returns 0 for a number that is malformed
   or has more than 15 bytes after the sign. Reads 17 bytes. */
static inline size_t sluice_number_length(const uint8_t *_Nonnull at) {
    size_t sign = *at == '-';
    size_t end = sluice_number_end(at + sign, sluice_other_bytes(at + sign), sluice_step);
    return end == 0 ? 0 : sign + end;
}

/* The same for at most 31 bytes after the sign. Reads 33 bytes. */
static inline size_t sluice_long_number_length(const uint8_t *_Nonnull at) {
    size_t sign = *at == '-';
    size_t end = sluice_number_end(at + sign, sluice_other_bytes_of_32(at + sign), 1);
    return end == 0 ? 0 : sign + end;
}

/* Appends the `count` decimal digits before `end`, at most 16, to a number, which wraps. Reads the 16 bytes before `end`. Always
   inlined, because a call would cost the scanner's loop its registers. */
__attribute__((always_inline)) static inline uint64_t sluice_append_digits(uint64_t number, const uint8_t *_Nonnull end, size_t count) {
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
