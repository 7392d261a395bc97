/// Decodes the value of a tape's entry. One object serves as the decoder, and as the state of its containers.
///
/// The decoders of nested values are reused: after the initializer of a value returns, its decoder serves for the next value
/// unless the initializer kept a reference.
///
/// Invariant: `tape` and `parent` are valid. While the initializer of a nested value runs, its caller keeps both alive. A
/// decoder that may live longer owns both.
package final class TapeDecoder {
    unowned(unsafe) let tape: Tape
    package let options: CodableDecodingOptions
    /// The entry of the value. Entry 0, which is `null`, represents a missing value.
    @exclusivity(unchecked) private(set) var index: Int
    /// The entry of the key that is expected next.
    @exclusivity(unchecked) var expectedKey: Int
    /// The values by key, if the keys are converted, or compared by more than their bytes.
    @exclusivity(unchecked) var valuesByKey: [String: Int]?
    /// The key in a container, if the position says so.
    @exclusivity(unchecked) private var codingKey: any CodingKey = AnyCodingKey.super
    /// The index in an array, or one of the constants below.
    @exclusivity(unchecked) private var position: Int
    @exclusivity(unchecked) private unowned(unsafe) var parent: TapeDecoder?
    /// The parent and the tape of a decoder that may live longer than the call of an initializer.
    @exclusivity(unchecked) private var owned: (parent: TapeDecoder?, tape: Tape)?
    /// A decoder of an earlier nested value.
    @exclusivity(unchecked) private var spare: TapeDecoder?

    /// The position of the root, which has no key.
    private static var noKey: Int { -1 }
    /// The position of a value with a key of a container.
    private static var byCodingKey: Int { -2 }
    /// The position of a value whose key is that of the tape.
    private static var byTapeKey: Int { -3 }

    /// Creates the decoder of the root.
    init(_ tape: Tape, at index: Int = Tape.root, options: CodableDecodingOptions) {
        self.tape = tape
        self.options = options
        self.index = index
        expectedKey = index &+ 1
        position = Self.noKey
        parent = nil
    }

    /// Aims the decoder of the root array at an element.
    func restart(at index: Int, position: Int) {
        aim(at: index)
        self.position = position
    }

    /// Keeps the parent and the tape alive, because a client has kept the decoder.
    func outlive() { owned = (parent, tape) }

    @inline(__always)
    private func aim(at index: Int) {
        self.index = index
        expectedKey = index &+ 1
        if valuesByKey != nil { valuesByKey = nil }
    }

    // MARK: Nested decoders

    @inline(__always)
    private func takeSpare() -> TapeDecoder {
        if let decoder = spare {
            spare = nil
            return decoder
        }
        return TapeDecoder(tape, options: options)
    }

    @inline(__always)
    private func keep(_ decoder: inout TapeDecoder) {
        if isKnownUniquelyReferenced(&decoder) {
            spare = decoder
        } else {
            decoder.outlive()
        }
    }

    /// Calls a closure with the decoder of the value of a key.
    @inline(__always)
    func withNested<R>(
        _ index: Int, _ key: some CodingKey, _ body: (TapeDecoder) throws -> R
    ) rethrows -> R {
        var decoder = takeSpare()
        defer { keep(&decoder) }
        decoder.aim(at: index)
        decoder.position = Self.byCodingKey
        decoder.codingKey = key
        decoder.parent = self
        return try body(decoder)
    }

    /// Calls a closure with the decoder of an element.
    @inline(__always)
    func withElement<R>(_ index: Int, at position: Int, _ body: (TapeDecoder) throws -> R) rethrows -> R {
        var decoder = takeSpare()
        defer { keep(&decoder) }
        decoder.aim(at: index)
        decoder.position = position
        decoder.parent = self
        return try body(decoder)
    }

    /// Calls a closure with the decoder of a value whose key is the entry before.
    @inline(__always)
    func withMember<R>(_ index: Int, _ body: (TapeDecoder) throws -> R) rethrows -> R {
        try withElement(index, at: Self.byTapeKey, body)
    }

    /// Returns a decoder of its own for a nested container.
    func nested(_ index: Int, _ key: any CodingKey) -> TapeDecoder {
        let decoder = TapeDecoder(tape, at: index, options: options)
        decoder.position = Self.byCodingKey
        decoder.codingKey = key
        decoder.parent = self
        decoder.outlive()
        return decoder
    }

    // MARK: Paths

    package var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var decoder: TapeDecoder? = self
        while let current = decoder {
            if let key = current.lastKey { path.append(key) }
            decoder = current.parent
        }
        return path.reversed()
    }

    /// The last key of the path.
    private var lastKey: (any CodingKey)? {
        switch position {
        case Self.noKey: nil
        case Self.byCodingKey: codingKey
        case Self.byTapeKey: tapeKey
        default: AnyCodingKey(index: position)
        }
    }

    private var tapeKey: AnyCodingKey {
        let name = tape.string(tape[index - 1])
        return AnyCodingKey(stringValue: name, intValue: options.convertsKeys ? nil : Int(name))
    }

    /// The path of the container that holds the value.
    package var outerPath: [any CodingKey] { parent?.codingPath ?? codingPath }

    func path(_ key: some CodingKey) -> [any CodingKey] { codingPath + [key] }

    // MARK: The value

    @inline(__always)
    var entry: TapeEntry { tape[index] }

    /// Whether the value is `null` or missing.
    package var isNull: Bool { tape[index].kind == .null }
}

extension TapeDecoder: Decoder {
    package var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    package func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try prepareKeys()
        return KeyedDecodingContainer(KeyedTapeContainer<Key>(decoder: self))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard entry.kind == .array else { throw notAContainer([Any].self, "unkeyed") }
        return UnkeyedTapeContainer(self)
    }

    package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// Returns the error for a value that is not a container of the requested kind.
    func notAContainer(_ type: Any.Type, _ kind: String) -> DecodingError {
        if isNull {
            return .valueNotFound(
                type,
                .init(
                    codingPath: codingPath,
                    debugDescription: "Cannot get \(kind) decoding container -- found null value instead"))
        }
        return mismatch(type, entry, codingPath)
    }
}
