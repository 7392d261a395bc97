"""Compares the executor of the proofs with the compiled loops, on random bytes.

Usage: compare_kernels.py FOLDER VARIANT ROUNDS [RUNNER...]. The folder has the LLVM IR of the variant and the program of `compiled.c`, which
the runner starts, such as qemu. A function that the processor does not have is left out.
"""

import random
import subprocess
import sys

from executor import *

FOLDER, VARIANT, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3])
PROGRAM = sys.argv[4:] + [f"{FOLDER}/compiled.{VARIANT}"]
units = {part: Module(f"{FOLDER}/{part}.{VARIANT}.ll") for part in ("kernels", "structure", "lines", "utf8")}
generator = random.Random(7)
SPECIAL = [0, 8, 9, 10, 11, 12, 13, 31, 32, 34, 43, 45, 46, 47, 48, 49, 57, 58, 91, 92, 93, 101, 69, 102, 103, 123, 125, 127, 128,
           143, 144, 159, 160, 191, 192, 194, 223, 224, 237, 240, 244, 245, 255]
# The bytes of a vector of `errors`.
WIDTH = 16 if VARIANT == "neon" else 32
# The size of `sluice_structure` without the padding.
STRUCTURE = 10


class Compiled:
    """The program with the compiled functions."""

    def __init__(self):
        self.names = subprocess.run(PROGRAM + ["list"], check=True, capture_output=True, text=True).stdout.split()
        self.process = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, name, data=(), size=0, numbers=()):
        """Returns the result of a function, and its output of some bytes."""
        numbers = " ".join(f"{number:x}" for number in (list(numbers) + [0] * 3)[:3])
        self.process.stdin.write(f"{name} {size:x} {numbers} {bytes(data).hex()}\n")
        self.process.stdin.flush()
        result, *output = self.process.stdout.readline().split()
        return int(result, 16), list(bytes.fromhex(output[0] if output else ""))


compiled = Compiled()


def any_bytes(count):
    style = generator.randrange(5)
    common = [lambda: 97, lambda: 48 + generator.randrange(10), lambda: generator.choice([32, 10, 9, 13]),
              lambda: generator.choice(SPECIAL), lambda: generator.randrange(256)][style]
    rare = generator.choice([2, 8, 64])
    return [generator.choice(SPECIAL) if generator.randrange(rare) == 0 else common() for _ in range(count)]


def any_mask():
    return generator.getrandbits(64) & (generator.getrandbits(64) if generator.randrange(2) else -1 % 2 ** 64)


def any_text():
    """Returns UTF-8, of which a byte may be wrong."""
    limits = generator.choice([[0x80], [0x80, 0x800], [0x80, 0x800, 0xD800, 0x110000]])
    text = "".join(chr(generator.randrange(generator.choice(limits))) for _ in range(generator.randrange(70)))
    data = list(text.encode(errors="surrogatepass"))
    if data and generator.randrange(2):
        data[generator.randrange(len(data))] = generator.choice(SPECIAL)
    return data[:generator.randrange(len(data) + 1)] if generator.randrange(3) == 0 else data


def executed(part, name, arguments, state=None):
    (outcome,) = Executor(units[part]).run(name, arguments, state or State())
    return outcome


def numbers_of(value):
    return [known(item) for item in value] if isinstance(value, list) else known(value)


def compare(name, expected, found, data):
    if expected != found:
        print(f"{name}: the executor has {found}, and the compiled code {expected}, for {data}")
        sys.exit(1)


def stored(outcome, region, count):
    values = outcome.state.memory.get(region, {})
    return [known(values.get((0, index), 0xA5)) for index in range(count)]


def position(outcome):
    return outcome.value.offset


def vector(data, width=16):
    """A vector is 16 bytes for NEON, and words for SSE2 and AVX2."""
    return list(data) if VARIANT == "neon" else [join(data[at:at + 8], 8) for at in range(0, width, 8)]


