"""Proves the bounds of the multiplications by powers of ten in Sources/SluiceCore/Numbers, with exact integers, over all exponents.

Usage: prove_numbers.py, in the folder of the package. Exits with 1 if a claim fails. The names of the claims are those of Tests/Proofs/README.md.
"""

import re
import sys
from fractions import Fraction
from math import gcd

FOLDER = "Sources/SluiceCore/Numbers/"
failures = 0


def source(name):
    return open(FOLDER + name).read()


def claim(name, holds, detail=""):
    global failures
    failures += not holds
    print(f"{name:66} {'proved' if holds else 'NOT PROVED'}{', ' + detail if detail else ''}", flush=True)


def find(pattern, text, count=1):
    """Returns the numbers in the source. The claims are about this source, so a pattern that is not found is an error."""
    found = re.search(pattern, text)
    assert found, pattern
    return [int(group.replace("_", "").replace("−", "-")) for group in found.groups()]


powers, conversion, shortest = source("DecimalPowers.swift"), source("FloatConversion.swift"), source("ShortestDecimal.swift")
FIRST, LAST = find(r"fives: ClosedRange<Int> \{ (-?\d+)\.\.\.(\d+) \}", powers)
EXACT_FIRST, EXACT_LAST = find(r"exactFives: ClosedRange<Int> \{ (\d+)\.\.\.(\d+) \}", powers)
(FACTOR,) = find(r"\(([\d_]+) &\* exponent\) &>> 16", powers)
SHIFT_960, = find(r"inverse\.shiftLeft\(by: (\d+)\)", powers)
LOG_TEN, LOG_THREE_QUARTERS = find(r"exponent &\* ([\d_]+) &- \(isLowerNeighborNearer \? ([\d_]+) : 0\)\) &>> 22", shortest)


def five(exponent):
    """Returns the definition of a table's entry, 5^q scaled to 128 bits and rounded down, and whether that is exact."""
    if exponent >= 0:
        value = 5 ** exponent
        excess = value.bit_length() - 128
        return (value >> excess, value & (1 << excess) - 1 == 0) if excess > 0 else (value << -excess, True)
    divisor = 5 ** -exponent
    # The quotient is in the range of 128 bits.
    shift = 127 + divisor.bit_length()
    quotient = (1 << shift) // divisor
    return (quotient >> 1 if quotient.bit_length() == 129 else quotient), False


TABLE = {exponent: five(exponent) for exponent in range(FIRST, LAST + 1)}


def table():
    """`makeTable` of DecimalPowers.swift with the integers of Python has the entries of the definition."""
    def leading(number):
        excess = number.bit_length() - 128
        return number >> excess if excess > 0 else number << -excess

    made, power = {}, 1
    for exponent in range(LAST + 1):
        made[exponent] = leading(power)
        power *= 5
    inverse = 1 << SHIFT_960
    for exponent in range(1, -FIRST + 1):
        inverse //= 5
        made[-exponent] = leading(inverse)
    claim("the table has the floors", all(made[key] == TABLE[key][0] for key in TABLE) and len(made) == len(TABLE),
          f"{len(TABLE)} powers")
    claim("the exact powers are 0...55", [key for key in TABLE if TABLE[key][1]] == list(range(EXACT_FIRST, EXACT_LAST + 1)))
    claim("an entry has 128 bits", all(entry.bit_length() == 128 for entry, _ in TABLE.values()))


def log_two_of_ten(exponent):
    """Returns floor(log2(10^exponent))."""
    if exponent >= 0:
        return (10 ** exponent).bit_length() - 1
    return -((10 ** -exponent - 1).bit_length())


def exponents():
    claim("the binary exponents of powers of ten",
          all(FACTOR * q >> 16 == log_two_of_ten(q) for q in range(FIRST, LAST + 1)))


class Format:
    def __init__(self, name, significand_bits, exponent_bits):
        self.name, self.significand_bits = name, significand_bits
        self.bias = (1 << exponent_bits - 1) - 1
        self.smallest = 1 - self.bias - significand_bits
        self.largest = self.bias - significand_bits


FORMATS = [Format("Double", 52, 11), Format("Float", 23, 8), Format("Float16", 10, 5)]


