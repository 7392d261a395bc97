/* The validation of UTF-8 in blocks, after J. Keiser and D. Lemire ("Validating UTF-8 In Less Than One Instruction Per Byte",
   Software: Practice and Experience 51, 2021).

   Each pair of neighboring bytes is looked up in three tables: by the upper and the lower half of the first byte, and by
   the upper half of the second one. Each of the first seven bits stands for an error, which is present if the bit is set in
   all three results. The last bit is set for two continuations, which are an error unless the lead of a sequence of three or
   four bytes is two or three bytes before the second continuation. */

#include "kernels.h"

enum {
    MISSING = 1 << 0,    /* a lead without a continuation */
    STRAY = 1 << 1,      /* a continuation after ASCII */
    OVERLONG_3 = 1 << 2, /* E0 80 to E0 9F */
    SURROGATE = 1 << 3,  /* ED A0 to ED BF */
    OVERLONG_2 = 1 << 4, /* C0 and C1 */
    LARGE = 1 << 5,      /* F4 90 and above */
    FOUR_80 = 1 << 6,    /* F0 80 to F0 8F, which is overlong, and F5 80 and above */
    SECOND = 1 << 7,     /* two continuations */
    ANY = MISSING | STRAY | SECOND,
    ABOVE = ANY | LARGE | FOUR_80,
};

static const uint8_t first_high[16] = {
    STRAY, STRAY, STRAY, STRAY, STRAY, STRAY, STRAY, STRAY, SECOND, SECOND, SECOND, SECOND,
    MISSING | OVERLONG_2, MISSING, MISSING | OVERLONG_3 | SURROGATE, MISSING | LARGE | FOUR_80,
};
static const uint8_t first_low[16] = {
    ANY | OVERLONG_3 | OVERLONG_2 | FOUR_80, ANY | OVERLONG_2, ANY, ANY, ANY | LARGE, ABOVE, ABOVE, ABOVE,
    ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE | SURROGATE, ABOVE, ABOVE,
};
static const uint8_t second_high[16] = {
    MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, MISSING,
    STRAY | SECOND | OVERLONG_2 | OVERLONG_3 | FOUR_80,
    STRAY | SECOND | OVERLONG_2 | OVERLONG_3 | LARGE,
    STRAY | SECOND | OVERLONG_2 | SURROGATE | LARGE,
    STRAY | SECOND | OVERLONG_2 | SURROGATE | LARGE,
    MISSING, MISSING, MISSING, MISSING,
};

/* The 32 bytes at `32 - count` keep the first `count` bytes of a vector, and clear the others. With at most 31 bytes, the
   last byte is zero, which makes an incomplete sequence an error. */
static const uint8_t masks[64] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
};

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i table(const uint8_t *values) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)values));
}

/* Returns a vector with a nonzero byte for each error in `bytes`, given the vector before. */
AVX2 static inline __m256i errors(__m256i bytes, __m256i previous) {
    const __m256i halves = _mm256_set1_epi8(0x0F);
    /* The alignment works within halves of 16 bytes. `shifted` has the 16 bytes before each half. */
    __m256i shifted = _mm256_permute2x128_si256(previous, bytes, 0x21);
    __m256i one = _mm256_alignr_epi8(bytes, shifted, 15);
    __m256i two = _mm256_alignr_epi8(bytes, shifted, 14);
    __m256i three = _mm256_alignr_epi8(bytes, shifted, 13);
    __m256i pairs = _mm256_and_si256(
        _mm256_and_si256(
            _mm256_shuffle_epi8(table(first_high), _mm256_and_si256(_mm256_srli_epi16(one, 4), halves)),
            _mm256_shuffle_epi8(table(first_low), _mm256_and_si256(one, halves))),
        _mm256_shuffle_epi8(table(second_high), _mm256_and_si256(_mm256_srli_epi16(bytes, 4), halves)));
    /* The high bit is set where a third or fourth byte of a sequence is required. */
    __m256i later = _mm256_or_si256(
        _mm256_subs_epu8(two, _mm256_set1_epi8((char)(0xE0 - 0x80))),
        _mm256_subs_epu8(three, _mm256_set1_epi8((char)(0xF0 - 0x80))));
    return _mm256_xor_si256(_mm256_and_si256(later, _mm256_set1_epi8((char)0x80)), pairs);
}

