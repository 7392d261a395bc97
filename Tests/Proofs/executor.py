"""Executes functions of LLVM IR with bit-vectors of z3 as the values.

A value is an integer if known, otherwise a bit-vector. A vector is a list of values, and a pointer has a region, a symbolic and a
constant offset. A branch on a symbolic condition forks the execution. An unknown instruction ends the program.
"""

import re

import z3


def bits(value, width):
    return z3.BitVecVal(value, width) if isinstance(value, int) else value


def known(value):
    """Returns the integer of a constant bit-vector."""
    if isinstance(value, int):
        return value
    value = z3.simplify(value)
    return value.as_long() if z3.is_bv_value(value) else value


class Region:
    """A block of memory. Bytes without a stored value are fresh symbols. `size` is None if the symbolic offsets have no bound."""

    def __init__(self, name, size=None, contents=None, is_constant=False):
        self.name, self.size, self.is_constant = name, size, is_constant
        self.base = z3.BitVec(name + ".base", 64)
        self.first = {}
        for index, value in enumerate(contents or []):
            self.first[(0, index)] = value

    def initial(self, symbol, offset):
        key = (symbol.get_id() if symbol is not None else 0, offset)
        if key not in self.first:
            self.first[key] = z3.BitVec(f"{self.name}[{key[0] or ''}{offset:+d}]", 8)
        return self.first[key]


class Pointer:
    def __init__(self, region, offset=0, symbol=None):
        self.region, self.offset, self.symbol = region, offset, symbol

    def moved(self, by, sign_width=64):
        by = known(by)
        if isinstance(by, int):
            by = by - (1 << 64) if by >> 63 else by
            return Pointer(self.region, self.offset + by, self.symbol)
        return Pointer(self.region, self.offset, by if self.symbol is None else known(self.symbol + by))

    def distance(self):
        """Returns the offset in the region."""
        if self.symbol is None:
            return self.offset & (1 << 64) - 1
        return self.symbol + z3.BitVecVal(self.offset, 64)


TOKEN = re.compile(r'c"(?:[^"\\]|\\.)*"|[%@][\w.$-]+|-?\d+|[A-Za-z_][\w.]*|[<>{}\[\](),=:]')


class Tokens:
    def __init__(self, text):
        self.items, self.at = TOKEN.findall(text), 0

    def peek(self):
        return self.items[self.at] if self.at < len(self.items) else ""

    def next(self):
        self.at += 1
        return self.items[self.at - 1]

    def accept(self, item):
        if self.peek() == item:
            self.at += 1
            return True
        return False

    def expect(self, item):
        found = self.next()
        assert found == item, (found, item, self.items)


# Words before an operand that do not change the value. A false flag makes the value poison: see `flags`.
ATTRIBUTES = {"noundef", "nonnull", "zeroext", "signext", "readonly", "writeonly", "readnone", "noalias", "writable", "immarg",
              "dead_on_unwind", "returned"}
WITH_PARENTHESES = {"captures", "range", "dereferenceable", "byval", "sret", "initializes", "alignstack"}
FLAGS = {"nuw", "nsw", "exact", "disjoint", "nneg", "samesign", "inbounds"}


