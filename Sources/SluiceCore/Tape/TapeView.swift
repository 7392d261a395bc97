/// The recorded entries of a tape, which must outlive the view.
@usableFromInline package struct TapeView {
    @usableFromInline package let memory: UnsafePointer<TapeMemory>

    @inlinable package init(memory: UnsafePointer<TapeMemory>) { self.memory = memory }

    /// The number of entries, including entry 0.
    @inlinable package var count: Int { memory.pointee.count }

    @inline(__always)
    @inlinable package subscript(index: Int) -> TapeEntry { memory.pointee.entries[index] }

    /// Returns the index of the entry after a value.
    @inline(__always)
    @inlinable package func next(_ index: Int) -> Int {
        let entry = self[index]
        switch entry.kind {
        case .array, .object: return entry.value
        default: return index &+ entry.kind.length
        }
    }

    // MARK: Texts

    /// Whether short strings have the representation of ``SmallString``.
    @inline(__always)
    @inlinable package var isSmallKnown: Bool { memory.pointee.isSmallKnown }

    /// Returns the address of a text.
    @inline(__always)
    @inlinable package func text(_ entry: TapeEntry) -> UnsafePointer<UInt8> {
        let base =
            entry.flags.contains(.isCopied) ? memory.pointee.texts : memory.pointee.input.unsafelyUnwrapped
        return base + entry.value
    }

    @inline(__always)
    @inlinable package func bytes(_ entry: TapeEntry) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text(entry), count: Int(entry.count))
    }

    /// Returns the string of an entry.
    @inline(__always)
    @inlinable package func string(_ entry: TapeEntry) -> String {
        String(
            checkedUTF8: bytes(entry), isASCII: entry.flags.contains(.isASCII), isSmallKnown: isSmallKnown)
    }

    // MARK: Numbers

    /// Returns the number of an entry.
    @inline(__always)
    @inlinable package func number(_ index: Int) -> NumberToken {
        let entry = self[index]
        let parts = UnsafeRawPointer(memory.pointee.entries + (index &+ 1)).load(as: TapeNumber.self)
        return NumberToken(
            text: text(entry), count: Int(entry.count), mantissa: parts.mantissa, exponent: parts.exponent,
            isNegative: entry.flags.contains(.isNegative), isInteger: entry.flags.contains(.isInteger),
            isTruncated: entry.flags.contains(.isTruncated))
    }

    /// Returns the nearest floating-point value of a number's entry, or nil if that is infinite.
    @inline(never)
    package func double(_ index: Int) -> Double? { number(index).double }

    /// Returns the nearest floating-point value of a number's entry, or nil if that is infinite.
    @inline(never)
    package func float(_ index: Int) -> Float? { number(index).floatingPoint(Float.self) }

    /// Returns the infinity or NaN of an entry.
    package func nonFinite(_ index: Int) -> Double {
        Double(bitPattern: UInt64(bitPattern: self[index].wideValue))
    }

    /// Returns the first entry of a value that is an infinity or NaN, without values of hidden keys; nil if there is none.
    func firstNonFinite(in index: Int) -> Int? {
        if !memory.pointee.hasNonFinite { return nil }
        var at = index
        let end = next(index)
        while at < end {
            switch self[at].kind {
            case .nonFinite: return at
            case .hiddenKey: at = nextKey(at)
            case let kind: at += kind.length
            }
        }
        return nil
    }

    // MARK: Keys

    /// The second entry of a key.
    @inline(__always)
    @inlinable package func words(ofKey index: Int) -> TapeKey {
        UnsafeRawPointer(memory.pointee.entries + (index &+ 1)).load(as: TapeKey.self)
    }

    /// Whether a key equals a small string.
    @inline(__always)
    @inlinable package func isKey(_ index: Int, small name: TapeKey) -> Bool {
        words(ofKey: index) == name && self[index].kind == .key
    }

    /// Whether a key equals a name.
    @inline(__always)
    @inlinable package func isKey(_ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = self[index]
        guard Int(entry.count) == name.count, entry.kind == .key else { return false }
        guard let base = name.baseAddress else { return true }
        return Kernels.haveEqualBytes(text(entry), base, name.count)
    }

    /// Returns the index of the value of a key.
    @inline(__always)
    @inlinable package static func value(ofKey index: Int) -> Int { index &+ 2 }

    /// Returns the index of the key of a value.
    @inlinable package static func key(ofValue index: Int) -> Int { index - 2 }

    /// Returns the index of the key after a key and its value.
    @inline(__always)
    @inlinable package func nextKey(_ index: Int) -> Int { next(Self.value(ofKey: index)) }

    /// Calls a closure with the index of each key of an object, in order, without repeated keys.
    @inline(__always)
    @inlinable package func forEachKey(of object: Int, _ body: (Int) throws -> Void) rethrows {
        var key = object + 1
        let end = self[object].value
        while key < end {
            if self[key].kind == .key { try body(key) }
            key = nextKey(key)
        }
    }

    /// Returns the path of an entry inside of a value.
    func path(of entry: Int, in index: Int) -> JSONPath {
        var path = JSONPath()
        var container = index
        while container < entry {
            let isObject = self[container].kind == .object
            var value = isObject ? Self.value(ofKey: container + 1) : container + 1
            var position = 0
            while next(value) <= entry {
                value = isObject ? Self.value(ofKey: next(value)) : next(value)
                position += 1
            }
            path.components.append(isObject ? .key(string(self[Self.key(ofValue: value)])) : .index(position))
            container = value
        }
        return path
    }

    /// Returns the key or the index of the last value of an open container.
    ///
    /// - Parameter child: The index of that value's entry, or of the next entry.
    func component(ofLastChildOf container: Int, before child: Int) -> JSONPath.Component? {
        let isObject = self[container].kind == .object
        var component: JSONPath.Component?
        var position = 0
        var index = container + 1
        while index < child {
            if isObject {
                component = .key(string(self[index]))
                index = Self.value(ofKey: index)
                if index >= child { break }
            }
            index = next(index)
            position += 1
        }
        return isObject ? component : .index(position)
    }
}

