"""Compares the executor of the proofs with the compiled loops, on random bytes.

Usage: compare_kernels.py FOLDER VARIANT ROUNDS. The folder has the LLVM IR and a library of the same functions for this processor.
"""

import ctypes
import random
import sys

from executor import *

FOLDER, VARIANT, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3])
library = ctypes.CDLL(f"{FOLDER}/compiled.so")
units = {part: Module(f"{FOLDER}/{part}.{VARIANT}.ll") for part in ("kernels", "structure", "lines")}
generator = random.Random(7)
SPECIAL = [0, 8, 9, 10, 11, 12, 13, 31, 32, 34, 43, 45, 46, 47, 48, 49, 57, 58, 91, 92, 93, 101, 69, 102, 103, 123, 125, 127, 128,
           143, 144, 159, 160, 191, 192, 194, 223, 224, 237, 240, 244, 245, 255]


class Digits(ctypes.Structure):
    _fields_ = [("upper", ctypes.c_uint64), ("lower", ctypes.c_uint64)]


def any_bytes(count):
    style = generator.randrange(5)
    common = [lambda: 97, lambda: 48 + generator.randrange(10), lambda: generator.choice([32, 10, 9, 13]),
              lambda: generator.choice(SPECIAL), lambda: generator.randrange(256)][style]
    rare = generator.choice([2, 8, 64])
    return [generator.choice(SPECIAL) if generator.randrange(rare) == 0 else common() for _ in range(count)]


def executed(part, name, arguments, state=None):
    (outcome,) = Executor(units[part]).run(name, arguments, state or State())
    return outcome


def compare(name, expected, found, data):
    if expected != found:
        print(f"{name}: the executor has {found}, and the compiled code {expected}, for {data}")
        sys.exit(1)


def stored(outcome, region, count, fallback=0xA5):
    values = outcome.state.memory.get(region, {})
    return [values.get((0, index), fallback) for index in range(count)]


def search(name, has_high, is_end=False):
    count = generator.randrange(16, 100)
    data = any_bytes(count)
    memory = (ctypes.c_uint8 * count)(*data)
    address, high = ctypes.addressof(memory), ctypes.c_uint32(0)
    function = getattr(library, "compiled_" + name)
    function.restype = ctypes.c_void_p
    second = count if is_end else count - 16
    arguments = [ctypes.c_void_p(address), ctypes.c_void_p(address + second)] + ([ctypes.byref(high)] if has_high else [])
    expected = function(*arguments) - address
    text, output = Region("text", count, data), Region("high", 4)
    outcome = executed("kernels", "sluice_" + name, [Pointer(text), Pointer(text, second)] + ([Pointer(output)] if has_high else []))
    compare(name, expected, outcome.value.offset, data)
    if has_high:
        compare(name, high.value, join(stored(outcome, output, 4), 8), data)


def copy(name, has_other):
    count, other = generator.randrange(16, 100), generator.choice(SPECIAL)
    data = any_bytes(count)
    memory, target = (ctypes.c_uint8 * count)(*data), (ctypes.c_uint8 * count)(*[0xA5] * count)
    function = getattr(library, "compiled_" + name)
    function.restype = ctypes.c_size_t
    expected = function(memory, ctypes.c_size_t(count), target, *([ctypes.c_uint8(other)] if has_other else []))
    region = Region("copy", count)
    outcome = executed("kernels", "sluice_" + name,
                       [Pointer(Region("text", count, data)), count, Pointer(region)] + ([other] if has_other else []))
    compare(name, expected, outcome.value, data)
    compare(name, list(target), stored(outcome, region, count), data)


def number(name, size, type=ctypes.c_size_t, width=64):
    data = any_bytes(size)
    memory = (ctypes.c_uint8 * size)(*data)
    function = getattr(library, "compiled_" + name)
    function.restype = type
    expected = function(memory) & (1 << width) - 1
    compare(name, expected, executed("kernels", "sluice_" + name, [Pointer(Region("text", size, data))]).value, data)


