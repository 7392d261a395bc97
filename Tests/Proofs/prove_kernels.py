"""Proves that the loops in Sources/CKernels have the results of definitions that look at one byte after another.

Usage: prove_kernels.py FOLDER [NAME…]. The folder has the LLVM IR of the sources, and receives nothing. Exits with 1 if a claim fails.
"""

import platform
import subprocess
import sys
import time
import traceback

import z3

from executor import *

FOLDER = sys.argv[1]
CHOSEN = set(sys.argv[2:])
LIMIT = 300_000
modules = {}


def module(part, variant):
    key = f"{FOLDER}/{part}.{variant}.ll"
    if key not in modules:
        modules[key] = Module(key)
    return modules[key]


class Claims:
    """The claims about one function, each of which is proved alone."""

    def __init__(self, assumptions=()):
        self.assumptions = list(assumptions)
        self.count = 0
        self.failed = False
        # Whether the claims have other numbers than bit-vectors.
        self.is_mixed = False

    def prove(self, claim, path=(), note=""):
        self.count += 1
        if isinstance(claim, bool):
            if claim:
                return True
            claim = z3.BoolVal(False)
        solver = z3.Solver() if self.is_mixed else z3.SolverFor("QF_BV")
        solver.set("timeout", LIMIT)
        solver.add(*self.assumptions, *path, z3.Not(claim))
        result = solver.check()
        if result == z3.unsat:
            return True
        self.failed = True
        print(f"  NOT PROVED ({result}): {note}")
        if result == z3.sat:
            model = solver.model()
            print("   ", ", ".join(f"{name} = {model[name]}" for name in sorted(model.decls(), key=str)[:60]))
        return False

    def add(self, claims, executor=None):
        """Adds claims about one length, with those about the memory and the results of an execution."""
        if executor is not None:
            claims.bounds(executor)
            claims.obligations(executor)
        self.count += claims.count
        self.failed = self.failed or claims.failed

    def obligations(self, executor):
        """No operation of the IR has a result that is undefined."""
        for path, condition, note in executor.obligations:
            if not z3.is_true(z3.simplify(condition)):
                self.prove(condition, path, f"no undefined result: {note}")
        executor.obligations = []

    def bounds(self, executor):
        """All accesses of memory with a known size are in that memory."""
        for path, region, pointer, size, kind in executor.accesses:
            if region.size is None:
                continue
            distance = pointer.distance()
            if isinstance(distance, int):
                self.prove(0 <= pointer.offset and pointer.offset + size <= region.size, path, f"{kind} in {region.name}")
            elif region.size < size:
                self.prove(z3.BoolVal(False), path, f"{kind} in {region.name}")
            else:
                self.prove(z3.ULE(distance, region.size - size), path, f"{kind} in {region.name}")


PROOFS = []


def proof(*variants):
    """Declares the proof of a function for instruction sets."""
    def add(function):
        PROOFS.append((function, variants))
        return function
    return add


# Definitions for one byte.

def is_special(byte):
    return z3.Or(byte == 0x22, byte == 0x5C, z3.ULT(byte, 0x20))


def is_high(byte):
    return z3.UGE(byte, 0x80)


def is_white(byte):
    return z3.Or(byte == 0x20, byte == 0x0A, byte == 0x09, byte == 0x0D)


def is_digit(byte):
    return z3.And(z3.UGE(byte, 0x30), z3.ULE(byte, 0x39))


def is_vertical(byte):
    return z3.Or(byte == 0x0B, byte == 0x0C)


def first(conditions, width=64):
    """Returns the index of the first true condition, or the number of conditions."""
    result = z3.BitVecVal(len(conditions), width)
    for index in reversed(range(len(conditions))):
        result = z3.If(conditions[index], z3.BitVecVal(index, width), result)
    return result


def any_before(conditions, end):
    """Whether a condition before an index is true."""
    return z3.Or([z3.And(z3.UGT(end, index), condition) for index, condition in enumerate(conditions)])


def symbols(name, count, width=8):
    return [z3.BitVec(f"{name}{index}", width) for index in range(count)]


def block_of(region, symbol, count):
    return [bits(region.initial(symbol, index), 8) for index in range(count)]


def loops(module, name):
    """Returns the first blocks of loops, in the order of the text."""
    blocks = module.functions[name][2]
    order, result = list(blocks), []
    for index, label in enumerate(order):
        for target in re.findall(r"label (%[\w.]+)", blocks[label][-1]):
            if target in order[:index + 1] and target not in result:
                result.append(target)
    return sorted(result, key=order.index)


def is_undefined(value):
    if isinstance(value, Pointer):
        return value.region.name.startswith("undefined")
    return not isinstance(value, (int, list)) and z3.is_const(value) and str(value).startswith("undefined")


def memory_word(state, pointer, size):
    return join([bits(byte, 8) for byte in state.read(pointer, size, None, [])], 8)


def in_range(*values):
    """Addresses are far from the ends of the address space."""
    return [z3.And(value > -(1 << 40), value < 1 << 40) for value in values]


# The searches, by induction over the blocks: the loop begins with a cursor at any multiple of 16, and `found` for the blocks before.

def search(variant, name, stops, is_guarded=True, has_high=False):
    unit = module("kernels", variant)
    text, output = Region("text"), Region("high", 4)
    distance, place, ghost = z3.BitVec("last", 64), z3.BitVec("place", 64), z3.Bool("a high byte before")
    claims = Claims(in_range(distance) + [place >= 0, place < 1 << 40, place & 15 == 0])
    (header,) = loops(unit, name)
    executor = Executor(unit, cuts=[(name, header)])
    arguments = [Pointer(text), Pointer(text, 0, distance)] + ([Pointer(output)] if has_high else [])
    started = None
    for outcome in executor.run(name, arguments, State()):
        path = outcome.state.path
        if outcome.kind == "return":
            claims.prove(z3.And(distance < 0, z3.BoolVal(outcome.value.distance() == 0)), path, "without a block")
            if has_high:
                claims.prove(memory_word(outcome.state, Pointer(output), 4) == 0, path, "high without a block")
            continue
        started = outcome
        if is_guarded:
            claims.prove(distance >= 0, path, "the first block is not beyond the last")
        for value in outcome.value.values():
            if is_undefined(value):
                continue
            if isinstance(value, Pointer):
                claims.prove(value.distance() == 0, path, "the first block")
            else:
                claims.prove(value == 0 if isinstance(value, int) else value == [0] * 16, path, "no high byte at first")
    claims.prove(all(access[1] is output for access in executor.accesses), note="the text is not read before the loop")
    claims.bounds(executor)
    # A step.
    values, conditions = {}, []
    for target, value in started.value.items():
        if is_undefined(value):
            values[target] = value
        elif isinstance(value, Pointer):
            values[target] = Pointer(text, 0, place)
        elif isinstance(value, list):
            values[target] = symbols("seen", 16)
            conditions.append(z3.Or([is_high(lane) for lane in values[target]]) == ghost)
        else:
            values[target] = z3.BitVec("seen", 32)
            conditions.append((values[target] != 0) == ghost)
    conditions.append(place <= distance if is_guarded else z3.Or(place == 0, place <= distance))
    executor.accesses = []
    outcomes = executor.resume(name, header, started.env, State(path=conditions), values)
    block = block_of(text, place, 16)
    found = first([stops(byte) for byte in block])
    high_now = z3.Or(ghost, any_before([is_high(byte) for byte in block], found))
    for outcome in outcomes:
        path = outcome.state.path
        if outcome.kind == "return":
            claims.prove(z3.If(found == 16, place + 16 > distance, z3.BoolVal(True)), path, "ends too early")
            claims.prove(outcome.value.distance() == place + found, path, "the end")
            if has_high:
                claims.prove((memory_word(outcome.state, Pointer(output), 4) != 0) == high_now, path, "high")
        else:
            claims.prove(z3.And(found == 16, place + 16 <= distance), path, "goes on")
            for value in outcome.value.values():
                if is_undefined(value):
                    continue
                if isinstance(value, Pointer):
                    claims.prove(value.distance() == place + 16, path, "the next block")
                elif isinstance(value, list):
                    claims.prove(z3.Or([is_high(lane) for lane in value]) == high_now, path, "the high bytes so far")
                else:
                    claims.prove((value != 0) == high_now, path, "the high bytes so far")
    for path, region, pointer, size, kind in executor.accesses:
        if region is text:
            claims.prove(kind == "read" and z3.eq(pointer.symbol, place) and 0 <= pointer.offset and pointer.offset + size <= 16,
                         path, "reads one block")
    claims.bounds(executor)
    claims.obligations(executor)
    return claims


@proof("sse2", "neon")
def string_end(variant):
    return search(variant, "sluice_string_end", is_special, has_high=True)


@proof("sse2", "neon")
def plain_end(variant):
    return search(variant, "sluice_plain_end", lambda byte: z3.Or(is_special(byte), is_high(byte)), is_guarded=False)


@proof("sse2", "neon")
def space_end(variant):
    return search(variant, "sluice_space_end", lambda byte: z3.Not(is_white(byte)))


