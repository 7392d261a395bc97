#ifndef SLUICE_WRITING_H
#define SLUICE_WRITING_H

#include "kernels.h"

/* The writer's loops over 16 bytes of a string, and the computation of 16 digits, for instruction sets that every x86-64 or
   arm64 processor has: SSE2 and NEON. On other processors, the loops over eight bytes in Kernels.swift and DecimalWord.swift
   replace these functions. */

/* Sixteen decimal digits, each word with its first digit in the lowest byte. */
typedef struct {
    uint64_t upper, lower;
} sluice_digits;

#if defined(__SSE2__)

/* Copies bytes up to the first quote, backslash or control character, and returns their number. `count` must be at least
   16. All `count` bytes at `to` may be written. */
static inline size_t sluice_copy_literal(const uint8_t *_Nonnull from, size_t count, uint8_t *_Nonnull to) {
    size_t at = 0;
    for (; at + 32 <= count; at += 32) {
        __m128i first = _mm_loadu_si128((const __m128i *)(from + at));
        __m128i second = _mm_loadu_si128((const __m128i *)(from + at + 16));
        _mm_storeu_si128((__m128i *)(to + at), first);
        _mm_storeu_si128((__m128i *)(to + at + 16), second);
        uint32_t found = sluice_special_bytes(first) | sluice_special_bytes(second) << 16;
        if (found != 0) return at + (size_t)__builtin_ctz(found);
    }
    /* The last two blocks of 16 bytes overlap bytes that were copied before. */
    for (int block = 0; block < 2 && at < count; block++) {
        if (at > count - 16) at = count - 16;
        __m128i bytes = _mm_loadu_si128((const __m128i *)(from + at));
        _mm_storeu_si128((__m128i *)(to + at), bytes);
        uint32_t found = sluice_special_bytes(bytes);
        if (found != 0) return at + (size_t)__builtin_ctz(found);
        at += 16;
    }
    return count;
}

/* Copies `count` bytes, of which there must be at least 16. Returns 1 if none of the bytes is a quote, a backslash or a control
   character, else 0. */
static inline int sluice_copy_whole(const uint8_t *_Nonnull from, size_t count, uint8_t *_Nonnull to) {
    /* The last block of 16 bytes overlaps bytes that were copied before. */
    const size_t last = count - 16;
    __m128i bytes = _mm_loadu_si128((const __m128i *)(from + last));
    _mm_storeu_si128((__m128i *)(to + last), bytes);
    uint32_t found = sluice_special_bytes(bytes);
    for (size_t at = 0; at < last; at += 16) {
        bytes = _mm_loadu_si128((const __m128i *)(from + at));
        _mm_storeu_si128((__m128i *)(to + at), bytes);
        found |= sluice_special_bytes(bytes);
    }
    return found == 0;
}

/* Writes 16 bytes, and returns the index of the first quote, backslash or control character, or 32 without any. */
static inline uint32_t sluice_put_small(uint64_t low, uint64_t high, uint8_t *_Nonnull to) {
    __m128i bytes = _mm_set_epi64x((long long)high, (long long)low);
    _mm_storeu_si128((__m128i *)to, bytes);
    return (uint32_t)__builtin_ctzll((uint64_t)sluice_special_bytes(bytes) | (uint64_t)1 << 32);
}

/* The same functions, which also stop at one more character. */

static inline uint32_t sluice_special_bytes_and(__m128i bytes, uint8_t other) {
    return sluice_special_bytes(bytes)
        | (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)other)));
}

static inline size_t sluice_copy_literal_until(
    const uint8_t *_Nonnull from, size_t count, uint8_t *_Nonnull to, uint8_t other) {
    size_t at = 0;
    while (at < count) {
        if (at > count - 16) at = count - 16;
        __m128i bytes = _mm_loadu_si128((const __m128i *)(from + at));
        _mm_storeu_si128((__m128i *)(to + at), bytes);
        uint32_t found = sluice_special_bytes_and(bytes, other);
        if (found != 0) return at + (size_t)__builtin_ctz(found);
        at += 16;
    }
    return count;
}

static inline uint32_t sluice_put_small_until(uint64_t low, uint64_t high, uint8_t *_Nonnull to, uint8_t other) {
    __m128i bytes = _mm_set_epi64x((long long)high, (long long)low);
    _mm_storeu_si128((__m128i *)to, bytes);
    return (uint32_t)__builtin_ctzll((uint64_t)sluice_special_bytes_and(bytes, other) | (uint64_t)1 << 32);
}

/* Returns the digits of two numbers below 10^8. Both numbers are divided into halves, quarters and digits at the same
   time. Each division is a multiplication by the inverse. */
static inline sluice_digits sluice_sixteen_digits(uint64_t upper, uint64_t lower) {
    __m128i numbers = _mm_set_epi64x((long long)lower, (long long)upper);
    __m128i quotient = _mm_srli_epi64(_mm_mul_epu32(numbers, _mm_set1_epi32(109951163)), 40);
    __m128i rest = _mm_sub_epi32(numbers, _mm_mul_epu32(quotient, _mm_set1_epi32(10000)));
    __m128i halves = _mm_or_si128(quotient, _mm_slli_epi64(rest, 32));
    quotient = _mm_srli_epi16(_mm_mulhi_epu16(halves, _mm_set1_epi16(5243)), 3);
    rest = _mm_sub_epi16(halves, _mm_mullo_epi16(quotient, _mm_set1_epi16(100)));
    __m128i quarters = _mm_or_si128(quotient, _mm_slli_epi32(rest, 16));
    quotient = _mm_mulhi_epu16(quarters, _mm_set1_epi16(6554));
    rest = _mm_sub_epi16(quarters, _mm_mullo_epi16(quotient, _mm_set1_epi16(10)));
    __m128i digits = _mm_or_si128(quotient, _mm_slli_epi16(rest, 8));
    sluice_digits result = {
        (uint64_t)_mm_cvtsi128_si64(digits), (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(digits, digits))};
    return result;
}

