// Scalars that are no numbers.

extension OutputBuffer {
    /// Writes a boolean. Requires eight reserved bytes.
    @inline(__always)
    mutating func bool(_ value: Bool) {
        // "true", or "fals" before its "e".
        store(value ? 0x6575_7274 : 0x736C_6166 as UInt32)
        store(UInt8(ascii: "e"), at: value ? 3 : 4)
        cursor += value ? 4 : 5
    }
}

/// The JSON of a number that JSON cannot represent.
enum NonConformingText {
    case null
    case string(String)

    func write(to out: inout OutputBuffer) {
        switch self {
        case .null: out.literal("null")
        case .string(let text): out.quoted(text)
        }
    }
}

extension EncodingTape {
    /// Returns the JSON of an infinite number or NaN.
    ///
    /// - Parameters:
    ///   - token: The token of the value or, with a key, of its container.
    /// - Throws: `EncodingError` if such numbers are errors.
    @inline(never)
    func nonConforming(
        _ value: some BinaryFloatingPoint, _ token: UInt64, _ key: (any CodingKey)? = nil
    ) throws -> NonConformingText {
        switch options.nonConformingFloats {
        case .throw: throw nonConformingFloat(value, token, key)
        case .null: .null
        case .write(let infinity, let negativeInfinity, let nan):
            .string(value.isNaN ? nan : value < 0 ? negativeInfinity : infinity)
        }
    }
}