@proof("sse2", "neon")
def copy_plain(variant):
    unit, name = module("kernels", variant), "sluice_copy_plain"
    text, copy, output = Region("text"), Region("copy"), Region("high", 4)
    last, to_last, place = (z3.BitVec(label, 64) for label in ("last", "to_last", "place"))
    ghost, before = z3.Bool("a high byte before"), z3.BitVec("high before", 32)
    claims = Claims(in_range(last, to_last) + [place >= 0, place < 1 << 40, place & 15 == 0])
    (header,) = loops(unit, name)
    executor = Executor(unit, cuts=[(name, header)])

    def start(word, path):
        state = State(path=path)
        state.write(Pointer(output), unit.bytes_of(word, ("i", 32)), [])
        return state

    may_go = z3.And(last >= 0, to_last >= 0)
    arguments = [Pointer(text), Pointer(text, 0, last), Pointer(copy), Pointer(copy, 0, to_last), Pointer(output)]
    started, keeps_in_memory = None, True
    for outcome in executor.run(name, arguments, start(before, [])):
        path = outcome.state.path
        high = memory_word(outcome.state, Pointer(output), 4)
        claims.prove((high != 0) == (before != 0), path, "high without a block")
        if outcome.kind == "return":
            claims.prove(z3.And(z3.Not(may_go), bits(outcome.value, 64) == 0), path, "without a block")
            continue
        started = outcome
        claims.prove(may_go, path, "the first block may be read and written")
        for value in outcome.value.values():
            if isinstance(value, list):
                keeps_in_memory = False
            if not is_undefined(value):
                claims.prove(value == [0] * 16 if isinstance(value, list) else value == 0, path, "the first block")
    claims.bounds(executor)
    values, conditions = {}, [z3.And(place <= last, place <= to_last)]
    for target, value in started.value.items():
        if is_undefined(value):
            values[target] = value
        elif isinstance(value, list):
            values[target] = symbols("seen", 16)
            conditions.append(z3.Or([is_high(lane) for lane in values[target]]) == ghost)
        else:
            values[target] = place
    now = before
    if keeps_in_memory:
        now = z3.BitVec("high now", 32)
        conditions.append((now != 0) == z3.Or(before != 0, ghost))
    executor.accesses = []
    outcomes = executor.resume(name, header, started.env, start(now, conditions), values)
    block = block_of(text, place, 16)
    found = first([is_special(byte) for byte in block])
    seen = any_before([is_high(byte) for byte in block], found)
    for outcome in outcomes:
        path = outcome.state.path
        stored = outcome.state.memory.get(copy, {})
        key = place.get_id()
        claims.prove(set(stored) == {(key, index) for index in range(16)}, path, "writes one block")
        for index in range(16):
            claims.prove(stored[(key, index)] == block[index], path, "the copy")
        high = memory_word(outcome.state, Pointer(output), 4)
        if outcome.kind == "return":
            claims.prove(z3.Implies(found == 16, z3.Or(place + 16 > last, place + 16 > to_last)), path, "ends too early")
            claims.prove(bits(outcome.value, 64) == place + found, path, "the count")
            claims.prove((high != 0) == z3.Or(before != 0, ghost, seen), path, "high")
            continue
        claims.prove(z3.And(found == 16, place + 16 <= last, place + 16 <= to_last), path, "goes on")
        if keeps_in_memory:
            claims.prove((high != 0) == z3.Or(before != 0, ghost, seen), path, "the high bytes so far")
        else:
            claims.prove(high == before, path, "high is not written")
        for value in outcome.value.values():
            if is_undefined(value):
                continue
            if isinstance(value, list):
                claims.prove(z3.Or([is_high(lane) for lane in value]) == z3.Or(ghost, seen), path, "the high bytes so far")
            else:
                claims.prove(value == place + 16, path, "the next block")
    for path, region, pointer, size, kind in executor.accesses:
        if region in (text, copy):
            claims.prove((kind == "read") == (region is text) and z3.eq(pointer.symbol, place) and pointer.offset >= 0
                         and pointer.offset + size <= 16, path, "accesses one block")
    claims.bounds(executor)
    claims.obligations(executor)
    return claims


@proof("sse2", "neon", "portable")
def vertical_space(variant):
    unit, name = module("kernels", variant), "sluice_vertical_space"
    text, end, place = Region("text"), z3.BitVec("end", 64), z3.BitVec("place", 64)
    claims = Claims(in_range(end) + [end >= 0, place >= 0, place <= end])
    headers = loops(unit, name)
    claims.prove(len(headers) == (1 if variant == "portable" else 2), note="the loops")
    executor = Executor(unit, cuts=[(name, header) for header in headers])
    block = block_of(text, place, 32)

    def consumed(pointer, path, note):
        """The bytes from `place` to a pointer are others."""
        step = pointer.distance() - place
        claims.prove(z3.And(step >= 0, step <= 32, pointer.distance() <= end,
                            z3.Not(any_before([is_vertical(byte) for byte in block], step))), path, note)
        return step

    def finish(outcome, start):
        path, result = outcome.state.path, outcome.value.distance()
        if start is None:
            claims.prove(z3.And(end == 0, bits(result, 64) == 0), path, "an empty text")
            return
        step = result - place
        claims.prove(z3.Or(result == end, z3.Or([z3.And(step == index, is_vertical(byte)) for index, byte in enumerate(block)])),
                     path, "the position")
        # Either the rest of the text was read, byte by byte, or the position is in the block.
        claims.prove(z3.Implies(step <= 32, z3.Not(any_before([is_vertical(byte) for byte in block], step))), path, "no byte before")
        claims.prove(z3.Implies(result == end, step <= 32), path, "the end is near")

    arrivals = []
    for outcome in executor.run(name, [Pointer(text), Pointer(text, 0, end)], State()):
        if outcome.kind == "return":
            finish(outcome, None)
            continue
        (pointer,) = [value for value in outcome.value.values() if not is_undefined(value)]
        claims.prove(pointer.distance() == 0, outcome.state.path, "the first byte")
        condition = end >= 32 if outcome.block == headers[0] and len(headers) == 2 else end > 0
        claims.prove(condition, outcome.state.path, "a block at first")
        arrivals.append((outcome, None))
    claims.prove(not executor.accesses, note="no access before the loops")
    done = set()
    while arrivals:
        arrival, origin = arrivals.pop()
        is_vector = arrival.block == headers[0] and len(headers) == 2
        # The values before a loop are those of the first arrival, or symbols in the step that leads to the loop.
        if (arrival.block, origin) in done:
            continue
        done.add((arrival.block, origin))
        values = {target: Pointer(text, 0, place) for target in arrival.value}
        outside = z3.BitVec("before the loop", 64)
        env = {key: value for key, value in arrival.env.items()}
        if not is_vector and origin is not None:
            # The values that depend on the place of the step before are those of another place.
            change = lambda value: z3.simplify(z3.substitute(value, (place, outside))) if z3.is_bv(value) else value
            env = {key: Pointer(value.region, value.offset, change(value.symbol) if value.symbol is not None else None)
                   if isinstance(value, Pointer) else change(value) if z3.is_bv(value) else value for key, value in env.items()}
        executor.accesses = []
        condition = end - place >= 32 if is_vector else place < end
        for outcome in executor.resume(name, arrival.block, env, State(path=[condition]), values):
            if outcome.kind == "return":
                finish(outcome, arrival)
                continue
            (pointer,) = [value for value in outcome.value.values() if not is_undefined(value)]
            consumed(pointer, outcome.state.path, "the bytes before")
            next_vector = outcome.block == headers[0] and len(headers) == 2
            claims.prove(end - pointer.distance() >= 32 if next_vector else pointer.distance() < end, outcome.state.path, "goes on")
            if outcome.block != arrival.block:
                arrivals.append((outcome, arrival.block + str(pointer.offset)))
        for path, region, pointer, size, kind in executor.accesses:
            claims.prove(kind == "read" and z3.eq(pointer.symbol, place) and 0 <= pointer.offset, path, "reads the text")
            claims.prove(pointer.distance() + size <= end, path, "reads before the end")
    claims.obligations(executor)
    return claims


# Functions without loops, or with loops of constant length.

def straight(variant, name, arguments, check, assumptions=(), part="kernels", state=None, contracts=None):
    """Proves claims about each return of a function."""
    unit = module(part, variant)
    claims = Claims(assumptions)
    executor = Executor(unit, contracts)
    state = state or State()
    state.path = list(assumptions)
    for outcome in executor.run(name, arguments, state):
        check(claims, outcome.value, outcome.state)
    claims.bounds(executor)
    claims.obligations(executor)
    return claims


def mask_of(conditions, step, width):
    """Returns a number with a bit, at the position of the condition times `step`, for each true condition."""
    result = z3.BitVecVal(0, width)
    for index, condition in enumerate(conditions):
        result |= z3.If(condition, z3.BitVecVal(1 << index * step, width), z3.BitVecVal(0, width))
    return result


def vector_of(data, variant):
    """Returns a vector argument, which SSE2 has as two words and NEON as 16 bytes."""
    return data if variant == "neon" else [join(data[:8], 8), join(data[8:], 8)]


@proof("sse2", "neon")
def special_bytes(variant):
    data = symbols("byte", 16)
    conditions = [is_special(byte) for byte in data]
    expected = mask_of(conditions, 1, 32) if variant == "sse2" else 15 * mask_of(conditions, 4, 64)
    return straight(variant, "sluice_special_bytes", [vector_of(data, variant)],
                    lambda claims, value, state: claims.prove(value == expected, state.path, "the mask"))