#elif defined(__aarch64__) && defined(__ARM_NEON)

static inline size_t sluice_copy_literal(const uint8_t *_Nonnull from, size_t count, uint8_t *_Nonnull to) {
    size_t at = 0;
    for (; at + 32 <= count; at += 32) {
        uint8x16_t first = vld1q_u8(from + at), second = vld1q_u8(from + at + 16);
        vst1q_u8(to + at, first);
        vst1q_u8(to + at + 16, second);
        uint8x16_t first_found = sluice_special_lanes(first), second_found = sluice_special_lanes(second);
        if (sluice_neon_mask(vorrq_u8(first_found, second_found)) != 0) {
            uint64_t found = sluice_neon_mask(first_found);
            if (found != 0) return at + (size_t)(__builtin_ctzll(found) >> 2);
            return at + 16 + (size_t)(__builtin_ctzll(sluice_neon_mask(second_found)) >> 2);
        }
    }
    /* The last two blocks of 16 bytes overlap bytes that were copied before. */
    for (int block = 0; block < 2 && at < count; block++) {
        if (at > count - 16) at = count - 16;
        uint8x16_t bytes = vld1q_u8(from + at);
        vst1q_u8(to + at, bytes);
        uint64_t found = sluice_special_bytes(bytes);
        if (found != 0) return at + (size_t)(__builtin_ctzll(found) >> 2);
        at += 16;
    }
    return count;
}

static inline int sluice_copy_whole(const uint8_t *_Nonnull from, size_t count, uint8_t *_Nonnull to) {
    /* The last block of 16 bytes overlaps bytes that were copied before. */
    const size_t last = count - 16;
    uint8x16_t bytes = vld1q_u8(from + last);
    vst1q_u8(to + last, bytes);
    uint8x16_t found = sluice_special_lanes(bytes);
    for (size_t at = 0; at < last; at += 16) {
        bytes = vld1q_u8(from + at);
        vst1q_u8(to + at, bytes);
        found = vorrq_u8(found, sluice_special_lanes(bytes));
    }
    return sluice_neon_mask(found) == 0;
}

static inline uint32_t sluice_put_small(uint64_t low, uint64_t high, uint8_t *_Nonnull to) {
    uint8x16_t bytes = vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
    vst1q_u8(to, bytes);
    uint64_t found = sluice_special_bytes(bytes);
    return found == 0 ? 32 : (uint32_t)(__builtin_ctzll(found) >> 2);
}

/* The same functions, which also stop at one more character. */

static inline uint64_t sluice_special_bytes_and(uint8x16_t bytes, uint8_t other) {
    return sluice_neon_mask(vorrq_u8(sluice_special_lanes(bytes), vceqq_u8(bytes, vdupq_n_u8(other))));
}

static inline size_t sluice_copy_literal_until(
    const uint8_t *_Nonnull from, size_t count, uint8_t *_Nonnull to, uint8_t other) {
    size_t at = 0;
    while (at < count) {
        if (at > count - 16) at = count - 16;
        uint8x16_t bytes = vld1q_u8(from + at);
        vst1q_u8(to + at, bytes);
        uint64_t found = sluice_special_bytes_and(bytes, other);
        if (found != 0) return at + (size_t)(__builtin_ctzll(found) >> 2);
        at += 16;
    }
    return count;
}

static inline uint32_t sluice_put_small_until(uint64_t low, uint64_t high, uint8_t *_Nonnull to, uint8_t other) {
    uint8x16_t bytes = vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
    vst1q_u8(to, bytes);
    uint64_t found = sluice_special_bytes_and(bytes, other);
    return found == 0 ? 32 : (uint32_t)(__builtin_ctzll(found) >> 2);
}

static inline sluice_digits sluice_sixteen_digits(uint64_t upper, uint64_t lower) {
    uint32x2_t numbers = vcreate_u32(upper | lower << 32);
    uint64x2_t halves = vshrq_n_u64(vmull_n_u32(numbers, 109951163), 40);
    /* The rest of a division is inserted above the quotient. */
    uint64x2_t rest = vmlsl_n_u32(vmovl_u32(numbers), vmovn_u64(halves), 10000);
    uint32x4_t quarters = vreinterpretq_u32_u64(vsliq_n_u64(halves, rest, 32));
    uint32x4_t hundreds = vshrq_n_u32(vmulq_n_u32(quarters, 5243), 19);
    uint16x8_t pairs =
        vreinterpretq_u16_u32(vsliq_n_u32(hundreds, vmlsq_n_u32(quarters, hundreds, 100), 16));
    uint16x8_t tens = vshrq_n_u16(vmulq_n_u16(pairs, 103), 10);
    uint64x2_t digits = vreinterpretq_u64_u16(vsliq_n_u16(tens, vmlsq_n_u16(pairs, tens, 10), 8));
    sluice_digits result = {vgetq_lane_u64(digits, 0), vgetq_lane_u64(digits, 1)};
    return result;
}

#endif

#endif