def append():
    data, count, before = any_bytes(16), generator.randrange(17), generator.getrandbits(64)
    memory = (ctypes.c_uint8 * 16)(*data)
    function = library.compiled_append_digits
    function.restype = ctypes.c_uint64
    expected = function(ctypes.c_uint64(before), ctypes.c_void_p(ctypes.addressof(memory) + 16), ctypes.c_size_t(count))
    outcome = executed("kernels", "sluice_append_digits", [before, Pointer(Region("text", 16, data), 16), count])
    compare("append_digits", expected, known(outcome.value), (data, count, before))


def sixteen():
    upper, lower = generator.randrange(10 ** generator.randrange(1, 9)), generator.randrange(10 ** 8)
    function = library.compiled_sixteen_digits
    function.restype = Digits
    result = function(ctypes.c_uint64(upper), ctypes.c_uint64(lower))
    outcome = executed("kernels", "sluice_sixteen_digits", [upper, lower])
    compare("sixteen_digits", [result.upper, result.lower], [known(value) for value in outcome.value], (upper, lower))


def advance():
    count = generator.randrange(0, 200)
    data = [generator.choice(b'{}[]"\\ a,:') for _ in range(count)] if generator.randrange(2) else any_bytes(count)
    depth, in_string, escaped, limit = generator.randrange(4), generator.randrange(2), generator.randrange(2), generator.randrange(2)
    start = list(depth.to_bytes(8, "little")) + [in_string, escaped] + [0] * 6
    memory, structure = (ctypes.c_uint8 * max(count, 1))(*data), (ctypes.c_uint8 * 16)(*start)
    function = library.sluice_advance
    function.restype = ctypes.c_size_t
    expected = function(structure, memory, ctypes.c_size_t(count), ctypes.c_bool(limit))
    region = Region("structure", 16, start)
    name = {"sse2": "advance_sse2", "neon": "advance_neon"}[VARIANT]
    outcome = executed("structure", name, [Pointer(region), Pointer(Region("text", count, data)), count, limit])
    compare("advance", expected, outcome.value, data)
    found = [outcome.state.memory.get(region, {}).get((0, index), start[index]) for index in range(10)]
    compare("advance", list(structure)[:10], found, data)


def line_feeds():
    count = generator.randrange(600)
    data = [10 if generator.randrange(3) == 0 else byte for byte in any_bytes(count)] if generator.randrange(2) else [10] * count
    memory = (ctypes.c_uint8 * max(count, 1))(*data)
    function = library.sluice_line_feeds
    function.restype = ctypes.c_size_t
    expected = function(memory, ctypes.c_size_t(count))
    for name in ["plain_line_feeds"] + (["avx2_line_feeds"] if VARIANT == "sse2" and count >= 128 else []):
        compare(name, expected, executed("lines", name, [Pointer(Region("text", count, data)), count]).value, data)


CASES = {
    "string_end": lambda: search("string_end", True), "plain_end": lambda: search("plain_end", False),
    "space_end": lambda: search("space_end", False), "vertical_space": lambda: search("vertical_space", False, True),
    "copy_literal": lambda: copy("copy_literal", False), "copy_literal_until": lambda: copy("copy_literal_until", True),
    "copy_whole": lambda: copy("copy_whole", False),
    "digit_count": lambda: number("digit_count", 16), "number_length": lambda: number("number_length", 17),
    "long_number_length": lambda: number("long_number_length", 33),
    "hex_unit": lambda: number("hex_unit", 4, ctypes.c_int32, 32), "append_digits": append, "sixteen_digits": sixteen,
    "advance": advance, "line_feeds": line_feeds,
}

for name, case in CASES.items():
    for _ in range(ROUNDS):
        case()
print(f"The executor agrees with the compiled code: {len(CASES)} functions, {ROUNDS} random texts each.")
