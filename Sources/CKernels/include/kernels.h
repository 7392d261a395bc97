#ifndef SLUICE_KERNELS_H
#define SLUICE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* The scanner's loops over 16 bytes, for instruction sets that every x86-64 or arm64 processor has: SSE2 and NEON.
   On other processors, the loops over eight bytes in Kernels.swift replace them.

   A function with a parameter `last` reads 16 bytes at a position only if the position is not beyond `last`. */

#if defined(__SSE2__)

#include <emmintrin.h>

/* Returns a bit for each byte of a block, which is 1 for a quote, a backslash and a control character. */
static inline uint32_t sluice_special_bytes(__m128i bytes) {
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1F);
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
        _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes)));
}

/* Returns the first quote, backslash or control character from `at` on, or a position beyond `last`. Sets `high` to a
   nonzero value if a byte before that position is not ASCII. */
static inline const uint8_t *_Nonnull sluice_string_end(
    const uint8_t *_Nonnull at, const uint8_t *_Nonnull last, uint32_t *_Nonnull high) {
    uint32_t seen = 0;
    for (; at <= last; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)at);
        uint32_t found = sluice_special_bytes(bytes);
        uint32_t beyond = (uint32_t)_mm_movemask_epi8(bytes);
        if (found != 0) {
            *high = seen | (beyond & (found - 1) & ~found);
            return at + __builtin_ctz(found);
        }
        seen |= beyond;
    }
    *high = seen;
    return at;
}

/* Returns the first quote, backslash, control character or byte that is not ASCII, or a position beyond `last`. Reads 16 bytes
   at `at` in any case. */
static inline const uint8_t *_Nonnull sluice_plain_end(const uint8_t *_Nonnull at, const uint8_t *_Nonnull last) {
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), space = _mm_set1_epi8(0x20);
    for (;;) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)at);
        /* As signed numbers, control characters and bytes that are not ASCII are less than the space. The saturating difference
           is negative. */
        uint32_t found = (uint32_t)_mm_movemask_epi8(_mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
            _mm_subs_epi8(bytes, space)));
        if (found != 0) return at + __builtin_ctz(found);
        at += 16;
        if (at > last) return at;
    }
}

/* Returns the first byte from `at` on that is not white space, or a position beyond `last`. */
static inline const uint8_t *_Nonnull sluice_space_end(const uint8_t *_Nonnull at, const uint8_t *_Nonnull last) {
    const __m128i space = _mm_set1_epi8(' '), feed = _mm_set1_epi8('\n'), tab = _mm_set1_epi8('\t'),
                  carriage = _mm_set1_epi8('\r');
    for (; at <= last; at += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)at);
        __m128i white = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, space), _mm_cmpeq_epi8(bytes, feed)),
            _mm_or_si128(_mm_cmpeq_epi8(bytes, tab), _mm_cmpeq_epi8(bytes, carriage)));
        uint32_t other = (uint32_t)_mm_movemask_epi8(white) ^ 0xFFFF;
        if (other != 0) return at + __builtin_ctz(other);
    }
    return at;
}

/* Compares 32 bytes at `at` with a pattern of 32 bytes. Returns a bit for each byte, which is 1 for different bytes. */
static inline uint32_t sluice_differences(const uint8_t *_Nonnull at, const uint8_t *_Nonnull pattern) {
    __m128i low = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)at), _mm_loadu_si128((const __m128i *)pattern));
    __m128i high = _mm_cmpeq_epi8(
        _mm_loadu_si128((const __m128i *)(at + 16)), _mm_loadu_si128((const __m128i *)(pattern + 16)));
    return ~((uint32_t)_mm_movemask_epi8(low) | (uint32_t)_mm_movemask_epi8(high) << 16);
}

/* Copies bytes from `at` to `to` up to the first quote, backslash or control character, in blocks of 16. Ends earlier
   at a position beyond `last`, or beyond `to_last` in the copy. Writes up to 16 bytes after the copied bytes.
   Returns the number of bytes copied. Sets `high` to a nonzero value if one of them is not ASCII. */