def reading():
    """The errors of the products in FloatConversion.swift: w has 64 bits, and T is the power of five, scaled to 128 bits and not cut."""
    most = (1 << 64) - 1
    # T is less than (high + 1) * 2^64. The true product exceeds w * high * 2^64 by less than 2^128, one unit of the upper 64 bits.
    claim("reading: the first product is at most one below", most << 64 < 1 << 128)
    # T is less than g + 1. The true product exceeds w * g by less than 2^64, and the cut lower half of w * low is less than 2^64.
    claim("reading: the second product is less than two below", most + most < 2 << 64)
    for format in FORMATS:
        text = source("FloatFormat.swift")
        smallest, largest = find(r"significandBits: %d,(?:.|\n)*?smallestPower: (-?\d+),\s+maximumPower: (\d+)\)" % format.significand_bits, text)
        # Half of the smallest subnormal rounds to zero, as all below. The greatest number and half a unit round to infinity.
        half = Fraction(2) ** (format.smallest - 1)
        overflow = Fraction(2) ** (format.largest + format.significand_bits + 1) - Fraction(2) ** (format.largest - 1)
        claim(f"reading: smaller powers are zero, {format.name}", Fraction(10) ** (smallest - 1) * most <= half)
        claim(f"reading: greater powers are infinite, {format.name}", Fraction(10) ** (largest + 1) >= overflow)
        claim(f"reading: the table has the powers, {format.name}", FIRST <= smallest and largest <= LAST)
    # A tie of a negative power needs a mantissa that the power of five divides, and one of a positive power a power below 2^64.
    claim("reading: 5^28 exceeds 64 bits", 5 ** 27 < 1 << 64 < 5 ** 28)


def writing_quickly():
    """The errors of the first method in ShortestDecimal.swift, in units of the comparisons, against its guard."""
    (added, limit) = find(r"difference &\+ (\d+)\) <= (\d+)", shortest)
    # The fraction has 64 bits. It is below the true one by less than the cut of the power (w < 2^64) and that of the lower half.
    claim("writing: the factor of the quick method has 64 bits", ((1 << 53) - 1) << 4 < 1 << 64)
    fraction_error = Fraction(2)
    # The last digit has 60 bits of the fraction: the error is that of the fraction, and of the cut of 4 bits.
    five_error = fraction_error / 16 + 1
    # Half a unit is a cut of the upper half of the power, whose own cut is less than one unit before a shift of at least one bit.
    half_error = Fraction(1) + Fraction(1, 2)
    # |last - 5| has an error of either sign. An integer difference outside of the guard has the sign of the true one.
    above, below = limit - added + 1, -added - 1
    claim("writing: the guard of the nearest multiple of ten", above - five_error > 0 and below + five_error + half_error <= 0,
          f"errors below {float(five_error)} and {float(half_error)}")
    claim("writing: the guard of the nearest integer", below + fraction_error < 0 < above)


# The shortest decimals. A value is c * 2^q. With k the exponent of ten, the scaled value is c * 2^q * 10^-k.

def ten_floor(binary, three_quarters):
    """Returns the exponent of the greatest power of ten that is at most 2^binary, or 3/4 of that."""
    value = Fraction(2) ** binary * (Fraction(3, 4) if three_quarters else 1)
    guess = (binary * 1233 >> 12) - 2
    while Fraction(10) ** (guess + 1) <= value:
        guess += 1
    return guess


def decimal_exponent(binary, three_quarters):
    return binary * LOG_TEN - (LOG_THREE_QUARTERS if three_quarters else 0) >> 22


def writing_exponents():
    holds, shifts, needed = True, set(), set()
    for binary in range(FORMATS[0].smallest, FORMATS[0].largest + 1):
        for three_quarters in (False, True):
            k = decimal_exponent(binary, three_quarters)
            holds = holds and k == ten_floor(binary, three_quarters)
            needed.add(-k)
            shifts.add(binary + (FACTOR * -k >> 16) + 1)
    claim("the decimal exponents of powers of two, and of 3/4 of them", holds)
    claim("the shifts of significands", shifts == set(range(1, 5)), f"{min(shifts)} to {max(shifts)}")
    claim("the table has the powers for writing", FIRST <= min(needed) and max(needed) <= LAST, f"{min(needed)} to {max(needed)}")
    # The shifted significand, four times the value and the upper end, has at most 64 bits.
    most = ((1 << 53) - 1) * 4 + 2 << max(shifts)
    claim("the factors have 64 bits", most < 1 << 64)


