// Coding paths, which are made only if asked for and for errors.

extension EncodingTape {
    /// Returns the path of a value or container; an empty path if the value has ended.
    func path(of token: UInt64) -> [any CodingKey] {
        guard let index = index(of: token) else { return [] }
        var keys: [any CodingKey] = []
        var at = index
        while at >= 0 {
            if let key = key(nodes[at].key) { keys.append(key) }
            at = nodes[at].parent
        }
        return base + keys.reversed()
    }

    private func key(_ reference: KeyReference) -> (any CodingKey)? {
        switch reference {
        case .none: nil
        case .index(let index): AnyCodingKey(index: index)
        case .key(let address, let type): Self.load(address, type)
        case .name(let name, let isConverted):
            // The standard library's dictionaries have keys with integers, and Foundation's, which keep their text, have not.
            AnyCodingKey(stringValue: name.pointee, intValue: isConverted ? nil : Int(name.pointee))
        case .kept(let position): keptKeys[position]
        }
    }

    private static func load<Key: CodingKey>(_ address: UnsafeRawPointer, _: Key.Type) -> any CodingKey {
        address.assumingMemoryBound(to: Key.self).pointee
    }

    /// Returns the error for a number that JSON cannot represent.
    @inline(never)
    func nonConformingFloat<Number: BinaryFloatingPoint>(
        _ value: Number, _ token: UInt64, _ key: (any CodingKey)? = nil
    ) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(
                codingPath: path(of: token) + (key.map { [$0] } ?? []),
                debugDescription: "Unable to encode \(Number.self).\(value) directly in JSON."))
    }
}

/// The error of a value with too many nested containers. The caller receives an `EncodingError`.
struct EncodingDepthError: Error {}
