/* The nesting of JSON text, in blocks of 64 bytes.

   Four masks have a bit for each byte of a block: quotes, backslashes, opening and closing brackets. A byte is in a string if the number of
   quotes up to the byte is odd. Only a block in which the depth may fall below its limit is examined bracket by bracket. */

#include "structure.h"

#include <string.h>

enum { block_size = 64 };

struct masks {
    uint64_t quotes, backslashes, opening, closing;
};

/* Returns the bits for which the number of set bits up to their own is odd. */
static inline uint64_t parities(uint64_t bits) {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    return bits ^ bits << 32;
}

/* Returns the bytes that are escaped by the backslash before them. Sets `is_escaped` to whether the byte after the first `count` is. */
static inline uint64_t escaped_bytes(uint64_t backslashes, size_t count, bool *is_escaped) {
    uint64_t escaped = *is_escaped;
    uint64_t rest = backslashes & ~escaped;
    *is_escaped = false;
    while (rest != 0) {
        uint64_t backslash = rest & (0 - rest);
        *is_escaped = backslash >> (count - 1) != 0;
        escaped |= backslash << 1;
        rest &= ~(backslash | backslash << 1);
    }
    return escaped;
}

/* Advances over the first `count` bytes of a block, or up to a bracket after which the depth is below the limit.

   Returns the number of bytes before the new position. Sets `stops` if the last one is such a bracket. */
static inline size_t advance_block(
    struct sluice_structure *structure, struct masks block, size_t count, int64_t limit, bool *stops) {
    uint64_t quotes = block.quotes;
    if (block.backslashes != 0 || structure->is_escaped)
        quotes &= ~escaped_bytes(block.backslashes, count, &structure->is_escaped);
    uint64_t strings = parities(quotes) ^ (structure->is_in_string ? ~(uint64_t)0 : 0);
    uint64_t opening = block.opening & ~strings, closing = block.closing & ~strings;
    int64_t closed = __builtin_popcountll(closing);
    if (structure->depth - closed < limit) {
        int64_t depth = structure->depth;
        for (uint64_t rest = opening | closing; rest != 0; rest &= rest - 1) {
            uint64_t bracket = rest & (0 - rest);
            if ((opening & bracket) != 0) {
                depth += 1;
            } else if (--depth < limit) {
                *structure = (struct sluice_structure){.depth = depth};
                *stops = true;
                return (size_t)__builtin_ctzll(bracket) + 1;
            }
        }
    }
    structure->depth += __builtin_popcountll(opening) - closed;
    structure->is_in_string = strings >> 63;
    return count;
}

/* Defines a function that advances over text. `masks_of` returns the masks of 64 bytes. */
#define ADVANCE(name, masks_of) \
    static size_t name(struct sluice_structure *structure, const uint8_t *text, size_t count, int64_t limit) { \
        size_t start = 0; \
        bool stops = false; \
        while (count - start >= block_size && !stops) \
            start += advance_block(structure, masks_of(text + start), block_size, limit, &stops); \
        if (stops || start == count) return start; \
        /* Zeros are neither quotes, backslashes nor brackets. */ \
        uint8_t rest[block_size] = {0}; \
        memcpy(rest, text + start, count - start); \
        return start + advance_block(structure, masks_of(rest), count - start, limit, &stops); \
    }

#if defined(__SSE2__)

#include <immintrin.h>

static inline struct masks sse2_masks(const uint8_t *at) {
    struct masks masks = {0};
    for (int part = 0; part < 4; part++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(at + 16 * part));
        /* The codes of a bracket and of a brace differ in one bit. */
        __m128i brackets = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        int shift = 16 * part;
        masks.quotes |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'))) << shift;
        masks.backslashes |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))) << shift;
        masks.opening |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(brackets, _mm_set1_epi8('{'))) << shift;
        masks.closing |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(brackets, _mm_set1_epi8('}'))) << shift;
    }
    return masks;
}

ADVANCE(advance_sse2, sse2_masks)

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,popcnt,bmi")))

AVX2 static inline struct masks avx2_masks(const uint8_t *at) {
    struct masks masks = {0};
    for (int part = 0; part < 2; part++) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(at + 32 * part));
        __m256i brackets = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
        int shift = 32 * part;
        masks.quotes |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"'))) << shift;
        masks.backslashes |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'))) << shift;
        masks.opening |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(brackets, _mm256_set1_epi8('{'))) << shift;
        masks.closing |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(brackets, _mm256_set1_epi8('}'))) << shift;
    }
    return masks;
}

AVX2 ADVANCE(advance_avx2, avx2_masks)

#endif

#elif defined(__aarch64__) && defined(__ARM_NEON)

#include <arm_neon.h>

/* Returns the mask of four vectors, whose bytes are 0 or 0xFF. */
static inline uint64_t neon_mask(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
    const uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t low = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
    uint8x16_t high = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
    uint8x16_t all = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

static inline uint64_t neon_equal(uint8x16x4_t bytes, uint8_t byte) {
    const uint8x16_t all = vdupq_n_u8(byte);
    return neon_mask(
        vceqq_u8(bytes.val[0], all), vceqq_u8(bytes.val[1], all), vceqq_u8(bytes.val[2], all), vceqq_u8(bytes.val[3], all));
}

static inline struct masks neon_masks(const uint8_t *at) {
    uint8x16x4_t bytes = vld1q_u8_x4(at), brackets = bytes;
    /* The codes of a bracket and of a brace differ in one bit. */
    for (int part = 0; part < 4; part++) brackets.val[part] = vorrq_u8(bytes.val[part], vdupq_n_u8(0x20));
    return (struct masks){
        neon_equal(bytes, '"'), neon_equal(bytes, '\\'), neon_equal(brackets, '{'), neon_equal(brackets, '}')};
}

ADVANCE(advance_neon, neon_masks)

#else

static inline struct masks plain_masks(const uint8_t *at) {
    struct masks masks = {0};
    for (int index = 0; index < block_size; index++) {
        uint8_t byte = at[index], bracket = byte | 0x20;
        masks.quotes |= (uint64_t)(byte == '"') << index;
        masks.backslashes |= (uint64_t)(byte == '\\') << index;
        masks.opening |= (uint64_t)(bracket == '{') << index;
        masks.closing |= (uint64_t)(bracket == '}') << index;
    }
    return masks;
}

ADVANCE(advance_plain, plain_masks)

#endif

size_t sluice_advance(struct sluice_structure *structure, const uint8_t *text, size_t count, bool stops_at_element) {
    const int64_t limit = stops_at_element ? 1 : 0;
#if defined(__SSE2__)
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi"))
        return advance_avx2(structure, text, count, limit);
#endif
    return advance_sse2(structure, text, count, limit);
#elif defined(__aarch64__) && defined(__ARM_NEON)
    return advance_neon(structure, text, count, limit);
#else
    return advance_plain(structure, text, count, limit);
#endif
}
