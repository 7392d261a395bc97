// Errors with the cases, paths and texts of Foundation.

/// A number that its type cannot represent. Foundation reports such a number as invalid JSON.
struct UnrepresentableNumber: Error {
    let path: [any CodingKey]
    let issue: JSONIssue.Kind
}

extension TapeDecoder {
    /// Returns the error for a value that is not of the requested scalar type.
    ///
    /// - Parameter key: The key of the value in this decoder's container; nil for the decoder's own value.
    @inline(never)
    func unusable(_ type: Any.Type, _ index: Int, _ key: (any CodingKey)?) -> any Error {
        let entry = tape[index]
        let path = key.map { self.path($0) } ?? codingPath
        let isNumber = type is any (BinaryInteger.Type) || type is any (BinaryFloatingPoint.Type)
        switch entry.kind {
        case .null where type != Bool.self: return Self.nullValue(type, path)
        case .number where isNumber, .nonFinite where isNumber: return unrepresentable(type, index, path)
        default: return mismatch(type, entry, path)
        }
    }

    private func unrepresentable(_ type: Any.Type, _ index: Int, _ path: [any CodingKey]) -> UnrepresentableNumber {
        let entry = tape[index]
        let text =
            entry.kind == .nonFinite
            ? "\(tape.nonFinite(index))" : String(decoding: tape.bytes(entry), as: UTF8.self)
        let hasFraction =
            entry.kind == .number && type is any BinaryInteger.Type && !entry.flags.contains(.isInteger)
        return UnrepresentableNumber(
            path: path,
            issue: hasFraction
                ? .notAnInteger(type: "\(type)", text: text) : .numberOutOfRange(type: "\(type)", text: text))
    }

    /// Returns the error for a number that a type cannot represent.
    package func unrepresentableNumber(_ type: Any.Type) -> any Error { unrepresentable(type, index, codingPath) }

    /// Returns the error for a value of another type.
    func mismatch(_ type: Any.Type, _ entry: TapeEntry, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            type,
            .init(
                codingPath: path,
                debugDescription: "Expected to decode \(type) but found \(entry.kind.foundName) instead."))
    }

    private static func nullValue(_ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .valueNotFound(
            type,
            .init(
                codingPath: path, debugDescription: "Cannot get value of type \(type) -- found null value instead"))
    }

    /// Throws if the value is missing or `null`.
    package func checkNotNull(_ type: Any.Type) throws {
        if isNull { throw Self.nullValue(type, codingPath) }
    }

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

    func path(_ key: any CodingKey) -> [any CodingKey] { codingPath + [key] }
}

extension TapeEntry.Kind {
    /// The type of a value, as in the messages of Foundation.
    fileprivate var foundName: String {
        switch self {
        case .string, .key, .hiddenKey: "a string"
        case .number, .nonFinite: "number"
        case .true, .false: "bool"
        case .null: "null"
        case .object: "a dictionary"
        case .array: "an array"
        }
    }
}
