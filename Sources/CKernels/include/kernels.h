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

/* Returns a byte with all bits for each quote, backslash and control character of a block. */
static inline uint8x16_t sluice_special_lanes(uint8x16_t bytes) {
    /* A change of the second bit makes a space of the quote, and keeps the control characters below the space. */
    return vorrq_u8(
        vcleq_u8(veorq_u8(bytes, vdupq_n_u8(0x02)), vdupq_n_u8(0x20)), vceqq_u8(bytes, vdupq_n_u8('\\')));
}

/* Returns four bits for each byte of a block, which are 1 for a quote, a backslash and a control character. */
static inline uint64_t sluice_special_bytes(uint8x16_t bytes) { return sluice_neon_mask(sluice_special_lanes(bytes)); }

/* Whether a byte before the first found one, or a byte of the blocks before, is not ASCII. */
static inline uint32_t sluice_is_high(uint8x16_t seen, uint8x16_t bytes, uint64_t found) {
    uint64_t beyond = sluice_neon_mask(vcltzq_s8(vreinterpretq_s8_u8(bytes)));
    return (beyond & (found - 1) & ~found) != 0 || vmaxvq_u8(seen) >= 0x80;
}

static inline const uint8_t *_Nonnull sluice_string_end(
    const uint8_t *_Nonnull at, const uint8_t *_Nonnull last, uint32_t *_Nonnull high) {
    uint8x16_t seen = vdupq_n_u8(0);
    for (; at <= last; at += 16) {
        uint8x16_t bytes = vld1q_u8(at);
        uint64_t found = sluice_special_bytes(bytes);
        if (found != 0) {
            *high = sluice_is_high(seen, bytes, found);
            return at + (__builtin_ctzll(found) >> 2);
        }
        seen = vorrq_u8(seen, bytes);
    }
    *high = vmaxvq_u8(seen) >= 0x80;
    return at;
}

static inline const uint8_t *_Nonnull sluice_plain_end(const uint8_t *_Nonnull at, const uint8_t *_Nonnull last) {
    const uint8x16_t backslash = vdupq_n_u8('\\'), second = vdupq_n_u8(0x02);
    const int8x16_t space = vdupq_n_s8(0x20);
    for (;;) {
        uint8x16_t bytes = vld1q_u8(at);
        /* As in sluice_special_lanes. Bytes that are not ASCII are negative numbers. */
        uint64_t found = sluice_neon_mask(vorrq_u8(
            vcleq_s8(vreinterpretq_s8_u8(veorq_u8(bytes, second)), space), vceqq_u8(bytes, backslash)));
        if (found != 0) return at + (__builtin_ctzll(found) >> 2);
        at += 16;
        if (at > last) return at;
    }
}

static inline const uint8_t *_Nonnull sluice_space_end(const uint8_t *_Nonnull at, const uint8_t *_Nonnull last) {
    /* A byte of white space is the entry of its lower half. All other entries differ from the bytes that lead to them. */
    const uint8x16_t table = {' ', 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, '\t', '\n', 0xFF, 0xFF, '\r', 0xFF, 0};
    for (; at <= last; at += 16) {
        uint8x16_t bytes = vld1q_u8(at);
        uint8x16_t white = vceqq_u8(bytes, vqtbl1q_u8(table, vandq_u8(bytes, vdupq_n_u8(0x0F))));
        uint64_t other = ~sluice_neon_mask(white);
        if (other != 0) return at + (__builtin_ctzll(other) >> 2);
    }
    return at;
}

static inline size_t sluice_copy_plain(
    const uint8_t *_Nonnull at, const uint8_t *_Nonnull last, uint8_t *_Nonnull to, const uint8_t *_Nonnull to_last,
    uint32_t *_Nonnull high) {
    /* The last index at which 16 bytes can be read and written. */
    ptrdiff_t limit = last - at < to_last - to ? last - at : to_last - to;
    uint8x16_t seen = vdupq_n_u8(0);
    ptrdiff_t count = 0;
    for (; count <= limit; count += 16) {
        uint8x16_t bytes = vld1q_u8(at + count);
        vst1q_u8(to + count, bytes);
        uint64_t found = sluice_special_bytes(bytes);
        if (found != 0) {
            *high |= sluice_is_high(seen, bytes, found);
            return (size_t)count + (size_t)(__builtin_ctzll(found) >> 2);
        }
        seen = vorrq_u8(seen, bytes);
    }
    *high |= vmaxvq_u8(seen) >= 0x80;
    return (size_t)count;
}

/* Whether the first `count` bytes, at most 32, are those of the pattern. Reads 32 bytes of both. */
static inline int sluice_is_equal(const uint8_t *_Nonnull at, const uint8_t *_Nonnull pattern, size_t count) {
    /* The 32 bytes at 32 minus `count` keep the first `count` bytes. */
    static const uint8_t masks[64] = {
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    const uint8_t *mask = masks + 32 - count;
    uint8x16_t low = vandq_u8(veorq_u8(vld1q_u8(at), vld1q_u8(pattern)), vld1q_u8(mask));
    uint8x16_t high = vandq_u8(veorq_u8(vld1q_u8(at + 16), vld1q_u8(pattern + 16)), vld1q_u8(mask + 16));
    return vmaxvq_u8(vorrq_u8(low, high)) == 0;
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
    for (; end - at >= 32; at += 32) {
        uint8x16_t low = vcleq_u8(vsubq_u8(vld1q_u8(at), first), one);
        uint8x16_t high = vcleq_u8(vsubq_u8(vld1q_u8(at + 16), first), one);
        if (sluice_neon_mask(vorrq_u8(low, high)) != 0) break;
    }
#endif
    while (at < end && *at != 0x0B && *at != 0x0C) at++;
    return at;
}

#endif