def search(name, has_high, is_end=False):
    count = generator.randrange(16, 100)
    data = any_bytes(count)
    expected, high = compiled(name, data, 4 * has_high)
    text, output = Region("text", count, data), Region("high", 4)
    last = Pointer(text, count if is_end else count - 16)
    outcome = executed("kernels", "sluice_" + name, [Pointer(text), last] + ([Pointer(output)] if has_high else []))
    compare(name, (expected, high), (position(outcome), stored(outcome, output, 4 * has_high)), data)


def copy(name, has_other):
    count, other = generator.randrange(16, 100), generator.choice(SPECIAL)
    data = any_bytes(count)
    expected = compiled(name, data, count, [other])
    region = Region("copy", count)
    outcome = executed("kernels", "sluice_" + name,
                       [Pointer(Region("text", count, data)), count, Pointer(region)] + ([other] if has_other else []))
    compare(name, expected, (numbers_of(outcome.value), stored(outcome, region, count)), (data, other))


def copy_plain():
    count, last, before = generator.randrange(16, 100), generator.randrange(100), generator.randrange(2)
    data = any_bytes(count)
    result, output = compiled("copy_plain", data, 4 + last + 16, [last, before])
    text, region, high, state = Region("text", count, data), Region("copy", last + 16), Region("high", 4), State()
    state.write(Pointer(high), [before, 0, 0, 0], [])
    arguments = [Pointer(text), Pointer(text, count - 16), Pointer(region), Pointer(region, last), Pointer(high)]
    outcome = executed("kernels", "sluice_copy_plain", arguments, state)
    compare("copy_plain", (result, output), (numbers_of(outcome.value), stored(outcome, high, 4) + stored(outcome, region, last + 16)), data)


def copy_prefix():
    data, count, region = any_bytes(16), generator.randrange(17), Region("out", 16)
    _, expected = compiled("copy_prefix", data, 16, [count])
    outcome = executed("kernels", "sluice_copy_prefix", [Pointer(region), Pointer(Region("text", 16, data)), count])
    compare("copy_prefix", expected, stored(outcome, region, 16), (data, count))


def put_small(name, has_other):
    data, other, region = any_bytes(16), generator.choice(SPECIAL), Region("copy", 16)
    expected = compiled(name, data, 16, [other])
    arguments = [join(data[:8], 8), join(data[8:], 8), Pointer(region)] + ([other] if has_other else [])
    outcome = executed("kernels", "sluice_" + name, arguments)
    compare(name, expected, (numbers_of(outcome.value), stored(outcome, region, 16)), (data, other))


def special(name, has_other):
    data, other = any_bytes(16), generator.choice(SPECIAL)
    expected, _ = compiled(name, data, 0, [other])
    outcome = executed("kernels", "sluice_" + name, [vector(data)] + ([other] if has_other else []))
    compare(name, expected, numbers_of(outcome.value), (data, other))


def pattern(name, has_count):
    text, count = any_bytes(32), generator.randrange(33)
    other = list(text)
    for _ in range(generator.randrange(3)):
        other[generator.randrange(32)] = generator.choice(SPECIAL)
    expected, _ = compiled(name, text + other, 0, [count])
    arguments = [Pointer(Region("text", 32, text)), Pointer(Region("pattern", 32, other))] + ([count] if has_count else [])
    compare(name, expected, numbers_of(executed("kernels", "sluice_" + name, arguments).value), (text, other, count))


def number(name, size):
    data = any_bytes(size)
    if name.endswith("number_length") and generator.randrange(2):
        spelling = generator.choice(["-", ""]) + str(generator.randrange(10 ** generator.randrange(1, 12)))
        spelling += generator.choice(["", ".", ".5", ".25"]) + generator.choice(["", "e", "E5", "e+12", "e-3"]) + generator.choice([",", "]", " ", "1"])
        data = list(spelling.encode())[:size] + data[min(len(spelling), size):]
    expected, _ = compiled(name, data)
    compare(name, expected, numbers_of(executed("kernels", "sluice_" + name, [Pointer(Region("text", size, data))]).value), data)