@proof("sse2", "neon")
def special_bytes_and(variant):
    data, other = symbols("byte", 16), z3.BitVec("other", 8)
    conditions = [z3.Or(is_special(byte), byte == other) for byte in data]
    expected = mask_of(conditions, 1, 32) if variant == "sse2" else 15 * mask_of(conditions, 4, 64)
    return straight(variant, "sluice_special_bytes_and", [vector_of(data, variant), other],
                    lambda claims, value, state: claims.prove(value == expected, state.path, "the mask"))


def small(variant, name, other):
    data, copy = symbols("byte", 16), Region("copy", 16)
    stops = [z3.Or(is_special(byte), byte == other) if other is not None else is_special(byte) for byte in data]
    end = first(stops, 32)

    def check(claims, value, state):
        claims.prove(value == z3.If(end == 16, z3.BitVecVal(32, 32), end), state.path, "the index")
        for index in range(16):
            claims.prove(state.memory[copy][(0, index)] == data[index], state.path, "the copy")

    arguments = [join(data[:8], 8), join(data[8:], 8), Pointer(copy)] + ([other] if other is not None else [])
    return straight(variant, name, arguments, check)


@proof("sse2", "neon")
def put_small(variant):
    return small(variant, "sluice_put_small", None)


@proof("sse2", "neon")
def put_small_until(variant):
    return small(variant, "sluice_put_small_until", z3.BitVec("other", 8))


@proof("sse2")
def differences(variant):
    a, b = symbols("a", 32), symbols("b", 32)
    expected = mask_of([x != y for x, y in zip(a, b)], 1, 32)
    return straight(variant, "sluice_differences", [Pointer(Region("text", 32, a)), Pointer(Region("pattern", 32, b))],
                    lambda claims, value, state: claims.prove(value == expected, state.path, "the mask"))


@proof("neon")
def is_equal(variant):
    a, b, count = symbols("a", 32), symbols("b", 32), z3.BitVec("count", 64)
    expected = z3.Not(any_before([x != y for x, y in zip(a, b)], count))
    return straight(variant, "sluice_is_equal", [Pointer(Region("text", 32, a)), Pointer(Region("pattern", 32, b)), count],
                    lambda claims, value, state: claims.prove((value != 0) == expected, state.path, "the result"),
                    [z3.ULE(count, 32)])


@proof("sse2", "neon")
def copy_prefix(variant):
    data, count, out = symbols("byte", 16), z3.BitVec("count", 64), Region("out", 16)

    def check(claims, value, state):
        for index in range(16):
            expected = z3.If(z3.UGT(count, index), data[index], z3.BitVecVal(0, 8))
            claims.prove(state.memory[out][(0, index)] == expected, state.path, "the copy")

    return straight(variant, "sluice_copy_prefix", [Pointer(out), Pointer(Region("text", 16, data)), count], check,
                    [z3.ULE(count, 16)])


@proof("sse2", "neon", "portable")
def hex_unit(variant):
    data = symbols("digit", 4)

    def digit(byte):
        wide = z3.ZeroExt(24, byte)
        return z3.If(is_digit(byte), wide - 0x30,
                     z3.If(z3.And(z3.UGE(byte, 0x41), z3.ULE(byte, 0x46)), wide - 55,
                           z3.If(z3.And(z3.UGE(byte, 0x61), z3.ULE(byte, 0x66)), wide - 87, z3.BitVecVal(-1, 32))))

    values = [digit(byte) for byte in data]
    expected = ((values[0] * 16 + values[1]) * 16 + values[2]) * 16 + values[3]
    invalid = z3.Or([value == -1 for value in values])
    return straight(variant, "sluice_hex_unit", [Pointer(Region("digits", 4, data))],
                    lambda claims, value, state: claims.prove(z3.If(invalid, value < 0, value == expected), state.path, "the unit"))


@proof("sse2", "neon")
def digit_count(variant):
    data = symbols("byte", 16)
    expected = first([z3.Not(is_digit(byte)) for byte in data])
    return straight(variant, "sluice_digit_count", [Pointer(Region("text", 16, data))],
                    lambda claims, value, state: claims.prove(value == expected, state.path, "the count"))


def others(variant, name, count, step):
    data = symbols("byte", count)
    expected = mask_of([z3.Not(is_digit(byte)) for byte in data], step, 64)
    return straight(variant, name, [Pointer(Region("text", count, data))],
                    lambda claims, value, state: claims.prove(value == expected, state.path, "the mask"))


@proof("sse2", "neon")
def other_bytes(variant):
    return others(variant, "sluice_other_bytes", 16, 1 if variant == "sse2" else 4)


@proof("sse2", "neon")
def other_bytes_of_32(variant):
    return others(variant, "sluice_other_bytes_of_32", 32, 1)


def number_of_bytes(data):
    """Returns the length of the number, by the grammar of RFC 8259, byte by byte; 0 if the bytes end first, or are malformed.

    The first byte is a minus sign or a digit. Other first bytes are outside of the claim.
    """
    names = ["start", "minus", "zero", "whole", "point", "fraction", "letter", "sign", "digits"]
    state = [z3.BoolVal(name == "start") for name in names]
    result, done = z3.BitVecVal(0, 64), z3.BoolVal(False)
    for index, byte in enumerate(data):
        at = dict(zip(names, state))
        zero, digit = byte == 0x30, is_digit(byte)
        is_letter, is_sign = z3.Or(byte == 0x65, byte == 0x45), z3.Or(byte == 0x2B, byte == 0x2D)
        following = {
            "minus": z3.And(at["start"], byte == 0x2D),
            "zero": z3.And(z3.Or(at["start"], at["minus"]), zero),
            "whole": z3.Or(z3.And(z3.Or(at["start"], at["minus"]), digit, z3.Not(zero)), z3.And(at["whole"], digit)),
            "point": z3.And(z3.Or(at["zero"], at["whole"]), byte == 0x2E),
            "fraction": z3.And(z3.Or(at["point"], at["fraction"]), digit),
            "letter": z3.And(z3.Or(at["zero"], at["whole"], at["fraction"]), is_letter),
            "sign": z3.And(at["letter"], is_sign),
            "digits": z3.And(z3.Or(at["letter"], at["sign"], at["digits"]), digit),
            "start": z3.BoolVal(False),
        }
        goes_on = z3.Or(list(following.values()))
        accepts = z3.Or(at["zero"], at["whole"], at["fraction"], at["digits"])
        # A zero that another digit follows is malformed.
        ends = z3.And(accepts, z3.Not(goes_on), z3.Not(z3.And(at["zero"], digit)))
        result = z3.If(z3.And(z3.Not(done), ends), z3.BitVecVal(index, 64), result)
        done = z3.Or(done, z3.Not(goes_on))
        state = [following[name] for name in names]
    return result


def number(variant, name, count):
    data = symbols("byte", count)
    sign = data[0] == 0x2D
    # The number must end within the bytes after the sign: `count - 1` of them.
    expected = z3.If(sign, number_of_bytes(data), number_of_bytes(data[:-1]))
    return straight(variant, name, [Pointer(Region("text", count, data))],
                    lambda claims, value, state: claims.prove(value == expected, state.path, "the length"),
                    [z3.Or(sign, is_digit(data[0]))])


@proof("sse2", "neon")
def number_length(variant):
    return number(variant, "sluice_number_length", 17)


@proof("sse2", "neon")
def long_number_length(variant):
    """By cases: the number has a sign or not, and each position of the first byte after the sign that is not a digit."""
    whole = Claims()
    for has_sign in (0, 1):
        for place in range(33):
            # The digits before the place have the upper half of a digit.
            count = max(place, 1 - has_sign)
            halves = symbols("digit", count, 4)
            digits = [z3.Concat(z3.BitVecVal(3, 4), half) for half in halves]
            data = [z3.BitVecVal(0x2D, 8)] * has_sign + digits
            data += symbols("byte", 33 - len(data))
            text, following = Region("text", 33, data), data[has_sign:][:32]
            assumptions = [z3.ULE(half, 9) for half in halves] + [z3.Not(is_digit(byte)) for byte in following[place:place + 1]]
            expected = number_of_bytes(data if has_sign else data[:-1])

            def other_bytes(executor, values, state):
                # The claim of `other_bytes_of_32`. The first bits are those of the case.
                state.read(values[0], 32, None, executor.accesses)
                assert values[0].region is text and values[0].distance() == has_sign
                others = [bit(z3.Not(is_digit(byte))) for byte in following[place + 1:]]
                mask = [0] * place + [1] * (place < 32) + others + [0] * 32
                return [Outcome("return", state, known(join(mask, 1)))]

            claims = straight(variant, "sluice_long_number_length", [Pointer(text)],
                              lambda claims, value, state: claims.prove(value == expected, state.path, "the length"),
                              assumptions, contracts={"sluice_other_bytes_of_32": other_bytes})
            whole.add(claims)
    return whole