static inline size_t sluice_copy_plain(
    const uint8_t *_Nonnull at, const uint8_t *_Nonnull last, uint8_t *_Nonnull to, const uint8_t *_Nonnull to_last,
    uint32_t *_Nonnull high) {
    size_t count = 0;
    for (; at + count <= last && to + count <= to_last; count += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(at + count));
        _mm_storeu_si128((__m128i *)(to + count), bytes);
        uint32_t found = sluice_special_bytes(bytes);
        uint32_t beyond = (uint32_t)_mm_movemask_epi8(bytes);
        if (found != 0) {
            *high |= beyond & (found - 1) & ~found;
            return count + (size_t)__builtin_ctz(found);
        }
        *high |= beyond;
    }
    return count;
}

#elif defined(__aarch64__) && defined(__ARM_NEON)

#include <arm_neon.h>

/* Returns four bits for each byte of a comparison's result, the counterpart of SSE2's movemask. */
static inline uint64_t sluice_neon_mask(uint8x16_t hits) {
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(hits), 4)), 0);
}

/* Returns four bits for each byte of a block, which are 1 for a quote, a backslash and a control character. */
static inline uint64_t sluice_special_bytes(uint8x16_t bytes) {
    const uint8x16_t quote = vdupq_n_u8('"'), backslash = vdupq_n_u8('\\'), control = vdupq_n_u8(0x20);
    return sluice_neon_mask(
        vorrq_u8(vorrq_u8(vceqq_u8(bytes, quote), vceqq_u8(bytes, backslash)), vcltq_u8(bytes, control)));
}

static inline const uint8_t *_Nonnull sluice_string_end(
    const uint8_t *_Nonnull at, const uint8_t *_Nonnull last, uint32_t *_Nonnull high) {
    uint64_t seen = 0;
    for (; at <= last; at += 16) {
        uint8x16_t bytes = vld1q_u8(at);
        uint64_t found = sluice_special_bytes(bytes);
        uint64_t high_bytes = sluice_neon_mask(vcgeq_u8(bytes, vdupq_n_u8(0x80)));
        if (found != 0) {
            *high = (seen | (high_bytes & (found - 1) & ~found)) != 0;
            return at + (__builtin_ctzll(found) >> 2);
        }
        seen |= high_bytes;
    }
    *high = seen != 0;
    return at;
}

static inline const uint8_t *_Nonnull sluice_plain_end(const uint8_t *_Nonnull at, const uint8_t *_Nonnull last) {
    const uint8x16_t quote = vdupq_n_u8('"'), backslash = vdupq_n_u8('\\');
    const int8x16_t space = vdupq_n_s8(0x20);
    for (;;) {
        uint8x16_t bytes = vld1q_u8(at);
        uint64_t found = sluice_neon_mask(vorrq_u8(
            vorrq_u8(vceqq_u8(bytes, quote), vceqq_u8(bytes, backslash)),
            vcltq_s8(vreinterpretq_s8_u8(bytes), space)));
        if (found != 0) return at + (__builtin_ctzll(found) >> 2);
        at += 16;
        if (at > last) return at;
    }
}

static inline const uint8_t *_Nonnull sluice_space_end(const uint8_t *_Nonnull at, const uint8_t *_Nonnull last) {
    const uint8x16_t space = vdupq_n_u8(' '), feed = vdupq_n_u8('\n'), tab = vdupq_n_u8('\t'),
                     carriage = vdupq_n_u8('\r');
    for (; at <= last; at += 16) {
        uint8x16_t bytes = vld1q_u8(at);
        uint8x16_t white = vorrq_u8(
            vorrq_u8(vceqq_u8(bytes, space), vceqq_u8(bytes, feed)),
            vorrq_u8(vceqq_u8(bytes, tab), vceqq_u8(bytes, carriage)));
        uint64_t other = ~sluice_neon_mask(white);
        if (other != 0) return at + (__builtin_ctzll(other) >> 2);
    }
    return at;
}

static inline size_t sluice_copy_plain(
    const uint8_t *_Nonnull at, const uint8_t *_Nonnull last, uint8_t *_Nonnull to, const uint8_t *_Nonnull to_last,
    uint32_t *_Nonnull high) {
    size_t count = 0;
    for (; at + count <= last && to + count <= to_last; count += 16) {
        uint8x16_t bytes = vld1q_u8(at + count);
        vst1q_u8(to + count, bytes);
        uint64_t found = sluice_special_bytes(bytes);
        uint64_t high_bytes = sluice_neon_mask(vcgeq_u8(bytes, vdupq_n_u8(0x80)));
        if (found != 0) {
            if ((high_bytes & (found - 1) & ~found) != 0) *high = 1;
            return count + (size_t)(__builtin_ctzll(found) >> 2);
        }
        if (high_bytes != 0) *high = 1;
    }
    return count;
}

