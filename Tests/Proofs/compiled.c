/* The inline functions as functions of a library, which the compiler optimizes as in the package. */

#include "digits.h"
#include "kernels.h"
#include "writing.h"

#define EXPORTED(result, name, parameters, ...) \
    result compiled_##name parameters { return sluice_##name(__VA_ARGS__); }

EXPORTED(const uint8_t *, string_end, (const uint8_t *at, const uint8_t *last, uint32_t *high), at, last, high)
EXPORTED(const uint8_t *, plain_end, (const uint8_t *at, const uint8_t *last), at, last)
EXPORTED(const uint8_t *, space_end, (const uint8_t *at, const uint8_t *last), at, last)
EXPORTED(const uint8_t *, vertical_space, (const uint8_t *at, const uint8_t *end), at, end)
EXPORTED(size_t, copy_literal, (const uint8_t *from, size_t count, uint8_t *to), from, count, to)
EXPORTED(size_t, copy_literal_until, (const uint8_t *from, size_t count, uint8_t *to, uint8_t other), from, count, to, other)
EXPORTED(int, copy_whole, (const uint8_t *from, size_t count, uint8_t *to), from, count, to)
EXPORTED(size_t, digit_count, (const uint8_t *at), at)
EXPORTED(size_t, number_length, (const uint8_t *at), at)
EXPORTED(size_t, long_number_length, (const uint8_t *at), at)
EXPORTED(int32_t, hex_unit, (const uint8_t *at), at)
EXPORTED(uint64_t, append_digits, (uint64_t number, const uint8_t *end, size_t count), number, end, count)
EXPORTED(sluice_digits, sixteen_digits, (uint64_t upper, uint64_t lower), upper, lower)

/* Returns the first number below 10^8 that has wrong digits as the upper or as the lower number; 10^8 without any. */
uint64_t compiled_first_wrong_digits(void) {
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