def append():
    data, count, before = any_bytes(16), generator.randrange(17), generator.getrandbits(64)
    expected, _ = compiled("append_digits", data, 0, [before, count])
    outcome = executed("kernels", "sluice_append_digits", [before, Pointer(Region("text", 16, data), 16), count])
    compare("append_digits", expected, numbers_of(outcome.value), (data, count, before))


def sixteen():
    upper, lower = generator.randrange(10 ** generator.randrange(1, 9)), generator.randrange(10 ** 8)
    _, digits = compiled("sixteen_digits", (), 16, [upper, lower])
    outcome = executed("kernels", "sluice_sixteen_digits", [upper, lower])
    compare("sixteen_digits", [join(digits[:8], 8), join(digits[8:], 8)], numbers_of(outcome.value), (upper, lower))


def line_feeds(name):
    count = generator.randrange(128 if name == "avx2_line_feeds" else 0, 600)
    data = [10 if generator.randrange(3) == 0 else byte for byte in any_bytes(count)] if generator.randrange(2) else [10] * count
    expected, _ = compiled(name, data)
    compare(name, expected, numbers_of(executed("lines", name, [Pointer(Region("text", count, data)), count]).value), data)


def any_structure():
    depth = generator.randrange(4)
    return list(depth.to_bytes(8, "little")) + [generator.randrange(2), generator.randrange(2)]


def masks(name):
    data, region = any_bytes(64), Region("masks", 32)
    _, expected = compiled(name, data, 32)
    outcome = executed("structure", name, [Pointer(region), Pointer(Region("text", 64, data))])
    compare(name, expected, stored(outcome, region, 32), data)


def parities():
    mask = any_mask()
    compare("parities", compiled("parities", (), 0, [mask])[0], numbers_of(executed("structure", "parities", [mask]).value), mask)


def escaped():
    count, before, flag, state = generator.randrange(1, 65), generator.randrange(2), Region("is_escaped", 1), State()
    mask = any_mask() & (1 << count) - 1
    expected = compiled("escaped_bytes", (), 1, [mask, count, before])
    state.write(Pointer(flag), [before], [])
    outcome = executed("structure", "escaped_bytes", [mask, count, Pointer(flag)], state)
    compare("escaped_bytes", expected, (numbers_of(outcome.value), stored(outcome, flag, 1)), (mask, count, before))


def advance_block():
    start, count, limit, state = any_structure(), generator.randrange(1, 65), generator.randrange(2), State()
    words = [any_mask() & any_mask() & (1 << count) - 1 for _ in range(4)]
    # A byte is one of the four characters at most.
    words = [word & ~(sum(1 << at for at in range(64) if any(other >> at & 1 for other in words[:index]))) for index, word in enumerate(words)]
    data = [byte for word in words for byte in word.to_bytes(8, "little")]
    result, output = compiled("advance_block", start + data, STRUCTURE + 1, [count, limit])
    structure, stops = Region("structure", 16, start + [0] * 6), Region("stops", 1, [0])
    outcome = executed("structure", "advance_block",
                       [Pointer(structure), Pointer(Region("block", 32, data)), count, limit, Pointer(stops)])
    found = structure_of(outcome, structure, start) + [known(outcome.state.memory.get(stops, {}).get((0, 0), 0))]
    compare("advance_block", (result, output), (numbers_of(outcome.value), found), (start, words, count, limit))


def structure_of(outcome, region, start):
    values = outcome.state.memory.get(region, {})
    return [known(values.get((0, index), start[index])) for index in range(STRUCTURE)]