// MARK: JSON

extension TapeView {
    /// Returns a value as JSON.
    func text(ofValue index: Int) -> [UInt8] {
        var out = OutputBuffer()
        write(from: index, to: next(index), needsComma: false, to: &out)
        return Array(out.written)
    }

    /// Returns members as an object in JSON.
    ///
    /// - Parameter ranges: The entries of the members.
    func text(ofMembers ranges: [Range<Int>]) -> [UInt8] {
        var out = OutputBuffer()
        out.reserve(1)
        out.byte(UInt8(ascii: "{"))
        for range in ranges {
            write(from: range.lowerBound, to: range.upperBound, needsComma: out.count > 1, to: &out)
        }
        out.reserve(1)
        out.byte(UInt8(ascii: "}"))
        return Array(out.written)
    }

    /// - Parameter needsComma: Whether a comma precedes the first key or element.
    private func write(from start: Int, to end: Int, needsComma: Bool, to out: inout OutputBuffer) {
        var open: [(end: Int, bracket: UInt8)] = []
        var at = start
        // Whether a comma precedes the next key or element.
        var needsComma = needsComma
        while true {
            while let container = open.last, at == container.end {
                out.reserve(1)
                out.byte(container.bracket)
                open.removeLast()
                needsComma = true
            }
            if at >= end { return }
            let entry = self[at]
            if entry.kind == .hiddenKey {
                at = nextKey(at)
                continue
            }
            out.reserve(Int(entry.kind == .number ? entry.count : 0) + 64)
            if needsComma { out.byte(UInt8(ascii: ",")) }
            needsComma = true
            switch entry.kind {
            case .key, .hiddenKey:
                out.string(string(entry))
                out.reserve(1)
                out.byte(UInt8(ascii: ":"))
                needsComma = false
            case .array, .object:
                let isObject = entry.kind == .object
                out.byte(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
                open.append((entry.value, isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")))
                needsComma = false
                at += 1
                continue
            case .string: out.string(string(entry))
            case .number: out.verbatim(bytes(entry))
            case .true: out.literal("true")
            case .false: out.literal("false")
            case .null: out.literal("null")
            case .nonFinite: out.string("\(nonFinite(at))")
            }
            at += entry.kind.length
        }
    }
}