def first_in(a, m, low, high):
    """Returns the least x >= 0 with low <= a * x mod m <= high; None without one. By the Euclidean algorithm; 0 <= low <= high < m."""
    a %= m
    if low == 0:
        return 0
    if a == 0:
        return None
    x = -(-low // a)
    if a * x <= high:
        return x
    # No multiple of `a` is in the range. For the least x with a * x - m * y in the range, y is the least with m * y mod a in the
    # range of -high mod a to -low mod a.
    y = first_in(m, a, -high % a, -low % a)
    return None if y is None else -(-(low + m * y) // a)


def test_first_in():
    """The search is that over all values, for small numbers."""
    holds, cases = True, 0
    for modulus in range(2, 30):
        for step in range(modulus):
            for low in range(1, modulus):
                for high in range(low, modulus):
                    expected = next((x for x in range(modulus) if low <= step * x % modulus <= high), None)
                    holds = holds and first_in(step, modulus, low, high) == expected
                    cases += 1
    claim("the search by the Euclidean algorithm finds the first factor", holds, f"{cases} cases")


def rounding_to_odd():
    """The product of `RoundedUpPower` is the true one, rounded to odd, for all significands and exponents.

    The product P of a factor and the power that was rounded up is at least the true product T, and exceeds T by less than the factor,
    and thus by less than one unit of the middle 64 bits. If T is an integer, the middle bits are therefore 0. Otherwise, the result is
    right if the fraction of T and the excess are less than 1, and if the fraction is at least 2 units or the integer is odd.
    """
    for format in FORMATS:
        hidden = 1 << format.significand_bits
        upper_holds, middle_holds, cases, exceptions = True, True, 0, 0
        for binary in range(format.smallest, format.largest + 1):
            for three_quarters in (False, True):
                k = decimal_exponent(binary, three_quarters)
                entry, exact = TABLE[-k]
                shift = binary + (FACTOR * -k >> 16) + 1
                # The power of five as a ratio, with the scale of the entry.
                scale = 127 - log_two_of_five(-k)
                numerator = (5 ** -k if k <= 0 else 1) << max(scale, 0)
                denominator = (5 ** k if k > 0 else 1) << max(-scale, 0)
                assert numerator // denominator == entry
                unit = denominator << 64
                one, step = unit << 64, numerator << shift
                # Four times a significand, and that plus 2, minus 1 or minus 2. Only powers of two have a nearer neighbor.
                most = 4 * hidden + 2 if three_quarters else 4 * (2 * hidden - 1) + 2
                least = 4 * hidden - 1 if three_quarters else 1 if binary == format.smallest else 4 * hidden - 2
                excess = ((entry + (not exact)) * denominator - numerator) * (most << shift)
                upper_holds = upper_holds and 0 <= excess < unit
                if excess:
                    x = first_in(step, one, one - excess, one - 1)
                    upper_holds = upper_holds and (x is None or x > most)
                # All factors whose fraction is less than two units. The next one differs by a factor whose fraction keeps the sum there.
                x = first_in(step, one, 1, 2 * unit - 1)
                while x is not None and x <= most:
                    if x >= least:
                        exceptions += 1
                        middle_holds = middle_holds and (step * x // one) % 2 == 1
                    fraction = step * x % one
                    gaps = [one // gcd(step, one)]
                    if fraction < 2 * unit - 1:
                        gaps.append(first_in(step, one, 1, 2 * unit - 1 - fraction))
                    if fraction > 1:
                        gaps.append(first_in(step, one, one - fraction + 1, one - 1))
                    x += min(gap for gap in gaps if gap is not None)
                cases += 1
        claim(f"writing: the upper bits, over all significands, {format.name}", upper_holds, f"{cases} powers")
        claim(f"writing: an integer is known by the middle bits, {format.name}", middle_holds,
              f"{exceptions} odd integers with smaller fractions")


def log_two_of_five(exponent):
    """Returns floor(log2(5^exponent))."""
    return log_two_of_ten(exponent) - exponent


def integers():
    text = source("IntegerConversion.swift")
    (digits,) = find(r"maximumMagnitude: Int \{ (\d+) \}", text)
    (mantissa,) = find(r"mantissaDigits: Int \{ (\d+) \}", source("NumberToken.swift"))
    claim("39 digits for 128 bits", len(str((1 << 128) - 1)) == digits)
    claim("a mantissa fits in 64 bits", 10 ** mantissa - 1 < 1 << 64)
    # plainMagnitude: the mantissa times the power of at most 19 digits, plus these digits, does not wrap.
    claim("38 digits fit in 128 bits", (10 ** mantissa - 1) * 10 ** mantissa + 10 ** mantissa - 1 < 1 << 128)
    # shortMagnitude: the power of ten of the division fits.
    claim("10^19 fits in 128 bits", 10 ** mantissa < 1 << 128)
    # No power of ten above 10^19 divides a mantissa, which is not zero.
    claim("no greater power divides a mantissa", 10 ** (mantissa + 1) > 10 ** mantissa - 1)
    # A value of more than 39 digits is out of range: 10^39 is.
    claim("40 digits are beyond 128 bits", 10 ** digits > (1 << 128) - 1)


def pairs_of_digits():
    """Two digits at a time: a number times the inverse of a power of ten, rounded up, is the first digits and a fraction of 2^64. The fraction
    exceeds that of the other digits by less than a unit of the last one, so the products with 100 have these digits."""
    text = open("Sources/SluiceCore/Text/DecimalWord.swift").read()
    for name, power, limit in (("millionth", 10 ** 6, 10 ** 8), ("hundredMillionth", 10 ** 8, 10 ** 10)):
        (inverse,) = find(name + r": UInt64 \{ ([\d_]+) \}", text)
        excess = inverse * power - (1 << 64)
        claim(f"{name} is rounded up", 0 < excess < power)
        claim(f"pairs of the digits below {power:,}", (limit - 1) * excess < 1 << 64 and (limit - 1) // power < 100)


def is_quotient(divisor, factor, shift, most):
    """Whether (n * factor) >> shift is n / divisor, rounded down, for all n up to `most`, and the product has 64 bits.

    The factor times the divisor is 2^shift + e. With n = q * divisor + r, the product is 2^shift * q + e * q + factor * r.
    """
    excess = factor * divisor - (1 << shift)
    quotient = most // divisor
    return 0 <= excess and excess * quotient + factor * (divisor - 1) < 1 << shift and factor * most < 1 << 64


def eight_digits():
    """`DecimalWord.eight`: halves of 32 bits, quarters of 16 and digits of eight, all divided at once.

    A stage is right for all parts together if it is for one part, if a product has no bits outside of its part, and if a mask keeps all bits
    of the quotients, and none of the next part. The differences are remainders, so that no part borrows from the next one.
    """
    text = open("Sources/SluiceCore/Text/DecimalWord.swift").read()
    factor, shift = find(r"let upper = \(value &\* ([\d_]+)\) &>> (\d+)", text)
    find(r"let halves = upper \| \(value &- upper &\* (10_000)\) &<< 32\n", text)
    claim("eight digits: the halves", is_quotient(10 ** 4, factor, shift, 10 ** 8 - 1))
    for name, before, divisor, width, count in (("hundreds", "halves", 100, 32, 2), ("tens", "quarters", 10, 16, 4)):
        factor, shift = find(rf"let {name} = \(\({before} &\* ([\d_]+)\) &>> (\d+)\)", text)
        (mask,) = re.search(rf"let {name} = .* & (0x[\dA-F_]+)\n", text).groups()
        mask = int(mask.replace("_", ""), 16)
        # Each part is the quotient, and the remainder is stored in the upper half of the part.
        find(rf"{name} \| \({before} &- {name} &\* ({divisor})\) &<< {width // 2}\n", text)
        least, most = mask & (1 << width) - 1, divisor * divisor - 1
        claim(f"eight digits: the {name}",
              is_quotient(divisor, factor, shift, most) and factor * most < 1 << width
              and all(n * factor >> shift == n // divisor for n in range(most + 1)))
        claim(f"eight digits: the mask of the {name}",
              mask == sum(least << width * index for index in range(count)) and most // divisor <= least
              and least & least + 1 == 0 and least.bit_length() <= width - shift)


def parts_of_numbers():
    """The parts of eight digits: each is below 10^8, which the functions for digits require."""
    cursor, buffer = (open(f"Sources/SluiceCore/Text/{name}.swift").read() for name in ("OutputCursor", "OutputBuffer"))
    floats, fixed = source("OutputBuffer+Floats.swift"), source("FixedPointNumber.swift")
    eight = 10 ** 8
    divisors = [int(number.replace("_", "")) for text in (cursor, fixed) for number in re.findall(r"quotientAndRemainder\(dividingBy: ([\d_]+)\)", text)]
    claim("the first of three parts of 64 bits is below 10^8", divisors == [eight] * 4 and ((1 << 64) - 1) // eight // eight < eight)
    (base,) = find(r"let base: UInt128 = ([\d_]+)", buffer)
    find(r"eightDigits\(part / (100_000_000)\)\n\s+position\.eightDigits\(part % 100_000_000\)", buffer)
    claim("128 bits have three parts of 16 digits, of 64 bits each", base == eight * eight and (1 << 128) - 1 < base ** 3 and base < 1 << 64)
    factor, shift, back = find(r"lead = \(head &\* ([\d_]+)\) &>> (\d+)\n(?:.|\n)*?head &- lead &\* ([\d_]+)", floats)
    claim("the lead of 17 digits", back == eight and is_quotient(eight, factor, shift, (10 ** 17 - 1) // eight))


def main():
    table()
    exponents()
    reading()
    writing_exponents()
    writing_quickly()
    test_first_in()
    rounding_to_odd()
    integers()
    pairs_of_digits()
    eight_digits()
    parts_of_numbers()
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