static inline uint32_t sluice_differences(const uint8_t *_Nonnull at, const uint8_t *_Nonnull pattern) {
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t low = vbicq_u8(bits, vceqq_u8(vld1q_u8(at), vld1q_u8(pattern)));
    uint8x16_t high = vbicq_u8(bits, vceqq_u8(vld1q_u8(at + 16), vld1q_u8(pattern + 16)));
    /* Each addition of neighbors halves the number of bytes, until a byte holds eight bits. */
    uint8x16_t sums = vpaddq_u8(low, high);
    sums = vpaddq_u8(sums, sums);
    sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u32(vreinterpretq_u32_u8(sums), 0);
}

#endif

#if defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON))

/* Copies the first `count` bytes, at most 16, and sets the rest of the 16 bytes at `out` to zero. Reads 16 bytes. */
static inline void sluice_copy_prefix(void *_Nonnull out, const uint8_t *_Nonnull at, size_t count) {
    /* The 16 bytes at 16 minus `count` keep the first `count` bytes. */
    static const uint8_t masks[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                      0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0};
    const uint8_t *mask = masks + 16 - count;
#if defined(__SSE2__)
    __m128i kept = _mm_and_si128(_mm_loadu_si128((const __m128i *)at), _mm_loadu_si128((const __m128i *)mask));
    _mm_storeu_si128((__m128i *)out, kept);
#else
    vst1q_u8(out, vandq_u8(vld1q_u8(at), vld1q_u8(mask)));
#endif
}

#endif

/* Returns the value of four hexadecimal digits, or a negative value. */
static inline int32_t sluice_hex_unit(const uint8_t *_Nonnull digits) {
    /* The values of the digits, and -1 for all other bytes. A value of -1 sets the sign bit of the result. */
#define X -1
#define X16 X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X
    static const int8_t values[256] = {
        X16, X16, X16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, X, X, X, X, X, X,
        X, 10, 11, 12, 13, 14, 15, X, X, X, X, X, X, X, X, X, X16,
        X, 10, 11, 12, 13, 14, 15, X, X, X, X, X, X, X, X, X, X16,
        X16, X16, X16, X16, X16, X16, X16, X16,
    };
#undef X16
#undef X
    return values[digits[0]] * 0x1000 | values[digits[1]] * 0x100 | values[digits[2]] * 0x10 | values[digits[3]];
}

/* Returns a nonzero value for valid UTF-8. A result of 0 requires another check: the bytes are not valid, or the processor
   lacks the instructions for this check. Faster than the portable check for more than 32 bytes. Reads nothing after the
   bytes. */
int sluice_is_utf8(const uint8_t *_Nonnull at, size_t count);

/* The same for at most 31 bytes. Reads 32 bytes. */
int sluice_is_short_utf8(const uint8_t *_Nonnull at, size_t count);

/* Returns the first vertical tab or form feed, which yajl accepts as white space, or `end`. Reads nothing after `end`. */
static inline const uint8_t *_Nonnull sluice_vertical_space(const uint8_t *_Nonnull at, const uint8_t *_Nonnull end) {
#if defined(__SSE2__)
    const __m128i first = _mm_set1_epi8(0x0B), one = _mm_set1_epi8(1);
    for (; end - at >= 32; at += 32) {
        __m128i low = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)at), first);
        __m128i high = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(at + 16)), first);
        __m128i found =
            _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(low, one), low), _mm_cmpeq_epi8(_mm_min_epu8(high, one), high));
        if (_mm_movemask_epi8(found) != 0) break;
    }
#elif defined(__aarch64__) && defined(__ARM_NEON)
    const uint8x16_t first = vdupq_n_u8(0x0B), one = vdupq_n_u8(1);
    for (; end - at >= 16; at += 16) {
        if (vmaxvq_u8(vcleq_u8(vsubq_u8(vld1q_u8(at), first), one)) != 0) break;
    }
#endif
    while (at < end && *at != 0x0B && *at != 0x0C) at++;
    return at;
}

#endif