def advance(name):
    count, start, limit = generator.randrange(0, 200), any_structure(), generator.randrange(2)
    data = [generator.choice(b'{}[]"\\ a,:') for _ in range(count)] if generator.randrange(2) else any_bytes(count)
    expected = compiled(name, start + data, STRUCTURE, [limit])
    region = Region("structure", 16, start + [0] * 6)
    outcome = executed("structure", name, [Pointer(region), Pointer(Region("text", count, data)), count, limit])
    compare(name, expected, (numbers_of(outcome.value), structure_of(outcome, region, start)), (start, data, limit))


def errors():
    data = (any_text() + any_bytes(2 * WIDTH))[:2 * WIDTH]
    current, previous = data[WIDTH:], data[:WIDTH]
    _, expected = compiled("errors", current + previous, WIDTH)
    arguments = [current, previous] if VARIANT == "neon" else [
        Pointer(Region("bytes", 32, current)), Pointer(Region("previous", 32, previous))]
    lanes = numbers_of(executed("utf8", "errors", arguments).value)
    found = lanes if VARIANT == "neon" else [byte for word in lanes for byte in split(word, 8, 8)]
    compare("errors", expected, found, data)


def utf8(name, is_short):
    data = any_text()[:31 if is_short else 200]
    count = len(data)
    # The short function reads 32 bytes.
    text = data + any_bytes(32 - count) if is_short else data
    expected, _ = compiled(name, text, 0, [count])
    function = ("sluice_" if VARIANT == "neon" else "") + name + ("" if VARIANT == "neon" else "_avx2")
    outcome = executed("utf8", function, [Pointer(Region("text", len(text), text)), count])
    compare(name, expected, numbers_of(outcome.value), (text, count))


CASES = {
    "string_end": lambda: search("string_end", True), "plain_end": lambda: search("plain_end", False),
    "space_end": lambda: search("space_end", False), "vertical_space": lambda: search("vertical_space", False, True),
    "copy_plain": copy_plain, "copy_literal": lambda: copy("copy_literal", False),
    "copy_literal_until": lambda: copy("copy_literal_until", True), "copy_whole": lambda: copy("copy_whole", False),
    "copy_prefix": copy_prefix, "put_small": lambda: put_small("put_small", False),
    "put_small_until": lambda: put_small("put_small_until", True), "special_bytes": lambda: special("special_bytes", False),
    "special_bytes_and": lambda: special("special_bytes_and", True), "differences": lambda: pattern("differences", False),
    "is_equal": lambda: pattern("is_equal", True), "digit_count": lambda: number("digit_count", 16),
    "other_bytes": lambda: number("other_bytes", 16), "other_bytes_of_32": lambda: number("other_bytes_of_32", 32),
    "number_length": lambda: number("number_length", 17), "long_number_length": lambda: number("long_number_length", 33),
    "hex_unit": lambda: number("hex_unit", 4), "append_digits": append, "sixteen_digits": sixteen,
    "plain_line_feeds": lambda: line_feeds("plain_line_feeds"), "avx2_line_feeds": lambda: line_feeds("avx2_line_feeds"),
    "parities": parities, "escaped_bytes": escaped, "advance_block": advance_block,
    "errors": errors, "is_utf8": lambda: utf8("is_utf8", False), "is_short_utf8": lambda: utf8("is_short_utf8", True),
}
for suffix in ("sse2", "avx2", "neon", "plain"):
    CASES[f"{suffix}_masks"] = lambda suffix=suffix: masks(f"{suffix}_masks")
    CASES[f"advance_{suffix}"] = lambda suffix=suffix: advance(f"advance_{suffix}")

# `Scripts/kernels.sh prove` runs this function for all numbers.
names = [name for name in compiled.names if name != "first_wrong_digits"]
for name in names:
    for _ in range(ROUNDS):
        CASES[name]()
print(f"{VARIANT}: the executor agrees with the compiled code of {len(names)} functions, {ROUNDS} random inputs each.")