AVX2 static int is_utf8_avx2(const uint8_t *at, size_t count) {
    __m256i previous = _mm256_setzero_si256(), found = _mm256_setzero_si256();
    for (; count >= 32; at += 32, count -= 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)at);
        found = _mm256_or_si256(found, errors(bytes, previous));
        previous = bytes;
    }
    /* The zeros after the last bytes make an incomplete sequence an error. */
    uint8_t rest[32] = {0};
    __builtin_memcpy(rest, at, count);
    found = _mm256_or_si256(found, errors(_mm256_loadu_si256((const __m256i *)rest), previous));
    return _mm256_testz_si256(found, found);
}

AVX2 static int is_short_utf8_avx2(const uint8_t *at, size_t count) {
    __m256i bytes = _mm256_and_si256(
        _mm256_loadu_si256((const __m256i *)at), _mm256_loadu_si256((const __m256i *)(masks + 32 - count)));
    __m256i found = errors(bytes, _mm256_setzero_si256());
    return _mm256_testz_si256(found, found);
}

int sluice_is_utf8(const uint8_t *at, size_t count) {
    return __builtin_cpu_supports("avx2") && is_utf8_avx2(at, count);
}

int sluice_is_short_utf8(const uint8_t *at, size_t count) {
    return __builtin_cpu_supports("avx2") && is_short_utf8_avx2(at, count);
}

#elif defined(__aarch64__) && defined(__ARM_NEON)

#include <arm_neon.h>

static inline uint8x16_t errors(uint8x16_t bytes, uint8x16_t previous) {
    uint8x16_t one = vextq_u8(previous, bytes, 15);
    uint8x16_t two = vextq_u8(previous, bytes, 14);
    uint8x16_t three = vextq_u8(previous, bytes, 13);
    uint8x16_t pairs = vandq_u8(
        vandq_u8(
            vqtbl1q_u8(vld1q_u8(first_high), vshrq_n_u8(one, 4)),
            vqtbl1q_u8(vld1q_u8(first_low), vandq_u8(one, vdupq_n_u8(0x0F)))),
        vqtbl1q_u8(vld1q_u8(second_high), vshrq_n_u8(bytes, 4)));
    uint8x16_t later =
        vorrq_u8(vqsubq_u8(two, vdupq_n_u8(0xE0 - 0x80)), vqsubq_u8(three, vdupq_n_u8(0xF0 - 0x80)));
    return veorq_u8(vandq_u8(later, vdupq_n_u8(0x80)), pairs);
}

int sluice_is_utf8(const uint8_t *at, size_t count) {
    uint8x16_t previous = vdupq_n_u8(0), found = vdupq_n_u8(0);
    for (; count >= 32; at += 32, count -= 32) {
        uint8x16_t first = vld1q_u8(at), second = vld1q_u8(at + 16);
        /* If the byte before is ASCII, too, 32 bytes of ASCII have no error. */
        if (vmaxvq_u8(vorrq_u8(vorrq_u8(first, second), vextq_u8(previous, first, 15))) >= 0x80)
            found = vorrq_u8(found, vorrq_u8(errors(first, previous), errors(second, first)));
        previous = second;
    }
    for (; count >= 16; at += 16, count -= 16) {
        uint8x16_t bytes = vld1q_u8(at);
        found = vorrq_u8(found, errors(bytes, previous));
        previous = bytes;
    }
    uint8_t rest[16] = {0};
    __builtin_memcpy(rest, at, count);
    found = vorrq_u8(found, errors(vld1q_u8(rest), previous));
    return vmaxvq_u8(found) == 0;
}

int sluice_is_short_utf8(const uint8_t *at, size_t count) {
    const uint8_t *mask = masks + 32 - count;
    uint8x16_t low = vandq_u8(vld1q_u8(at), vld1q_u8(mask));
    uint8x16_t high = vandq_u8(vld1q_u8(at + 16), vld1q_u8(mask + 16));
    return vmaxvq_u8(vorrq_u8(errors(low, vdupq_n_u8(0)), errors(high, low))) == 0;
}

#else

int sluice_is_utf8(const uint8_t *at, size_t count) { return 0; }

int sluice_is_short_utf8(const uint8_t *at, size_t count) { return 0; }

#endif