@proof("sse2", "neon")
def append_digits(variant):
    """For each count of digits, with the number before as a symbol, in stages: pairs, fours and eights of digits.

    A stage is proved for any values of the stage before, which are then symbols within the range that was proved. No stage wraps, so
    that the stages together are the sum of the digits times their powers of ten, as integers.
    """
    unit, whole = module("kernels", variant), Claims()
    data, before = symbols("byte", 16), z3.BitVec("number", 64)
    text = Region("text", 16, data)
    for count in range(17):
        digits = [z3.BitVecVal(0, 8)] * (16 - count) + [byte & 15 for byte in data[16 - count:]]
        claims = Claims([is_digit(byte) for byte in data[16 - count:]])
        values = [digits]

        def stage(lanes, weight):
            """Proves that lanes are combinations of two values, and returns symbols for them."""
            width, last = lanes[0].size(), values[-1]
            limit = weight * weight - 1
            result = [unit.fresh(width, "stage") for _ in range(len(last) // 2)]
            for lane, high, low in zip(lanes, last[::2], last[1::2]):
                high, low = (z3.ZeroExt(width - value.size(), value) if value.size() < width else value for value in (high, low))
                claims.prove(z3.And(lane == high * weight + low, z3.ULE(lane, limit)), note=f"{count} digits, times {weight}")
            claims.assumptions += [z3.ULE(lane, limit) for lane in result]
            values.append(result)
            return result

        def multiplied(a, b):
            """The intrinsic of SSE2, whose factors are pairs, and then fours."""
            if len(values) == 1:
                a = stage([bits(lane, 16) for lane in a], 10)
            weight = 100 if len(values) == 2 else 10000
            # Only half of the last factors are used.
            lanes = executor.intrinsic_of("llvm.x86.sse2.pmadd.wd", a, b)
            used = lanes[:len(values[-1]) // 2]
            return stage(used, weight) + lanes[len(used):]

        executor = Executor(unit)
        executor.intrinsic_of = lambda name, a, b: Executor(unit).intrinsic(
            name, [("vector", len(a), ("i", 16))] * 2, [a, b], State())
        executor.opaque = {"llvm.x86.sse2.pmadd.wd": multiplied}
        for kind, weight in (("v8i16.v16i8", 10), ("v4i32.v8i16", 100), ("v2i64.v4i32", 10000)):
            def added(a, weight=weight, kind=kind):
                width = bits(a[0], 8 if weight == 10 else 16 if weight == 100 else 32).size()
                lanes = [binary("add", extend(a[2 * index], width, 2 * width), extend(a[2 * index + 1], width, 2 * width), 2 * width)
                         for index in range(len(a) // 2)]
                return stage([bits(lane, 2 * width) for lane in lanes], weight)
            executor.opaque["llvm.aarch64.neon.uaddlp." + kind] = added
        (outcome,) = executor.run("sluice_append_digits", [before, Pointer(text, 16), count], State())
        claims.prove(len(values) == 4, note="three stages")
        upper, lower = (z3.ZeroExt(64 - value.size(), value) if value.size() < 64 else value for value in values[-1][:2])
        claims.prove(outcome.value == before * 10 ** count + upper * 100000000 + lower, outcome.state.path, f"{count} digits")
        whole.add(claims, executor)
    return whole


def literal(variant, name, other):
    """All lengths from 16 to 64."""
    unit, whole = module("kernels", variant), Claims()
    for count in range(16, 65):
        data = symbols("byte", count)
        text, copy = Region("text", count, data), Region("copy", count)
        stops = [z3.Or(is_special(byte), byte == other) if other is not None else is_special(byte) for byte in data]
        end = first(stops)
        claims, executor = Claims(), Executor(unit)
        executor.forks_selections = True
        arguments = [Pointer(text), count, Pointer(copy)] + ([other] if other is not None else [])
        for outcome in executor.run(name, arguments, State()):
            path, stored = outcome.state.path, outcome.state.memory[copy]
            claims.prove(bits(outcome.value, 64) == end, path, f"the count of {count}")
            # Whole blocks are written. The bytes that are not written are behind the end.
            written = {offset for _, offset in stored}
            claims.prove(z3.ULE(end, min(set(range(count + 1)) - written)), path, "all bytes before the end are written")
            claims.prove(z3.And([stored[(0, index)] == data[index] for index in written]), path, "the copy")
        whole.add(claims, executor)
    return whole


@proof("sse2", "neon")
def copy_literal(variant):
    return literal(variant, "sluice_copy_literal", None)


@proof("sse2", "neon")
def copy_literal_until(variant):
    return literal(variant, "sluice_copy_literal_until", z3.BitVec("other", 8))


@proof("sse2", "neon")
def copy_whole(variant):
    """All lengths from 16 to 64."""
    unit, whole = module("kernels", variant), Claims()
    for count in range(16, 65):
        data = symbols("byte", count)
        text, copy = Region("text", count, data), Region("copy", count)
        is_plain = z3.Not(z3.Or([is_special(byte) for byte in data]))
        claims, executor = Claims(), Executor(unit)
        executor.forks_selections = True
        for outcome in executor.run("sluice_copy_whole", [Pointer(text), count, Pointer(copy)], State()):
            path, stored = outcome.state.path, outcome.state.memory[copy]
            claims.prove((bits(outcome.value, 32) != 0) == is_plain, path, f"the result for a count of {count}")
            written = {offset for _, offset in stored}
            claims.prove(written == set(range(count)), path, "all bytes are written")
            claims.prove(z3.And([stored[(0, index)] == data[index] for index in written]), path, "the copy")
        whole.add(claims, executor)
    return whole


def free_symbols(value):
    """Returns the names of the symbols in a simplified value."""
    names, seen, rest = set(), set(), [z3.simplify(value)]
    while rest:
        part = rest.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        rest += part.children()
        if z3.is_const(part) and part.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            names.add(str(part))
    return names


def executed_sixteen_digits(variant):
    """Each word depends on one number, and the compiled code has the digits of all numbers."""
    claims = Claims()
    (outcome,) = Executor(module("kernels", variant)).run(
        "sluice_sixteen_digits", [z3.BitVec("upper", 64), z3.BitVec("lower", 64)], State())
    for name, word in zip(("upper", "lower"), outcome.value):
        claims.prove(free_symbols(word) == {name}, note=f"the {name} word depends on the {name} number alone")
    answer = subprocess.run([f"{FOLDER}/compiled.sse2"], input="first_wrong_digits 0 0 0 0\n", check=True, capture_output=True, text=True)
    claims.prove(int(answer.stdout, 16) == 10 ** 8, note="the digits of all numbers")
    return claims


def divided_sixteen_digits(variant):
    """In stages: each lane is divided into a quotient and a remainder, which are symbols in the next stage.

    A quotient q and a remainder r of a lane n are proved to be below the divisor d, with n = q d + r. The weight of a lane is that of its
    lowest digit: that of a quotient is the weight of n times d.

    The first division is of n = 10000 q + r by a multiplication with m = (2^40 + e) / 10000. The product is 2^40 q + e q + m r, whose bits
    from the 40th on are q if e q + m r has fewer bits. That is a claim about integers.
    """
    unit, (thousands, ones) = module("kernels", variant), (symbols("quotient", 2, 64), symbols("rest", 2, 64))
    numbers = [10000 * high + low for high, low in zip(thousands, ones)]
    claims = Claims([z3.ULT(value, 10000) for value in thousands + ones])
    lanes, divisors = [(number, index, 1) for index, number in enumerate(numbers)], [10000, 100, 10]

    def stage(quotients, rests, shift):
        """Replaces the instruction that inserts the remainders above the quotients."""
        nonlocal lanes
        divisor, parts, result = divisors.pop(0), [], []
        for (value, index, weight), quotient, rest in zip(lanes, quotients, rests, strict=True):
            width = 2 * shift
            lane = binary("or", binary("and", quotient, (1 << shift) - 1, width), binary("shl", rest, shift, width), width)
            low, high = (z3.ZeroExt(shift, part) for part in split(lane, shift, 2))
            value = z3.ZeroExt(width - value.size(), value) if value.size() < width else value
            claims.prove(z3.And(z3.ULT(low, divisor), z3.ULT(high, divisor), value == low * divisor + high),
                         note=f"divided by {divisor}")
            inserted = [unit.fresh(shift, "quotient"), unit.fresh(shift, "rest")]
            parts += [(inserted[0], index, weight * divisor), (inserted[1], index, weight)]
            result.append(join(inserted, shift))
        claims.assumptions += [z3.ULT(part, divisor) for part, _, _ in parts]
        lanes = parts
        return result

    products = []

    def multiplied(a, b):
        """The product with m, and the product of the quotients with 10000."""
        products.append(b)
        (factor,) = set(b)
        if len(products) == 1:
            excess = 10000 * factor - (1 << 40)
            claims.prove(0 <= excess and 9999 * excess + 9999 * factor < 1 << 40, note="the bits below the quotient")
            claims.prove(10 ** 8 * factor < 1 << 64, note="the product")
            for lane, number in zip(a, numbers, strict=True):
                claims.prove(z3.ZeroExt(32, lane) == number, note="a number")
            return [z3.Concat(z3.Extract(23, 0, value), unit.fresh(40, "below")) for value in thousands]
        for lane, value in zip(a, thousands, strict=True):
            claims.prove(z3.ZeroExt(32, lane) == value, note="a quotient")
        return [value * factor for value in thousands]

    executor = Executor(unit)
    executor.opaque = {f"llvm.aarch64.neon.vsli.{type}": stage for type in ("v2i64", "v4i32", "v8i16")}
    executor.opaque["llvm.aarch64.neon.umull.v2i64"] = multiplied
    (outcome,) = executor.run("sluice_sixteen_digits", numbers, State())
    claims.prove(not divisors and len(products) == 2, note="three stages")
    for number, word in enumerate(outcome.value):
        for place, byte in enumerate(split(word, 8, 8)):
            digit = next(value for value, index, weight in lanes if (index, weight) == (number, 10 ** (7 - place)))
            claims.prove(byte == digit, note=f"digit {place}")
    claims.obligations(executor)
    return claims


# The program has the code for this processor.
@proof(*(["sse2"] if platform.machine() == "x86_64" else []), "neon")
def sixteen_digits(variant):
    return executed_sixteen_digits(variant) if variant == "sse2" else divided_sixteen_digits(variant)


# The line feeds. The number of line feeds in a text, up to a position, is the definition: each byte adds one or nothing.

def feed(byte, width):
    return z3.If(byte == 0x0A, z3.BitVecVal(1, width), z3.BitVecVal(0, width))


def text_accesses(claims, executor, text, end):
    """All accesses read the text before its end."""
    for path, region, pointer, size, kind in executor.accesses:
        distance = pointer.distance()
        claims.prove(kind == "read" and region is text, path, "reads the text")
        claims.prove(z3.And(distance >= 0, distance + size <= end), path, "reads within the text")


@proof("sse2", "neon", "portable")
def plain_line_feeds(variant):
    """By induction over the bytes of a block of at most 240 bytes, and over the blocks.

    `total` is the number of line feeds before `place`, the start of a block, and `sum` that of the `index` bytes from there on.
    """
    unit, name = module("lines", variant), "plain_line_feeds"
    text = Region("text")
    end, place, index, total = (z3.BitVec(label, 64) for label in ("end", "place", "index", "total"))
    part = z3.BitVec("sum", 8)
    claims = Claims(in_range(end) + [end >= 0])
    # A block behind a loop, to which the loop jumps back in the text, has no values of its own.
    outer, inner = (header for header in loops(unit, name) if " = phi " in unit.functions[name][2][header][0])
    executor = Executor(unit, cuts=[(name, outer), (name, inner)])
    length = z3.If(end - place < 240, end - place, z3.BitVecVal(240, 64))

    def check_block(outcome, start, before, note):
        """Checks the start of a block, and the values of the outer loop by their types."""
        path = outcome.state.path
        (pointer,) = [value for value in outcome.value.values() if isinstance(value, Pointer)]
        count, rest = [value for value in outcome.value.values() if not isinstance(value, Pointer)]
        claims.prove(z3.And(pointer.distance() == start, bits(count, 64) == before, bits(rest, 64) == end - start, start < end), path, note)

    started = None
    for outcome in executor.run(name, [Pointer(text), end], State()):
        if outcome.kind == "return":
            claims.prove(z3.And(end == 0, bits(outcome.value, 64) == 0), outcome.state.path, "an empty text")
            continue
        claims.prove(outcome.block == outer, note="the first block")
        check_block(outcome, z3.BitVecVal(0, 64), 0, "the first block")
        started = outcome
    # The loop of the blocks.
    targets = list(started.value)
    pointers = [target for target in targets if isinstance(started.value[target], Pointer)]
    count, rest = [target for target in targets if target not in pointers]
    claims.prove(len(pointers) == 1 and len(targets) == 3, note="the values of a block")
    values = {pointers[0]: Pointer(text, 0, place), count: total, rest: end - place}
    conditions = [place >= 0, place < end]
    (block,) = executor.resume(name, outer, started.env, State(path=list(conditions)), values)
    claims.prove(block.kind == "loop" and block.block == inner and set(block.value.values()) == {0}, note="the first byte")
    claims.prove(not executor.accesses, note="no access before a byte")
    # The loop of the bytes.
    types = {line.split(" = phi ")[0]: line.split(" = phi ")[1].split()[0]
             for line in unit.functions[name][2][inner] if " = phi " in line}
    values = {target: part if types[target] == "i8" else index for target in block.value}
    claims.prove(sorted(types.values()) == ["i64", "i8"], note="the values of a byte")
    conditions += [index >= 0, index < length, z3.ULE(z3.ZeroExt(56, part), index)]
    for outcome in executor.resume(name, inner, block.env, State(path=list(conditions)), values):
        path = outcome.state.path
        (pointer,) = [access[2] for access in executor.accesses]
        claims.prove(pointer.distance() == place + index, path, "the byte")
        byte = bits(text.initial(pointer.symbol, pointer.offset), 8)
        now = z3.ZeroExt(56, part) + feed(byte, 64)
        if outcome.kind == "return":
            claims.prove(z3.And(place + index + 1 == end, bits(outcome.value, 64) == total + now), path, "the result")
        elif outcome.block == outer:
            claims.prove(z3.And(index + 1 == length, z3.BoolVal(True)), path, "the end of a block")
            check_block(outcome, place + length, total + now, "the next block")
        else:
            for target, value in outcome.value.items():
                expected = now if types[target] == "i8" else index + 1
                claims.prove(z3.ZeroExt(64 - value.size(), value) == expected if value.size() < 64 else value == expected, path, "the next byte")
            claims.prove(z3.And(index + 1 < length, z3.ULE(now, index + 1)), path, "goes on")
    text_accesses(claims, executor, text, end)
    claims.obligations(executor)
    return claims


@proof("sse2")
def avx2_line_feeds(variant):
    """By induction over the steps of 128 bytes, and over the blocks of at most 63 steps.

    A lane counts the line feeds at every 32nd position. The four numbers of `totals` are those of eight lanes each, before `place`, the
    start of a block. `sums` are those of the lanes from there to `at`, after `done` steps. The lanes together have every byte.
    """
    unit, name = module("lines", variant), "avx2_line_feeds"
    text = Region("text")
    end, place, at, done, rest = (z3.BitVec(label, 64) for label in ("end", "place", "at", "done", "rest"))
    totals, sums = symbols("total", 4, 64), symbols("sum", 32)
    claims = Claims(in_range(end) + [end >= 128])
    outer, inner = loops(unit, name)

    def plain(executor, values, state):
        # The claim of `plain_line_feeds`: the number of line feeds in the rest.
        claims.prove(z3.And(values[0].distance() == place + 128 * steps, bits(values[1], 64) == end - place - 128 * steps),
                     state.path, "the rest")
        claims.prove(z3.BoolVal(values[0].region is text), note="the rest of the text")
        return [Outcome("return", state, rest)]

    executor = Executor(unit, {"plain_line_feeds": plain}, cuts=[(name, outer), (name, inner)])
    steps = z3.If((end - place) / 128 < 63, (end - place) / 128, z3.BitVecVal(63, 64))

    def check_block(outcome, start, expected, note):
        path, found = outcome.state.path, list(outcome.value.values())
        (pointer,) = [value for value in found if isinstance(value, Pointer)]
        (counts,) = [value for value in found if isinstance(value, list)]
        (remaining,) = [value for value in found if not isinstance(value, (list, Pointer))]
        claims.prove(z3.And(pointer.distance() == start, bits(remaining, 64) == end - start, end - start >= 128), path, note)
        claims.prove(len(counts) == 4, note="four numbers")
        for count, wanted in zip(counts, expected):
            claims.prove(bits(count, 64) == wanted, path, f"{note}: the numbers")

    (started,) = executor.run(name, [Pointer(text), end], State())
    claims.prove(started.kind == "loop" and started.block == outer, note="the first block")
    check_block(started, z3.BitVecVal(0, 64), [0] * 4, "the first block")
    values = {target: Pointer(text, 0, place) if isinstance(value, Pointer) else totals if isinstance(value, list) else end - place
              for target, value in started.value.items()}
    conditions = [place >= 0, end - place >= 128]
    (block,) = executor.resume(name, outer, started.env, State(path=list(conditions)), values)
    claims.prove(block.kind == "loop" and block.block == inner, note="the first step")
    for value in block.value.values():
        if isinstance(value, Pointer):
            claims.prove(value.distance() == place, block.state.path, "the first step")
        elif isinstance(value, list):
            claims.prove(value == [0] * 32, note="no line feeds at first")
        else:
            claims.prove(bits(value, 64) == steps, block.state.path, "the number of steps")
    claims.prove(not executor.accesses, note="no access before a step")
    values = {target: Pointer(text, 0, at) if isinstance(value, Pointer) else sums if isinstance(value, list) else steps - done
              for target, value in block.value.items()}
    wide = [z3.ZeroExt(56, value) for value in sums]
    conditions += [at == place + 128 * done, done >= 0, done < steps] + [z3.ULE(value, 4 * done) for value in wide]
    data = block_of(text, at, 128)
    now = [value + sum(feed(byte, 64) for byte in data[lane::32]) for lane, value in enumerate(wide)]
    blocks = symbols("block", 4, 64)

    def added(a, b):
        """The sums of eight lanes each, which are symbols in the claims that follow."""
        claims.prove(len(a) == 32 and b == [0] * 32, note="the sums of the lanes")
        for lane, count in zip(a, now):
            claims.prove(z3.ZeroExt(56, lane) == count, conditions, "the line feeds of a lane")
        return blocks

    executor.opaque["llvm.x86.avx2.psad.bw"] = added
    expected = [total + block for total, block in zip(totals, blocks)]
    for outcome in executor.resume(name, inner, block.env, State(path=list(conditions)), values):
        path = outcome.state.path
        if outcome.kind == "return":
            claims.prove(done + 1 == steps, path, "the end of the last block")
            claims.prove(outcome.value == sum(expected) + rest, path, "the result")
        elif outcome.block == outer:
            claims.prove(done + 1 == steps, path, "the end of a block")
            check_block(outcome, at + 128, expected, "the next block")
        else:
            claims.prove(done + 1 < steps, path, "goes on")
            for value in outcome.value.values():
                if isinstance(value, Pointer):
                    claims.prove(value.distance() == at + 128, path, "the next step")
                elif isinstance(value, list):
                    for lane, count in zip(value, now, strict=True):
                        claims.prove(z3.And(z3.ZeroExt(56, lane) == count, z3.ULE(count, 4 * done + 4)), path, "the line feeds of a lane")
                else:
                    claims.prove(value == steps - done - 1, path, "one step less")
    text_accesses(claims, executor, text, end)
    claims.obligations(executor)
    return claims


# The nesting.

def masks(variant, name):
    data, result = symbols("byte", 64), Region("masks", 32)
    wanted = [[byte == 0x22 for byte in data], [byte == 0x5C for byte in data],
              [z3.Or(byte == 0x7B, byte == 0x5B) for byte in data], [z3.Or(byte == 0x7D, byte == 0x5D) for byte in data]]

    def check(claims, value, state):
        for index, conditions in enumerate(wanted):
            claims.prove(memory_word(state, Pointer(result, 8 * index), 8) == mask_of(conditions, 1, 64), state.path, f"mask {index}")

    return straight(variant, name, [Pointer(result), Pointer(Region("text", 64, data))], check, part="structure")


@proof("sse2", "neon", "portable")
def block_masks(variant):
    return masks(variant, {"sse2": "sse2_masks", "neon": "neon_masks", "portable": "plain_masks"}[variant])


@proof("sse2")
def avx2_block_masks(variant):
    return masks(variant, "avx2_masks")


@proof("sse2", "neon", "portable")
def parities(variant):
    quotes = z3.BitVec("quotes", 64)
    expected, odd = [], z3.BitVecVal(0, 1)
    for index in range(64):
        odd = odd ^ z3.Extract(index, index, quotes)
        expected.append(odd)
    return straight(variant, "parities", [quotes],
                    lambda claims, value, state: claims.prove(value == join(expected, 1), state.path, "the parities"), part="structure")


@proof("sse2", "neon", "portable")
def escaped_bytes(variant):
    """By induction over the backslashes that begin an escape.

    `escaped` is the definition, the only solution of: bit 0 is the state before, and bit i + 1 is set if bit i of the backslashes is
    set and bit i is not. `below` has the bits before a position, up to which the loop has come.
    """
    unit, name = module("structure", variant), "escaped_bytes"
    backslashes, count, escaped, below = (z3.BitVec(label, 64) for label in ("backslashes", "count", "escaped", "below"))
    before = z3.BitVec("before", 8)
    definition = escaped == ((backslashes & ~escaped) << 1 | z3.ZeroExt(56, before))
    # The mask of a block has no bits beyond its bytes.
    claims = Claims([definition, z3.ULE(before, 1), z3.UGE(count, 1), z3.ULE(count, 64),
                     z3.LShR(backslashes, count - 1) <= 1, z3.LShR(backslashes, count - 1) >= 0,
                     z3.Or(count == 64, z3.LShR(backslashes, count) == 0)])
    flag = Region("is_escaped", 1)
    (header,) = loops(unit, name)
    executor = Executor(unit, cuts=[(name, header)])
    last = z3.LShR(backslashes & ~escaped, count - 1) & 1

    def finish(outcome):
        claims.prove(outcome.value == escaped, outcome.state.path, "the escaped bytes")
        claims.prove(z3.ZeroExt(56, bits(outcome.state.memory[flag][(0, 0)], 8)) == last, outcome.state.path, "the byte after")

    started = None
    state = State()
    state.write(Pointer(flag), [before], [])
    for outcome in executor.run(name, [backslashes, count, Pointer(flag)], state):
        if outcome.kind == "return":
            finish(outcome)
            continue
        started = outcome
    targets = list(started.value)
    # The values of the loop: the escaped bytes so far, and the rest.
    claims.prove(len(targets) == 2, note="the values of the loop")
    so_far, rest = z3.BitVec("so far", 64), z3.BitVec("rest", 64)

    def relation(a, b, mask):
        # Up to a position, the escaped bytes are those of the definition, and no later one is set. The rest is that of the
        # backslashes from the position on, except an escaped one at the position.
        step = mask + 1
        return z3.And(mask & step == 0, a == escaped & (mask << 1 | 1), b == backslashes & ~mask & ~(escaped & step), b != 0)

    claims.prove(relation(*[bits(value, 64) for value in started.value.values()], z3.BitVecVal(0, 64)), started.state.path, "at first")
    step_state = started.state.copy()
    step_state.path = [relation(so_far, rest, below)]
    step_state.memory[flag] = {(0, 0): started.state.memory[flag][(0, 0)]}
    claims.prove(bits(step_state.memory[flag][(0, 0)], 8) == 0, started.state.path, "the flag in the loop")
    lowest = rest & -rest
    following = lowest | lowest - 1
    for outcome in executor.resume(name, header, started.env, step_state, dict(zip(targets, [so_far, rest]))):
        if outcome.kind == "return":
            finish(outcome)
        else:
            a, b = outcome.value.values()
            claims.prove(relation(a, b, following), outcome.state.path, "after a backslash")
            claims.prove(z3.UGT(rest, b), outcome.state.path, "terminates")
    claims.bounds(executor)
    claims.obligations(executor)
    return claims


@proof("sse2", "neon", "portable")
def advance_block(variant):
    """With the contracts of `escaped_bytes` and `parities`, and the number of bits as an unknown function with proved properties.

    The definition goes from bracket to bracket: outside of strings, an opening one increments the depth, and a closing one decrements
    the depth. The first after which the depth is below the limit is the end.
    """
    unit, name = module("structure", variant), "advance_block"
    ones = z3.Function("ones", z3.BitVecSort(64), z3.BitVecSort(64))
    quotes, backslashes, opening, closing, count, limit, depth = (
        z3.BitVec(label, 64) for label in ("quotes", "backslashes", "opening", "closing", "count", "limit", "depth"))
    in_string, is_escaped = z3.BitVec("in string", 8), z3.BitVec("is escaped", 8)
    escaped = z3.BitVec("escaped", 64)
    after = z3.BitVec("escaped after", 8)
    real_quotes = quotes & ~escaped
    strings = z3.BitVec("strings", 64)
    structure, block, stops = Region("structure", 16), Region("block", 32), Region("stops", 1)
    called = []

    def contract_escaped(executor, values, state):
        claims.prove(z3.And(bits(values[0], 64) == backslashes, bits(values[1], 64) == count), state.path, "the arguments of escaped_bytes")
        claims.prove(bits(state.read(values[2], 1, None, [])[0], 8) == is_escaped, state.path, "the state for escaped_bytes")
        state.write(values[2], [after], executor.accesses)
        return [Outcome("return", state, escaped)]

    def contract_parities(executor, values, state):
        claims.prove(bits(values[0], 64) == real_quotes, state.path, "the argument of parities")
        # `strings` is defined as the parities of the quotes, all inverted if the block begins in a string.
        return [Outcome("return", state, strings ^ (0 - z3.ZeroExt(56, in_string)))]

    outside = ~strings
    op, cl = opening & outside, closing & outside
    claims = Claims([
        z3.ULE(in_string, 1), z3.ULE(is_escaped, 1), z3.ULE(after, 1), depth > -(1 << 60), depth < 1 << 60,
        z3.Or(limit == 0, limit == 1), opening & closing == 0,
        # The definition of the escaped bytes, without a backslash: see escaped_bytes.
        z3.Implies(backslashes == 0, z3.And(escaped == z3.ZeroExt(56, is_escaped), after == 0)),
        # Properties of the number of bits, which are proved in `bit_counts`.
        z3.ULE(ones(op), 64), z3.ULE(ones(cl), 64),
    ])
    (header,) = loops(unit, name)
    executor = Executor(unit, {"escaped_bytes": contract_escaped, "parities": contract_parities}, [(name, header)],
                        {"llvm.ctpop.i64": lambda value: ones(value)})
    for index, word in enumerate([quotes, backslashes, opening, closing]):
        for lane, byte in enumerate(unit.bytes_of(word, ("i", 64))):
            block.first[(0, 8 * index + lane)] = byte
    state = State()
    padding = symbols("padding", 6)
    state.write(Pointer(structure), unit.bytes_of(depth, ("i", 64)) + [in_string, is_escaped] + padding, [])
    state.write(Pointer(stops), [0], [])
    arguments = [Pointer(structure), Pointer(block), count, limit, Pointer(stops)]

    def whole_block(outcome, note, path):
        memory = outcome.state
        claims.prove(bits(outcome.value, 64) == count, path, note + ": the count")
        claims.prove(memory_word(memory, Pointer(structure), 8) == depth + ones(op) - ones(cl), path, note + ": the depth")
        claims.prove(bits(memory.memory[structure][(0, 8)], 8) == z3.Extract(7, 0, z3.LShR(strings, 63)), path, note + ": the string")
        claims.prove(bits(memory.memory[structure][(0, 9)], 8) == after, path, note + ": the escape")
        claims.prove(bits(memory.memory[stops][(0, 0)], 8) == 0, path, note + ": no stop")

    arrivals = []
    for outcome in executor.run(name, arguments, state):
        path = outcome.state.path
        if outcome.kind == "loop":
            arrivals.append(outcome)
            continue
        # Without a bracket, or with fewer closing brackets than could reach the limit: see `bit_counts`.
        claims.prove(z3.Or(op | cl == 0, depth - ones(cl) >= limit), path, "no bracket can be below the limit")
        whole_block(outcome, "without the loop", path)
    # A step. The ones so far are those of the brackets that are not in the rest.
    rest, level = z3.BitVec("rest", 64), z3.BitVec("level", 64)
    all_brackets = op | cl
    low = rest & -rest

    def invariant(level, rest):
        """The rest has all brackets from a position on."""
        done = all_brackets & ~rest
        return [rest != 0, rest & ~all_brackets == 0, z3.ULT(done, rest & -rest),
                level == depth + ones(op & ~rest) - ones(cl & ~rest)]

    claims.prove(len(arrivals) >= 1, note="the loop")
    for arrival in arrivals:
        roles = [target for target, value in arrival.value.items() if not is_undefined(value)]
        claims.prove(len(roles) == 2, note="the values of the loop")
        found_level, found_rest = (arrival.value[role] for role in roles)
        nothing = [ones(op & ~all_brackets) == 0, ones(cl & ~all_brackets) == 0]
        claims.prove(z3.And(invariant(found_level, found_rest)), arrival.state.path + nothing, "at first")
        # One more bracket is one more bit.
        left = rest & (rest - 1)
        steps = [
            z3.Implies(op & low != 0, z3.And(ones(op & ~left) == ones(op & ~rest) + 1, ones(cl & ~left) == ones(cl & ~rest))),
            z3.Implies(op & low == 0, z3.And(ones(op & ~left) == ones(op & ~rest), ones(cl & ~left) == ones(cl & ~rest) + 1)),
            z3.ULE(ones(op & ~rest), 63), z3.ULE(ones(cl & ~rest), 63), z3.ULE(ones(op & ~left), 64), z3.ULE(ones(cl & ~left), 64),
            z3.Implies(left == 0, z3.And(ones(op & ~left) == ones(op), ones(cl & ~left) == ones(cl))),
        ]
        state = arrival.state.copy()
        # The path so far is about the values before the loop, and remains true.
        state.path = arrival.state.path + invariant(level, rest) + steps
        next_level = z3.If(op & low != 0, level + 1, level - 1)
        below_limit = z3.And(op & low == 0, level - 1 < limit)
        values = dict(arrival.value)
        values.update(dict(zip(roles, [level, rest])))
        for outcome in executor.resume(name, header, arrival.env, state, values):
            path = outcome.state.path
            if outcome.kind == "loop":
                a, b = (outcome.value[role] for role in roles)
                claims.prove(z3.And(invariant(a, b) + [z3.Not(below_limit), b == left, a == next_level]), path, "after a bracket")
                continue
            stored = bits(outcome.state.memory[stops][(0, 0)], 8)
            claims.prove((stored == 1) == below_limit, path, "stops at the limit")
            claims.prove(z3.ULE(stored, 1), path, "the flag")
            if claims_hold(claims, below_limit, path):
                claims.prove(low == z3.BitVecVal(1, 64) << (bits(outcome.value, 64) - 1), path, "the position")
                claims.prove(z3.ULE(bits(outcome.value, 64) - 1, 63), path, "the position is in the block")
                claims.prove(memory_word(outcome.state, Pointer(structure), 8) == level - 1, path, "the depth of the stop")
                claims.prove(memory_word(outcome.state, Pointer(structure, 8), 2) == 0, path, "no string, no escape")
            else:
                claims.prove(z3.And(left == 0, z3.Not(below_limit)), path, "the last bracket")
                whole_block(outcome, "after the loop", path)
    claims.bounds(executor)
    claims.obligations(executor)
    return claims


def claims_hold(claims, condition, path):
    """Whether a condition is true on a path, which is no claim."""
    solver = z3.Solver()
    solver.add(*claims.assumptions, *path, z3.Not(condition))
    return solver.check() == z3.unsat


@proof("definition")
def bit_counts(variant):
    """The properties of the number of bits that `advance_block` uses, with bits as integers of 0 or 1."""
    claims = Claims()
    claims.is_mixed = True
    o, c = z3.IntVector("o", 64), z3.IntVector("c", 64)
    claims.assumptions = [z3.And(bit >= 0, bit <= 1) for bit in o + c]
    depth, limit = z3.Ints("depth limit")
    # If all closing brackets together do not reach the limit, no beginning of the block does.
    for end in range(65):
        claims.prove(z3.Implies(depth - z3.Sum(c) >= limit, depth + z3.Sum(o[:end]) - z3.Sum(c[:end]) >= limit), note="no stop")
    claims.prove(z3.And(z3.Sum(o) >= 0, z3.Sum(o) <= 64), note="the range")
    # One bit more is one more; no bit is none. The intrinsic is the sum of the bits.
    word = z3.BitVec("word", 64)
    total = count_ones(word, 64)
    serial = z3.Sum([z3.ZeroExt(58, z3.Extract(index, index, word)) for index in range(64)])
    claims.prove(z3.substitute(total, (word, z3.BitVecVal(0, 64))) == 0, note="no bit")
    return claims


def advance(variant, name, masks_name):
    """All counts up to two blocks and a part of a third, with contracts for the masks and for `advance_block`."""
    unit, whole = module("structure", variant), Claims()
    for count in range(0, 194):
        claims = Claims()
        text = Region("text", count)
        structure = Region("structure", 16)
        limit = z3.BitVec("limit", 64)
        log = []

        def contract_masks(executor, values, state):
            # The identity of the masks is that of their 64 bytes.
            data = state.read(values[1], 64, None, executor.accesses)
            words = [unit.fresh(64, "mask") for _ in range(4)]
            log.append((words, data))
            state.write(values[0], [byte for word in words for byte in unit.bytes_of(word, ("i", 64))], executor.accesses)
            return [Outcome("return", state)]

        def contract_block(executor, values, state):
            is_stop, length = unit.fresh(1, "stop"), unit.fresh(64, "length")
            words = values[1]
            if isinstance(words, Pointer):
                words = [known(join(state.read(Pointer(words.region, words.offset + 8 * index), 8, None, []), 8)) for index in range(4)]
            results = []
            for stop in (0, 1):
                branch = state.copy()
                size = values[2]
                branch.path.append(is_stop == stop)
                # Without a stop, the whole block is passed over, which the result tells.
                result = size if not stop else length
                if stop:
                    branch.path += [z3.UGE(length, 1), z3.ULE(length, bits(size, 64))]
                    branch.write(values[4], [1], executor.accesses)
                branch.calls = getattr(state, "calls", []) + [(words, size, values[3], stop, result)]
                results.append(Outcome("return", branch, result))
            return results

        original = State.copy

        def copy(self):
            result = original(self)
            result.calls = list(getattr(self, "calls", []))
            return result

        State.copy = copy
        executor = Executor(unit, {masks_name: contract_masks, "advance_block": contract_block})
        outcomes = executor.run(name, [Pointer(structure), Pointer(text), count, limit], State())
        State.copy = original
        for outcome in outcomes:
            path, position = outcome.state.path, 0
            stopped = False
            calls = getattr(outcome.state, "calls", [])
            for words, size, bound, stop, result in calls:
                claims.prove(not stopped, path, "no call after a stop")
                matching = [data for known_words, data in log if all(z3.eq(bits(a, 64), b) for a, b in zip(words, known_words))]
                claims.prove(len(matching) == 1, path, "the masks are those of one block")
                wanted = min(64, count - position)
                claims.prove(known(size) == wanted, path, "the size of the block")
                claims.prove(bound is limit, path, "the limit")
                for index in range(64):
                    expected = text.initial(None, position + index) if index < wanted else 0
                    byte = matching[0][index]
                    claims.prove(byte is expected or (isinstance(byte, int) and byte == expected) or z3.eq(bits(byte, 8), bits(expected, 8)),
                                 path, f"byte {index} of the block at {position}")
                stopped = stop == 1
                claims.prove(bits(outcome.value, 64) == position + result if stopped else z3.BoolVal(True), path, "the result of a stop")
                position += wanted
            if not stopped:
                claims.prove(position == count and known(outcome.value) == count, path, "all bytes")
            claims.prove(structure not in outcome.state.memory, path, "only advance_block changes the state")
        whole.add(claims, executor)
    return whole


@proof("sse2", "neon", "portable")
def advance_text(variant):
    suffix = {"sse2": "sse2", "neon": "neon", "portable": "plain"}[variant]
    return advance(variant, f"advance_{suffix}", f"{suffix}_masks")


@proof("sse2")
def advance_text_avx2(variant):
    return advance(variant, "advance_avx2", "avx2_masks")


# UTF-8. The states of the definition: 0 between characters; 1, 2 and 3 continuations of any value; after E0, ED, F0 and F4, whose next
# continuation is limited; and the error. The table is that of RFC 3629, section 4.

ERROR = 8


def utf8_step(state, byte):
    def between(low, high):
        return z3.And(z3.UGE(byte, low), z3.ULE(byte, high))

    def to(number):
        return z3.BitVecVal(number, 4)

    lead = z3.If(z3.ULT(byte, 0x80), to(0),
           z3.If(between(0xC2, 0xDF), to(1),
           z3.If(byte == 0xE0, to(4),
           z3.If(byte == 0xED, to(5),
           z3.If(between(0xE1, 0xEF), to(2),
           z3.If(byte == 0xF0, to(6),
           z3.If(byte == 0xF4, to(7),
           z3.If(between(0xF1, 0xF3), to(3), to(ERROR)))))))))
    cases = [(0, lead)]
    for number, low, high, following in [(1, 0x80, 0xBF, 0), (2, 0x80, 0xBF, 1), (3, 0x80, 0xBF, 2), (4, 0xA0, 0xBF, 1),
                                         (5, 0x80, 0x9F, 1), (6, 0x90, 0xBF, 2), (7, 0x80, 0x8F, 2)]:
        cases.append((number, z3.If(between(low, high), to(following), to(ERROR))))
    result = to(ERROR)
    for number, following in cases:
        result = z3.If(state == number, following, result)
    return result


@proof("sse2", "neon")
def utf8_errors(variant):
    """Each lane of a block is the same function of a byte and the three bytes before, and that function finds the errors.

    The invariant, after any number of bytes: if a lane so far is not zero, the bytes have an error. If all lanes so far are zero, the
    last three bytes have no error, except that the last one may begin no character, which the next lane will find.
    """
    unit = module("utf8", variant)
    width = 32 if variant == "sse2" else 16
    data, previous = symbols("byte", width), symbols("previous", width)
    claims, executor = Claims(), Executor(unit)
    pack = lambda lanes: lanes if variant == "neon" else [join(lanes[8 * index:8 * index + 8], 8) for index in range(width // 8)]
    # The tables are read from constants.
    arguments = [pack(data), pack(previous)] if variant == "neon" else [
        Pointer(Region("bytes", 32, data)), Pointer(Region("previous", 32, previous))]
    (outcome,) = executor.run("errors", arguments, State())
    lanes = outcome.value if variant == "neon" else [byte for word in outcome.value for byte in split(word, 8, 8)]
    claims.prove(len(lanes) == width, note="the lanes")
    lanes = [z3.simplify(lane) for lane in lanes]
    stream = previous + data
    window = symbols("window", 4)
    generic = z3.simplify(z3.substitute(lanes[3], *zip(data[:4], window)))
    claims.prove({str(name) for name in variables(generic)} == {str(name) for name in window}, note="a lane depends on four bytes")
    for index in range(width):
        place = width + index
        expected = z3.substitute(generic, *zip(window, stream[place - 3:place + 1]))
        claims.prove(lanes[index] == expected, note=f"lane {index}")
    # A step of the definition. `origin` is the state before the last three bytes.
    state, origin, found = z3.BitVec("state", 4), z3.BitVec("origin", 4), z3.Bool("found")
    three, two, one, byte = window

    def relation(state, found, origin, three, two, one):
        after_three = utf8_step(origin, three)
        after_two = utf8_step(after_three, two)
        after_one = utf8_step(after_two, one)
        # An error that no lane has found is that of a last byte that begins no character.
        unfound = z3.And(z3.ULT(origin, ERROR), after_three != ERROR, after_two != ERROR, state == after_one,
                         z3.Implies(state == ERROR, z3.And(after_two == 0, z3.UGE(one, 0xC0))))
        return z3.And(z3.ULE(state, ERROR), z3.If(found, state == ERROR, unfound))

    before = relation(state, found, origin, three, two, one)
    following, found_after, next_origin = utf8_step(state, byte), z3.Or(found, generic != 0), utf8_step(origin, three)
    claims.prove(relation(following, found_after, next_origin, two, one, byte), [before], "a step")
    zero = z3.BitVecVal(0, 8)
    claims.prove(relation(z3.BitVecVal(0, 4), z3.BoolVal(False), z3.BitVecVal(0, 4), zero, zero, zero), note="at first")
    # A zero follows the end. The text is valid if the state at the end is between characters.
    claims.prove(z3.Not(z3.Or(found, z3.substitute(generic, (byte, zero)) != 0)) == (state == 0), [before], "a zero after the end")
    # More zeros, and other ASCII characters after ASCII, change neither the state nor the errors.
    ascii = [z3.ULT(one, 0x80), z3.ULT(byte, 0x80)]
    claims.prove(z3.And(following == state, z3.Implies(z3.Not(found), generic == 0)), [before] + ascii, "ASCII after ASCII")
    claims.prove(relation(state, found, next_origin, two, one, byte), [before] + ascii, "ASCII that no lane has seen")
    claims.bounds(executor)
    claims.obligations(executor)
    return claims


def utf8_blocks(variant, name, counts, is_short):
    """The calls of `errors`: their bytes are those of the text, in order, and the result is 0 if a lane of them is not."""
    unit, whole = module("utf8", variant), Claims()
    width = 32 if variant == "sse2" else 16
    pack = lambda lanes: lanes if variant == "neon" else [join(lanes[8 * index:8 * index + 8], 8) for index in range(width // 8)]
    # Vectors of 32 bytes are arguments in memory.
    unpack = lambda value, state: value if variant == "neon" else state.read(value, 32, None, [])
    for count in counts:
        claims = Claims()
        size = 32 if is_short else count
        text = Region("text", size)
        stream = [bits(text.initial(None, index), 8) for index in range(count)]
        stream = stream + [z3.BitVecVal(0, 8)] * (-len(stream) % width or width)
        if is_short:
            stream = stream[:count] + [z3.BitVecVal(0, 8)] * (32 - count)
        blocks = [stream[index:index + width] for index in range(0, len(stream), width)]
        names, errors_of = [], {}

        def contract(executor, values, state):
            lanes, result = [unpack(value, state) for value in values], [unit.fresh(8, "lane") for _ in range(width)]
            names.append((lanes[0], lanes[1], result))
            return [Outcome("return", state, pack(result))]

        executor = Executor(unit, {"errors": contract})
        for outcome in executor.run(name, [Pointer(text), count], State()):
            path = outcome.state.path
            # The result is the negation of: a lane of any call on the path is not zero. A call is on the path if its lanes occur in the result.
            text_of = set(str(variable) for variable in variables(outcome.value))
            called = [call for call in names if any(str(lane) in text_of for lane in call[2])]
            claims.prove((bits(outcome.value, 32) != 0) == z3.And([lane == 0 for call in called for lane in call[2]] or [z3.BoolVal(True)]),
                         path, f"the result for {count} bytes")
            # Each block is one of the calls, with the block before, or is skipped as ASCII after ASCII.
            remaining = list(called)
            for index, block in enumerate(blocks):
                before = blocks[index - 1] if index else [z3.BitVecVal(0, 8)] * width
                match = next((call for call in remaining if same(call[0], block) and same(call[1], before)), None)
                if match:
                    remaining.remove(match)
                else:
                    claims.prove(z3.And([z3.ULT(byte, 0x80) for byte in block + before[-1:]]), path, f"block {index} of {count} bytes is ASCII")
            claims.prove(not remaining, path, f"no other block, {count} bytes")
        whole.add(claims, executor)
    return whole


def same(a, b):
    return all(z3.eq(z3.simplify(bits(x, 8)), z3.simplify(bits(y, 8))) for x, y in zip(a, b))


def variables(term, seen=None):
    result, work, seen = [], [term] if not isinstance(term, int) else [], set()
    while work:
        item = work.pop()
        if item.get_id() in seen:
            continue
        seen.add(item.get_id())
        if z3.is_const(item) and item.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            result.append(item)
        work += item.children()
    return result


@proof("sse2", "neon")
def is_utf8(variant):
    return utf8_blocks(variant, "is_utf8_avx2" if variant == "sse2" else "sluice_is_utf8", range(0, 97), False)


@proof("sse2", "neon")
def is_short_utf8(variant):
    return utf8_blocks(variant, "is_short_utf8_avx2" if variant == "sse2" else "sluice_is_short_utf8", range(0, 32), True)


def main():
    failed = []
    for function, variants in PROOFS:
        if CHOSEN and function.__name__ not in CHOSEN:
            continue
        for variant in variants:
            start = time.time()
            try:
                claims = function(variant)
                failed_here, count = claims.failed, claims.count
            except Exception:
                traceback.print_exc()
                failed_here, count = True, 0
            verdict = "NOT PROVED" if failed_here else "proved"
            print(f"{function.__name__:22} {variant:10} {verdict}, {count} claims, {time.time() - start:.1f} s", flush=True)
            if failed_here:
                failed.append((function.__name__, variant))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
