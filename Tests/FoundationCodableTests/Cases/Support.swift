import Foundation
import Testing

/// Decodes JSON with a decoder that a closure configures.
func decode<T: Decodable>(
    _ type: T.Type = T.self, _ json: String, _ configure: (JSONDecoder) -> Void = { _ in }
) throws -> T {
    try decode(type, Array(json.utf8), configure)
}

/// Decodes bytes with a decoder that a closure configures.
func decode<T: Decodable>(
    _ type: T.Type = T.self, _ bytes: [UInt8], _ configure: (JSONDecoder) -> Void = { _ in }
) throws -> T {
    let decoder = JSONDecoder()
    configure(decoder)
    return try decoder.decode(type, from: Data(bytes))
}

/// Decodes JSON that is rejected, and returns the error in the form of `described`.
func failure<T: Decodable>(
    _ type: T.Type, _ json: String, _ configure: (JSONDecoder) -> Void = { _ in }
) -> String {
    do { return "no error: \(try decode(type, json, configure))" } catch { return described(error) }
}

/// Encodes a value with an encoder that a closure configures, by default with keys in order.
func encode<T: Encodable>(
    _ value: T, _ configure: (JSONEncoder) -> Void = { $0.outputFormatting = .sortedKeys }
) throws -> String {
    let encoder = JSONEncoder()
    configure(encoder)
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// Encodes a value that is rejected, and returns the error in the form of `described`.
func failure<T: Encodable>(encoding value: T, _ configure: (JSONEncoder) -> Void = { _ in }) -> String {
    do { return "no error: \(try encode(value, configure))" } catch { return described(error) }
}

/// An error in one line: the case, its subject, the coding path and the debug description.
func described(_ error: any Error) -> String {
    func line(_ name: String, _ subject: Any, _ path: [any CodingKey], _ description: String) -> String {
        "\(name) \(subject) | \(described(path)) | \(description)"
    }
    switch error {
    case DecodingError.typeMismatch(let type, let context):
        return line("typeMismatch", type, context.codingPath, context.debugDescription)
    case DecodingError.valueNotFound(let type, let context):
        return line("valueNotFound", type, context.codingPath, context.debugDescription)
    case DecodingError.keyNotFound(let key, let context):
        return line("keyNotFound", described([key]), context.codingPath, context.debugDescription)
    case DecodingError.dataCorrupted(let context):
        return line("dataCorrupted", "-", context.codingPath, context.debugDescription)
    case EncodingError.invalidValue(let value, let context):
        return line("invalidValue", value, context.codingPath, context.debugDescription)
    default: return "\(error)"
    }
}

/// A coding path in one line, the string values of its keys with their integer values.
func described(_ path: [any CodingKey]) -> String {
    path.map { key in key.stringValue + (key.intValue.map { "(\($0))" } ?? "") }.joined(separator: " / ")
}

/// A key of any string or integer.
struct AnyKey: CodingKey, Hashable {
    let stringValue: String
    let intValue: Int?

    init(_ string: String) { self.init(stringValue: string) }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}

/// A closure that decodes a value.
struct DecodingClosure<Value>: Sendable {
    let body: @Sendable (any Decoder) throws -> Value
}

/// A type that decodes itself with the closure in the decoder's user info.
struct Custom<Value>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        guard let closure = decoder.userInfo[.closure] as? DecodingClosure<Value> else {
            throw CocoaError(.coderInvalidValue)
        }
        value = try closure.body(decoder)
    }
}

extension CodingUserInfoKey {
    static let closure = CodingUserInfoKey(rawValue: "closure")!
}

/// Decodes JSON with a closure that receives the decoder.
func decode<Value>(
    _ json: String, _ configure: (JSONDecoder) -> Void = { _ in },
    by body: @escaping @Sendable (any Decoder) throws -> Value
) throws -> Value {
    try decode(Custom<Value>.self, json) {
        $0.userInfo[.closure] = DecodingClosure(body: body)
        configure($0)
    }.value
}

/// Decodes JSON with a closure that throws, and returns the error in the form of `described`.
func failure<Value>(
    _ json: String, _ configure: (JSONDecoder) -> Void = { _ in },
    by body: @escaping @Sendable (any Decoder) throws -> Value
) -> String {
    do { return "no error: \(try decode(json, configure, by: body))" } catch { return described(error) }
}

/// A value that encodes itself with a closure.
struct Encoding: Encodable {
    let body: (any Encoder) throws -> Void

    init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }

    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// A structure with one value.
struct Box<Value> {
    var value: Value
}

extension Box: Decodable where Value: Decodable {}
extension Box: Encodable where Value: Encodable {}
extension Box: Equatable where Value: Equatable {}

/// The error for a number that a type cannot represent. Foundation reports invalid JSON, without a path.
func notRepresentable(_ number: String, in type: String, at path: String = "") -> String {
    isSluice
        ? "dataCorrupted - | \(path) | Number \(number) is not representable in \(type)."
        : notJSON
}

// The errors that many cases have, as `described` has them.

let anyArray = "Array<Any>"
let anyDictionary = "Dictionary<String, Any>"
let notJSON = "dataCorrupted - |  | The given data was not valid JSON."

func mismatch(_ type: String, at path: String = "", found: String) -> String {
    "typeMismatch \(type) | \(path) | Expected to decode \(type) but found \(found) instead."
}

/// The error for null.
func noValue(_ type: String, at path: String = "") -> String {
    "valueNotFound \(type) | \(path) | Cannot get value of type \(type) -- found null value instead"
}

func noKeyedContainer(at path: String = "") -> String {
    "valueNotFound \(anyDictionary) | \(path) | Cannot get keyed decoding container -- found null value instead"
}

func noUnkeyedContainer(at path: String = "") -> String {
    "valueNotFound \(anyArray) | \(path) | Cannot get unkeyed decoding container -- found null value instead"
}

func noElement(_ type: String, at path: String = "") -> String {
    "valueNotFound \(type) | \(path) | Unkeyed container is at end."
}

func noKey(_ key: String, at path: String = "", of type: String = "CodingKeys") -> String {
    "keyNotFound \(key) | \(path) | "
        + "No value associated with key \(type)(stringValue: \"\(key)\", intValue: nil) (\"\(key)\")."
}