class Module:
    def __init__(self, path):
        self.functions, self.globals, self.structs = {}, {}, {}
        self.counter = 0
        lines = open(path).read().split("\n")
        index = 0
        while index < len(lines):
            line = lines[index]
            if line.startswith("%") and " = type " in line:
                name, body = line.split(" = type ")
                self.structs[name] = self.type(Tokens(body))
            elif line.startswith("@") and " constant " in line:
                name, body = line.split(" = ", 1)
                tokens = Tokens(body.split(" constant ", 1)[1])
                type = self.type(tokens)
                value = self.value(tokens, type, {})
                self.globals[name] = Pointer(Region(name, self.size(type), self.bytes_of(value, type), True))
            elif line.startswith("define "):
                end = lines.index("}", index)
                self.define(lines[index:end])
                index = end
            index += 1

    # Types: ("i", width), ("ptr",), ("vector" or "array", count, type), ("struct", types), ("void",)

    def type(self, tokens):
        item = tokens.next()
        if item == "ptr":
            return ("ptr",)
        if item == "void":
            return ("void",)
        if re.fullmatch(r"i\d+", item):
            return ("i", int(item[1:]))
        if item == "<" and tokens.accept("{"):
            types = [self.type(tokens)]
            while tokens.accept(","):
                types.append(self.type(tokens))
            tokens.expect("}")
            tokens.expect(">")
            return ("struct", types)
        if item in "<[":
            count = int(tokens.next())
            tokens.expect("x")
            element = self.type(tokens)
            tokens.expect(">" if item == "<" else "]")
            return ("vector" if item == "<" else "array", count, element)
        if item == "{":
            types = [self.type(tokens)]
            while tokens.accept(","):
                types.append(self.type(tokens))
            tokens.expect("}")
            return ("struct", types)
        if item.startswith("%"):
            return self.structs[item]
        raise SyntaxError(item)

    def size(self, type):
        """Returns the size in bytes. The only structures are those of members with the same size."""
        if type[0] == "i":
            return (type[1] + 7) // 8
        if type[0] == "ptr":
            return 8
        if type[0] in ("vector", "array"):
            return type[1] * self.size(type[2])
        return sum(self.size(member) for member in type[1])

    def fresh(self, width, name="undefined"):
        self.counter += 1
        return z3.BitVec(f"{name}!{self.counter}", width)

    def value(self, tokens, type, env):
        item = tokens.next()
        if item.startswith("%"):
            return env[item]
        if item.startswith("@"):
            return self.globals[item]
        if item in ("undef", "poison"):
            # Any value, which the result must not depend on.
            return self.of_type(type, self.fresh)
        if item == "zeroinitializer":
            return self.of_type(type, lambda width: 0)
        if item in ("true", "false"):
            return int(item == "true")
        if item == "getelementptr":
            while tokens.peek() in FLAGS:
                tokens.next()
            tokens.expect("(")
            size = self.size(self.type(tokens))
            tokens.expect(",")
            pointer = self.value(tokens, self.type(tokens), env)
            tokens.expect(",")
            pointer = pointer.moved(self.value(tokens, self.type(tokens), env) * size)
            tokens.expect(")")
            return pointer
        if item == "splat":
            tokens.expect("(")
            element = self.value(tokens, self.type(tokens), env)
            tokens.expect(")")
            return [element] * type[1]
        is_packed = item == "<" and tokens.accept("{")
        if item in "<[":
            values = []
            while True:
                element = self.type(tokens)
                values.append(self.value(tokens, element, env))
                if not tokens.accept(","):
                    break
            tokens.next()
            if is_packed:
                tokens.expect(">")
            return values
        if item.startswith('c"'):
            raw = re.sub(rb"\\([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), item[2:-1].encode("latin-1"))
            return list(raw)
        if re.fullmatch(r"-?\d+", item):
            return int(item) & (1 << type[1]) - 1
        raise SyntaxError(f"value {item} in {tokens.items}")

    def of_type(self, type, make):
        if type[0] == "i":
            return make(type[1])
        if type[0] in ("vector", "array"):
            return [self.of_type(type[2], make) for _ in range(type[1])]
        if type[0] == "struct":
            return [self.of_type(member, make) for member in type[1]]
        return Pointer(Region(f"undefined!{self.counter}", 0))

    def bytes_of(self, value, type):
        if type[0] == "i":
            width = type[1]
            if width < 8:
                value = extend(value, width, 8)
                width = 8
            if isinstance(value, int):
                return list(value.to_bytes(width // 8, "little"))
            return [known(z3.Extract(8 * index + 7, 8 * index, value)) for index in range(width // 8)]
        if type[0] in ("vector", "array"):
            return [byte for element in value for byte in self.bytes_of(element, type[2])]
        if type[0] == "struct":
            return [byte for member, element in zip(type[1], value) for byte in self.bytes_of(element, member)]
        raise TypeError(type)

    def value_of(self, data, type):
        if type[0] == "i":
            value = join(data, 8)
            return known(z3.Extract(type[1] - 1, 0, value)) if type[1] % 8 and not isinstance(value, int) else (
                value & (1 << type[1]) - 1 if type[1] % 8 else value)
        size = self.size(type[2]) if type[0] in ("vector", "array") else 0
        if size:
            return [self.value_of(data[index * size:][:size], type[2]) for index in range(type[1])]
        raise TypeError(type)

    def define(self, lines):
        head = lines[0]
        name = re.search(r"@([\w.]+)\(", head)[1]
        parameters = []
        depth, start = 0, head.index("@" + name) + len(name) + 1
        for match in re.finditer(r"[(),]|%[\w.]+", head[start:]):
            item = match[0]
            depth += {"(": 1, ")": -1}.get(item, 0)
            if item.startswith("%") and depth == 1 and not item.startswith("%struct"):
                parameters.append(item)
            if depth == 0:
                break
        blocks, label = {}, None
        # The entry block has the number after those of the parameters.
        label = f"%{len(parameters)}"
        entry = label
        blocks[label] = []
        pending = ""
        for line in lines[1:]:
            line = line.split(" ;")[0].split(";")[0].rstrip() if not "c\"" in line else line
            if not line.strip():
                continue
            match = re.match(r"([\w.]+):", line)
            if match:
                label = "%" + match[1]
                blocks[label] = []
                continue
            text = re.sub(r", !.*$", "", line.strip())
            text = re.sub(r" #\d+$", "", text)
            if pending:
                pending += " " + text
                if text.startswith("]"):
                    blocks[label].append(pending)
                    pending = ""
                continue
            if text.startswith("switch ") and not text.endswith("]"):
                pending = text
                continue
            blocks[label].append(text)
        self.functions[name] = (parameters, entry, blocks)


def extend(value, width, wider, signed=False):
    if wider == width:
        return value
    if isinstance(value, int):
        if signed and value >> (width - 1):
            value |= (1 << wider) - (1 << width)
        return value
    return (z3.SignExt if signed else z3.ZeroExt)(wider - width, value)


def shorten(value, width):
    if isinstance(value, int):
        return value & (1 << width) - 1
    return z3.Extract(width - 1, 0, value) if value.size() > width else value


def join(parts, width):
    """Returns a number whose lowest part is the first."""
    if all(isinstance(part, int) for part in parts):
        return sum(part << (width * index) for index, part in enumerate(parts))
    if len(parts) == 1:
        return parts[0]
    return z3.Concat([bits(part, width) for part in reversed(parts)])


def split(value, width, count):
    if isinstance(value, int):
        return [value >> (width * index) & (1 << width) - 1 for index in range(count)]
    return [known(z3.Extract(width * index + width - 1, width * index, value)) for index in range(count)]


def signed(value, width):
    return value - (1 << width) if value >> (width - 1) else value


def choose(condition, a, b, width):
    """Returns one of two values. The condition is of one bit."""
    if isinstance(condition, int):
        return a if condition else b
    if isinstance(a, int) and isinstance(b, int) and a == b:
        return a
    return z3.If(condition == 1, bits(a, width), bits(b, width))


def bit(condition):
    """Returns a bit-vector of one bit for a condition of z3 or Python."""
    if isinstance(condition, bool):
        return int(condition)
    return z3.If(condition, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))


def compare(predicate, a, b, width):
    if isinstance(a, int) and isinstance(b, int):
        if predicate[0] == "s":
            a, b = signed(a, width), signed(b, width)
        result = {"eq": a == b, "ne": a != b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b}
        return int(result[predicate[-2:]])
    a, b = bits(a, width), bits(b, width)
    return bit({
        "eq": lambda: a == b, "ne": lambda: a != b,
        "ugt": lambda: z3.UGT(a, b), "uge": lambda: z3.UGE(a, b), "ult": lambda: z3.ULT(a, b), "ule": lambda: z3.ULE(a, b),
        "sgt": lambda: a > b, "sge": lambda: a >= b, "slt": lambda: a < b, "sle": lambda: a <= b,
    }[predicate]())


def binary(operation, a, b, width):
    """Returns a result, and the condition of the operation."""
    mask = (1 << width) - 1
    if isinstance(a, int) and isinstance(b, int):
        if operation in ("shl", "lshr", "ashr"):
            assert b < width
        return {
            "add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "and": lambda: a & b, "or": lambda: a | b,
            "xor": lambda: a ^ b, "shl": lambda: a << b, "lshr": lambda: a >> b, "ashr": lambda: signed(a, width) >> b,
            "udiv": lambda: a // b,
        }[operation]() & mask
    a, b = bits(a, width), bits(b, width)
    return {
        "add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "and": lambda: a & b, "or": lambda: a | b,
        "xor": lambda: a ^ b, "shl": lambda: a << b, "lshr": lambda: z3.LShR(a, b), "ashr": lambda: a >> b,
        "udiv": lambda: z3.UDiv(a, b),
    }[operation]()


def flags_hold(operation, flags, a, b, width):
    """Returns the conditions under which the result is not poison."""
    conditions = []
    if all(isinstance(value, int) for value in (a, b)):
        low, high = signed(a, width), signed(b, width)
        exact = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b}.get(operation, lambda a, b: 0)
        if operation == "shl":
            exact = lambda a, _: a << b
        wide, narrow = exact(a, b), exact(low, high)
        conditions.append("nuw" not in flags or 0 <= wide < 1 << width)
        conditions.append("nsw" not in flags or -(1 << width - 1) <= narrow < 1 << width - 1)
        conditions.append("disjoint" not in flags or a & b == 0)
        assert all(conditions)
        return []
    a, b = bits(a, width), bits(b, width)
    if operation == "udiv":
        conditions.append(b != 0)
    if operation in ("shl", "lshr", "ashr"):
        conditions.append(z3.ULT(b, width))
    if "disjoint" in flags:
        conditions.append(a & b == 0)
    if "exact" in flags:
        conditions.append((z3.LShR(a, b) << b) == a)
    for flag in ("nuw", "nsw"):
        if flag not in flags:
            continue
        is_signed = flag == "nsw"
        if operation == "add":
            conditions.append(z3.BVAddNoOverflow(a, b, is_signed))
            if is_signed:
                conditions.append(z3.BVAddNoUnderflow(a, b))
        elif operation == "sub":
            conditions.append(z3.BVSubNoUnderflow(a, b, is_signed))
            if is_signed:
                conditions.append(z3.BVSubNoOverflow(a, b))
        elif operation == "mul":
            conditions.append(z3.BVMulNoOverflow(a, b, is_signed))
            if is_signed:
                conditions.append(z3.BVMulNoUnderflow(a, b))
        elif operation == "shl":
            conditions.append((((a << b) >> b) if is_signed else z3.LShR(a << b, b)) == a)
    return conditions


def has_undefined(term):
    """Whether a term has a symbol for any value."""
    work, seen = [] if isinstance(term, int) else [term], set()
    while work:
        item = work.pop()
        if item.get_id() in seen:
            continue
        seen.add(item.get_id())
        if z3.is_const(item) and str(item).startswith("undefined"):
            return True
        work += item.children()
    return False


def count_trailing_zeros(value, width):
    if isinstance(value, int):
        return (value & -value).bit_length() - 1 if value else width
    result = z3.BitVecVal(width, width)
    for index in reversed(range(width)):
        result = z3.If(z3.Extract(index, index, value) == 1, z3.BitVecVal(index, width), result)
    return result


def count_ones(value, width):
    if isinstance(value, int):
        return value.bit_count()
    parts = [z3.ZeroExt(width - 1, z3.Extract(index, index, value)) for index in range(width)]
    while len(parts) > 1:
        parts = [parts[index] + parts[index + 1] if index + 1 < len(parts) else parts[index] for index in range(0, len(parts), 2)]
    return parts[0]


def minimum(a, b, width, predicate):
    return choose(compare(predicate, a, b, width), a, b, width)


def saturated_difference(a, b, width):
    return choose(compare("ult", a, b, width), 0, binary("sub", a, b, width), width)


def signed_saturated(value, wide, width):
    """Returns a number of `wide` bits as the nearest signed number of `width` bits."""
    low, high = -(1 << width - 1) & (1 << wide) - 1, (1 << width - 1) - 1
    value = choose(compare("slt", value, low, wide), low, value, wide)
    return shorten(choose(compare("sgt", value, high, wide), high, value, wide), width)


def table_entry(table, index, is_zero):
    """Returns the entry of a table of 16 bytes at the lower half of an index."""
    if isinstance(index, int):
        return 0 if is_zero(index) else table[index & 15]
    result = bits(table[15], 8)
    for place in reversed(range(15)):
        result = z3.If(z3.Extract(3, 0, index) == place, bits(table[place], 8), result)
    zero = is_zero(index)
    return z3.If(zero, z3.BitVecVal(0, 8), result) if zero is not False else result


class Fork:
    """The values of a selection by a symbolic condition, with the conditions."""

    def __init__(self, cases):
        self.cases = cases


class State:
    def __init__(self, memory=None, path=None):
        self.memory, self.path = memory or {}, path or []

    def copy(self):
        return State({name: dict(values) for name, values in self.memory.items()}, list(self.path))

    def read(self, pointer, size, module, accesses):
        region = pointer.region
        accesses.append((list(self.path), region, pointer, size, "read"))
        stored = self.memory.get(region, {})
        if pointer.symbol is not None and region.size is not None:
            # A symbolic offset in memory of a known size.
            offset, result = pointer.distance(), []
            for lane in range(size):
                value = None
                for place in reversed(range(region.size - size + 1)):
                    byte = bits(stored.get((0, place + lane), region.initial(None, place + lane)), 8)
                    value = byte if value is None else z3.If(offset == place, byte, value)
                result.append(value)
            return result
        key = pointer.symbol.get_id() if pointer.symbol is not None else 0
        return [stored[(key, pointer.offset + lane)] if (key, pointer.offset + lane) in stored
                else region.initial(pointer.symbol, pointer.offset + lane) for lane in range(size)]

    def write(self, pointer, data, accesses):
        accesses.append((list(self.path), pointer.region, pointer, len(data), "write"))
        assert not pointer.region.is_constant
        assert pointer.symbol is None or pointer.region.size is None, "a write at a symbolic offset"
        key = pointer.symbol.get_id() if pointer.symbol is not None else 0
        stored = self.memory.setdefault(pointer.region, {})
        for lane, byte in enumerate(data):
            stored[(key, pointer.offset + lane)] = byte


class Outcome:
    """The end of a path: a return, or the arrival at a cut loop with the values of its phi instructions."""

    def __init__(self, kind, state, value=None, env=None, block=None):
        self.kind, self.state, self.value, self.env, self.block = kind, state, value, env, block


class Executor:
    def __init__(self, module, contracts=None, cuts=(), opaque=None):
        self.module, self.contracts, self.cuts = module, contracts or {}, set(cuts)
        self.accesses, self.obligations = [], []
        self.solver = z3.Solver()
        # Replaces the intrinsics of these names.
        self.opaque = opaque or {}
        # Whether a selection between two integers forks the execution, so that offsets remain integers.
        self.forks_selections = False

    def feasible(self, path):
        self.solver.push()
        self.solver.add(*path)
        self.solver.set("timeout", 5000)
        result = self.solver.check()
        self.solver.pop()
        return result != z3.unsat

    def run(self, name, arguments, state):
        parameters, entry, blocks = self.module.functions[name]
        env = dict(zip(parameters, arguments))
        return self.walk(name, entry, None, env, state)

    def resume(self, name, block, env, state, values):
        """Continues at a loop, with other values of its phi instructions."""
        env = dict(env)
        env.update(values)
        return self.walk(name, block, None, env, state)

    def walk(self, name, block, previous, env, state):
        """Returns the outcomes of all paths from the start of a block."""
        results, work = [], [(block, previous, 0, env, state)]
        blocks = self.module.functions[name][2]
        while work:
            block, previous, start, env, state = work.pop()
            lines = blocks[block]
            if start == 0 and previous is not None:
                phis = {}
                for line in lines:
                    if " = phi " not in line:
                        break
                    target, rest = line.split(" = phi ", 1)
                    tokens = Tokens(rest)
                    type = self.module.type(tokens)
                    found = False
                    while tokens.accept("["):
                        # The value, then the block from which it comes. The values of other blocks may be missing.
                        try:
                            value = self.module.value(tokens, type, env)
                        except KeyError:
                            value = None
                        tokens.expect(",")
                        origin = tokens.next()
                        tokens.expect("]")
                        if origin == previous:
                            phis[target], found = value, True
                        if not tokens.accept(","):
                            break
                    assert found and phis[target] is not None, (line, previous)
                env = dict(env)
                env.update(phis)
                if (name, block) in self.cuts:
                    results.append(Outcome("loop", state, phis, env, block))
                    continue
            env = dict(env)
            ended = False
            for number in range(start, len(lines)):
                line = lines[number]
                if " = phi " in line:
                    continue
                outcome = self.step(name, line, env, state)
                if outcome is None:
                    continue
                kind, data = outcome
                if kind == "return":
                    results.append(Outcome("return", state, data))
                elif kind == "jump":
                    work.append((data, block, 0, env, state))
                elif kind == "fork":
                    for condition, target in data:
                        branch = state.copy()
                        branch.path.append(condition)
                        if self.feasible(branch.path):
                            work.append((target, block, 0, dict(env), branch))
                elif kind == "select":
                    for condition, value in data[1]:
                        branch = state.copy()
                        branch.path.append(condition)
                        if self.feasible(branch.path):
                            work.append((block, previous, number + 1, {**env, data[0]: value}, branch))
                elif kind == "call":
                    target, outcomes = data
                    for result in outcomes:
                        assert result.kind == "return"
                        inner = dict(env)
                        if target:
                            inner[target] = result.value
                        work.append((block, previous, number + 1, inner, result.state))
                ended = True
                break
            assert ended, (name, block)
        return results

    def operands(self, tokens, env, count):
        type = self.module.type(tokens)
        values = [self.module.value(tokens, type, env)]
        for _ in range(count - 1):
            tokens.expect(",")
            values.append(self.module.value(tokens, type, env))
        return type, values

    def typed(self, tokens, env):
        type = self.module.type(tokens)
        while True:
            item = tokens.peek()
            if item in WITH_PARENTHESES:
                tokens.next()
                tokens.expect("(")
                depth = 1
                while depth:
                    item = tokens.next()
                    depth += {"(": 1, ")": -1}.get(item, 0)
            elif item == "align":
                tokens.next()
                tokens.next()
            elif item in ATTRIBUTES:
                tokens.next()
            else:
                break
        return type, self.module.value(tokens, type, env)

    def lanes(self, type, values, operation):
        """Applies an operation to numbers or to the elements of vectors."""
        if type[0] == "vector":
            return [operation(type[2][1], *elements) for elements in zip(*values)]
        return operation(type[1], *values)

    def step(self, name, line, env, state):
        module = self.module
        target, text = line.split(" = ", 1) if re.match(r"%[\w.]+ = ", line) else (None, line)
        tokens = Tokens(text)
        word = tokens.next()
        if word in ("tail", "musttail", "notail"):
            word = tokens.next()
        if word == "ret":
            if tokens.peek() == "void":
                return "return", None
            return "return", self.typed(tokens, env)[1]
        if word == "br":
            if tokens.accept("label"):
                return "jump", tokens.next()
            type, condition = self.typed(tokens, env)
            tokens.expect(",")
            tokens.expect("label")
            first = tokens.next()
            tokens.expect(",")
            tokens.expect("label")
            second = tokens.next()
            condition = known(condition)
            if isinstance(condition, int):
                return "jump", first if condition else second
            return "fork", [(condition == 1, first), (condition == 0, second)]
        if word == "switch":
            type, value = self.typed(tokens, env)
            tokens.expect(",")
            tokens.expect("label")
            default, others, cases = tokens.next(), [], []
            tokens.expect("[")
            value = bits(value, type[1])
            while not tokens.accept("]"):
                _, constant = self.typed(tokens, env)
                tokens.expect(",")
                tokens.expect("label")
                cases.append((value == constant, tokens.next()))
                others.append(value != constant)
            return "fork", cases + [(z3.And(others), default)]
        if word == "store":
            type, value = self.typed(tokens, env)
            tokens.expect(",")
            pointer = self.typed(tokens, env)[1]
            state.write(pointer, module.bytes_of(value, type), self.accesses)
            return None
        if word == "call":
            return self.call(target, tokens, env, state)
        value = self.result(word, tokens, env, state, target)
        if isinstance(value, Fork):
            return "select", (target, value.cases)
        env[target] = value
        return None

    def result(self, word, tokens, env, state, target):
        module = self.module
        flags = set()
        while tokens.peek() in FLAGS:
            flags.add(tokens.next())
        if word in ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv"):
            type, values = self.operands(tokens, env, 2)

            def apply(width, a, b):
                conditions, value = flags_hold(word, flags, a, b, width), binary(word, a, b, width)
                if conditions and (has_undefined(a) or has_undefined(b)):
                    # The operation was moved before the test of its operands. The result may be any value.
                    return z3.If(z3.And(conditions), bits(value, width), module.fresh(width))
                for condition in conditions:
                    self.obligations.append((list(state.path), condition, f"{word} {sorted(flags)}"))
                return value

            return self.lanes(type, values, apply)
        if word == "icmp":
            predicate = tokens.next()
            is_same_sign = predicate == "samesign"
            if is_same_sign:
                predicate = tokens.next()
            type, (a, b) = self.operands(tokens, env, 2)
            if type[0] == "ptr":
                assert a.region is b.region, (a.region.name, b.region.name)
                # Addresses of one object do not wrap, so the offsets have the same order, as signed numbers.
                predicate = predicate if predicate in ("eq", "ne") else "s" + predicate[1:]
                return known(compare(predicate, a.distance(), b.distance(), 64))

            def test(width, a, b):
                if is_same_sign and not (isinstance(a, int) and isinstance(b, int)):
                    top = lambda value: z3.Extract(width - 1, width - 1, bits(value, width))
                    if has_undefined(a) or has_undefined(b):
                        return z3.If(top(a) == top(b), bits(compare(predicate, a, b, width), 1), module.fresh(1))
                    self.obligations.append((list(state.path), top(a) == top(b), "icmp samesign"))
                return compare(predicate, a, b, width)

            return self.lanes(type, [a, b], test)
        if word in ("zext", "sext", "trunc"):
            type, value = self.typed(tokens, env)
            tokens.expect("to")
            wanted = module.type(tokens)
            goal = wanted[2][1] if wanted[0] == "vector" else wanted[1]

            def change(width, a):
                result = shorten(a, goal) if word == "trunc" else extend(a, width, goal, word == "sext")
                # The flags require a number that is not negative, or a result with the value of the operand.
                conditions = []
                if "nneg" in flags:
                    conditions.append(z3.Extract(width - 1, width - 1, bits(a, width)) == 0)
                if word == "trunc" and "nuw" in flags:
                    conditions.append(z3.ZeroExt(width - goal, bits(result, goal)) == bits(a, width))
                if word == "trunc" and "nsw" in flags:
                    conditions.append(z3.SignExt(width - goal, bits(result, goal)) == bits(a, width))
                if conditions and has_undefined(a):
                    return z3.If(z3.And(conditions), bits(result, goal), module.fresh(goal))
                for condition in conditions:
                    self.obligations.append((list(state.path), condition, f"{word} {sorted(flags)}"))
                return result

            return self.lanes(type, [value], change)
        if word == "bitcast":
            type, value = self.typed(tokens, env)
            tokens.expect("to")
            wanted = module.type(tokens)
            if type == wanted:
                return value
            whole = join(value, type[2][1]) if type[0] == "vector" else value
            return split(whole, wanted[2][1], wanted[1]) if wanted[0] == "vector" else whole
        if word == "ptrtoint":
            pointer = self.typed(tokens, env)[1]
            return known(pointer.region.base + bits(pointer.distance(), 64))
        if word == "select":
            kind, condition = self.typed(tokens, env)
            tokens.expect(",")
            type, a = self.typed(tokens, env)
            tokens.expect(",")
            _, b = self.typed(tokens, env)
            if kind[0] == "vector":
                return [choose(c, x, y, type[2][1]) for c, x, y in zip(condition, a, b)]
            condition = known(condition)
            if type[0] == "ptr":
                return (a if condition else b) if isinstance(condition, int) else Fork([(condition == 1, a), (condition == 0, b)])
            if self.forks_selections and not isinstance(condition, int) and isinstance(a, int) and isinstance(b, int) and a != b:
                return Fork([(condition == 1, a), (condition == 0, b)])
            return self.lanes(type, [a, b], lambda width, x, y: choose(condition, x, y, width))
        if word == "getelementptr":
            while tokens.peek() in FLAGS:
                tokens.next()
            type = module.type(tokens)
            tokens.expect(",")
            pointer = self.typed(tokens, env)[1]
            first = True
            while tokens.accept(","):
                index_type, index = self.typed(tokens, env)
                if not first:
                    assert type[0] == "array"
                    type = type[2]
                first = False
                index = known(index)
                pointer = pointer.moved(extend(index, index_type[1], 64, True) * module.size(type) & (1 << 64) - 1
                                        if isinstance(index, int) else extend(index, index_type[1], 64, True) * module.size(type))
            return pointer
        if word == "load":
            type = module.type(tokens)
            tokens.expect(",")
            pointer = self.typed(tokens, env)[1]
            return module.value_of(state.read(pointer, module.size(type), module, self.accesses), type)
        if word == "alloca":
            type = module.type(tokens)
            self.module.counter += 1
            return Pointer(Region(f"local!{self.module.counter}", module.size(type)))
        if word == "extractelement":
            type, vector = self.typed(tokens, env)
            tokens.expect(",")
            return vector[known(self.typed(tokens, env)[1])]
        if word == "insertelement":
            type, vector = self.typed(tokens, env)
            tokens.expect(",")
            _, element = self.typed(tokens, env)
            tokens.expect(",")
            vector = list(vector)
            vector[known(self.typed(tokens, env)[1])] = element
            return vector
        if word == "shufflevector":
            _, a = self.typed(tokens, env)
            tokens.expect(",")
            type, b = self.typed(tokens, env)
            tokens.expect(",")
            kind = module.type(tokens)
            if tokens.peek() == "zeroinitializer":
                return [a[0]] * kind[1]
            both = a + b
            tokens.expect("<")
            result = []
            while not tokens.accept(">"):
                module.type(tokens)
                item = tokens.next()
                result.append(module.fresh(type[2][1]) if item in ("poison", "undef") else both[int(item)])
                tokens.accept(",")
            return result
        if word == "extractvalue":
            _, value = self.typed(tokens, env)
            tokens.expect(",")
            return value[int(tokens.next())]
        if word == "insertvalue":
            _, value = self.typed(tokens, env)
            tokens.expect(",")
            _, element = self.typed(tokens, env)
            tokens.expect(",")
            value = list(value)
            value[int(tokens.next())] = element
            return value
        raise NotImplementedError(word)

    def call(self, target, tokens, env, state):
        while not tokens.peek().startswith("@"):
            item = tokens.next()
        name = tokens.next()[1:]
        tokens.expect("(")
        values, types = [], []
        while not tokens.accept(")"):
            type, value = self.typed(tokens, env)
            types.append(type)
            values.append(value)
            tokens.accept(",")
        if name.startswith("llvm.lifetime"):
            return None
        if name in self.contracts:
            return "call", (target, self.contracts[name](self, values, state))
        if name in self.module.functions:
            return "call", (target, self.run(name, values, state))
        if name in ("memcpy", "llvm.memcpy.p0.p0.i64"):
            size = known(values[2])
            data = state.read(values[1], size, self.module, self.accesses)
            state.write(values[0], data, self.accesses)
            if target:
                env[target] = values[0]
            return None
        if name == "llvm.memset.p0.i64":
            state.write(values[0], [values[1]] * known(values[2]), self.accesses)
            return None
        if name == "llvm.aarch64.neon.ld1x4.v16i8.p0":
            data = state.read(values[0], 64, self.module, self.accesses)
            env[target] = [data[16 * part:16 * part + 16] for part in range(4)]
            return None
        env[target] = self.intrinsic(name, types, values, state)
        return None

    def intrinsic(self, name, types, values, state):
        if name in self.opaque:
            return self.opaque[name](*values)
        a = values[0]
        b = values[1] if len(values) > 1 else None
        element = types[0][2][1] if types[0][0] == "vector" else types[0][1]
        if name.startswith("llvm.cttz."):
            count = count_trailing_zeros(a, element)
            if known(b) == 1 and isinstance(a, int):
                return count if a else self.module.fresh(element)
            if known(b) == 1:
                # The count for zero is any value.
                return z3.If(a == 0, self.module.fresh(element), count)
            return count
        if name.startswith("llvm.ctpop."):
            return count_ones(a, element)
        for operation, predicate in (("umin", "ult"), ("umax", "ugt"), ("smin", "slt"), ("smax", "sgt")):
            if name.startswith(f"llvm.{operation}."):
                return self.lanes(types[0], [a, b], lambda width, x, y: minimum(x, y, width, predicate))
        if name.startswith("llvm.usub.sat.") or name.startswith("llvm.aarch64.neon.uqsub."):
            return self.lanes(types[0], [a, b], lambda width, x, y: saturated_difference(x, y, width))
        if name.startswith(("llvm.ssub.sat.", "llvm.sadd.sat.")):
            operation = "sub" if "ssub" in name else "add"
            return self.lanes(types[0], [a, b], lambda width, x, y: signed_saturated(binary(
                operation, extend(x, width, 2 * width, True), extend(y, width, 2 * width, True), 2 * width), 2 * width, width))
        if name == "llvm.x86.sse2.pmadd.wd":
            products = [binary("mul", extend(x, 16, 32, True), extend(y, 16, 32, True), 32) for x, y in zip(a, b)]
            return [binary("add", products[2 * index], products[2 * index + 1], 32) for index in range(4)]
        if name == "llvm.x86.sse2.packssdw.128":
            return [signed_saturated(value, 32, 16) for value in a + b]
        if name == "llvm.x86.sse2.pmulhu.w":
            return [shorten(binary("lshr", binary("mul", extend(x, 16, 32), extend(y, 16, 32), 32), 16, 32), 16)
                    for x, y in zip(a, b)]
        if name == "llvm.x86.avx2.psad.bw":
            distances = [extend(choose(compare("ult", x, y, 8), binary("sub", y, x, 8), binary("sub", x, y, 8), 8), 8, 64)
                         for x, y in zip(a, b)]
            sums = []
            for start in range(0, 32, 8):
                total = distances[start]
                for distance in distances[start + 1:start + 8]:
                    total = binary("add", total, distance, 64)
                sums.append(total)
            return sums
        if name == "llvm.x86.avx2.pshuf.b":
            is_zero = lambda index: index >= 0x80 if isinstance(index, int) else z3.Extract(7, 7, index) == 1
            return [table_entry(a[half:half + 16], index, is_zero) for half in (0, 16) for index in b[half:half + 16]]
        if name == "llvm.x86.avx.ptestz.256":
            common = [bits(binary("and", x, y, 64), 64) for x, y in zip(a, b)]
            return z3.If(z3.And([lane == 0 for lane in common]), z3.BitVecVal(1, 32), z3.BitVecVal(0, 32))
        if name == "llvm.aarch64.neon.tbl1.v16i8":
            is_zero = lambda index: index >= 16 if isinstance(index, int) else z3.UGE(index, 16)
            return [table_entry(a, index, is_zero) for index in b]
        if name == "llvm.aarch64.neon.addp.v16i8":
            both = a + b
            return [binary("add", both[2 * index], both[2 * index + 1], 8) for index in range(16)]
        if name.startswith("llvm.aarch64.neon.uaddlp."):
            return [binary("add", extend(a[2 * index], element, 2 * element), extend(a[2 * index + 1], element, 2 * element),
                           2 * element) for index in range(len(a) // 2)]
        if name == "llvm.aarch64.neon.umull.v2i64":
            return [binary("mul", extend(x, 32, 64), extend(y, 32, 64), 64) for x, y in zip(a, b)]
        if name.startswith("llvm.aarch64.neon.vsli."):
            shift = known(values[2])
            return [binary("or", binary("and", x, (1 << shift) - 1, element), binary("shl", y, shift, element), element)
                    for x, y in zip(a, b)]
        if name == "llvm.aarch64.neon.umaxv.i32.v16i8":
            result = a[0]
            for lane in a[1:]:
                result = minimum(result, lane, 8, "ugt")
            return extend(result, 8, 32)
        raise NotImplementedError(name)
