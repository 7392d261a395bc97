// Types of the standard library that are decoded from the tape without their own initializers, which request a container and
// then each element.

import SluiceCore

/// A type that is made from the value of a decoder.
///
/// Types are cast to the protocol, so all conformances are in this file. See `WritableContainer`.
protocol TapeDecodable: Decodable {
    init(tape: TapeDecoder) throws
}

extension Bool: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(Bool.self) } }
extension String: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(String.self) } }
extension Double: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(Double.self) } }
extension Float: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(Float.self) } }
extension Int: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(Int.self) } }
extension Int8: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(Int8.self) } }
extension Int16: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(Int16.self) } }
extension Int32: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(Int32.self) } }
extension Int64: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(Int64.self) } }
extension Int128: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(Int128.self) } }
extension UInt: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(UInt.self) } }
extension UInt8: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(UInt8.self) } }
extension UInt16: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(UInt16.self) } }
extension UInt32: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(UInt32.self) } }
extension UInt64: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(UInt64.self) } }
extension UInt128: TapeDecodable { init(tape: TapeDecoder) throws { self = try tape.decode(UInt128.self) } }

extension Optional: TapeDecodable where Wrapped: Decodable {
    init(tape decoder: TapeDecoder) throws {
        if decoder.isNull {
            self = nil
        } else {
            decoder.beginInitializer()
            self = try decoder.decodeSelf(Wrapped.self)
        }
    }
}

extension Array: TapeDecodable where Element: Decodable {
    init(tape decoder: TapeDecoder) throws {
        guard decoder.entry.kind == .array else { throw decoder.notAContainer([Any].self, "unkeyed") }
        if Element.self == Double.self {
            self = unsafeBitCast(try decoder.doubles(), to: Self.self)
        } else if Element.self == Int.self {
            self = unsafeBitCast(try decoder.integers(), to: Self.self)
        } else if Element.self == String.self {
            self = unsafeBitCast(try decoder.strings(), to: Self.self)
        } else {
            self = try decoder.elements()
        }
    }
}

extension TapeDecoder {
    // Not inlined, because the initializer of an array is on the stack once for each level of the input.
    @inline(never)
    fileprivate func doubles() throws -> [Double] { try scalars { $0.float(Double.self, $1) } }
    @inline(never)
    fileprivate func integers() throws -> [Int] { try scalars { $0.integer(Int.self, $1) } }
    @inline(never)
    fileprivate func strings() throws -> [String] { try scalars { $0.string($1) } }

    /// Decodes the elements of an array of scalars.
    @inline(__always)
    private func scalars<Element>(_ read: (TapeDecoder, Int) -> Element?) throws -> [Element] {
        let count = Int(entry.count)
        let start = index + 1
        // Coordinates. A literal is faster than an array that grows.
        if count == 2, let first = read(self, start), let second = read(self, tape.next(start)) {
            return [first, second]
        }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        var at = start
        for position in 0..<count {
            guard let value = read(self, at) else {
                throw unusable(Element.self, at, AnyCodingKey(index: position))
            }
            elements.append(value)
            at = tape.next(at)
        }
        return elements
    }

    /// Decodes the elements of an array.
    fileprivate func elements<Element: Decodable>() throws -> [Element] {
        if ThreadStack.isUsedUp { throw stackUsedUp() }
        let count = Int(entry.count)
        var at = index + 1
        let method = options.types.method(of: Element.self)
        // Without a closure that initializes the elements. The closure and the initializers around it have large frames.
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for position in 0..<count {
            elements.append(
                try method._withUnsafeGuaranteedRef { try decode(Element.self, at, at: position, by: $0) })
            at = tape.next(at)
        }
        return elements
    }
}

extension Dictionary: TapeDecodable where Key: Decodable, Value: Decodable {
    init(tape decoder: TapeDecoder) throws {
        guard Key.self == String.self else {
            try self.init(from: decoder)
            return
        }
        self = unsafeBitCast(try decoder.members() as [String: Value], to: Self.self)
    }
}

extension TapeDecoder {
    /// Decodes the members of an object with any keys. Keys are not converted.
    fileprivate func members<Value: Decodable>() throws -> [String: Value] {
        guard entry.kind == .object else {
            if options.convertsKeys { try checkNotNull([String: Any].self) }
            throw notAContainer([String: Any].self, "keyed")
        }
        if ThreadStack.isUsedUp { throw stackUsedUp() }
        beginDictionary()
        var members: [String: Value] = [:]
        members.reserveCapacity(Int(entry.count))
        // The bytes of different keys may be equal strings.
        let mayRepeat = !entry.flags.isDisjoint(with: [.hasUnicodeKeys, .mayRepeatKeys])
        let method = options.types.method(of: Value.self)
        let end = entry.value
        var key = index + 1
        while key < end {
            defer { key = tape.nextKey(key) }
            // Hidden keys are repetitions.
            if tape[key].kind != .key { continue }
            let name = tape.string(tape[key])
            if mayRepeat, members[name] != nil { continue }
            members[name] = try method._withUnsafeGuaranteedRef {
                try decodeMember(Value.self, TapeView.value(ofKey: key), by: $0)
            }
        }
        return members
    }
}
