import Testing

@testable import SluiceCore

/// A scalar as the text that a source would read.
enum Scalar: Sendable, CustomStringConvertible {
    case string(String)
    case number(String)
    case bool(Bool)

    var description: String {
        switch self {
        case .string(let text): "\"\(text)\""
        case .number(let text): text
        case .bool(let value): "\(value)"
        }
    }
}

extension Scalar: ExpressibleByStringLiteral { init(stringLiteral value: String) { self = .string(value) } }

/// What becomes of a scalar under a coercion, or why nothing does.
///
/// The scalar's bytes end where their memory does, so that the address sanitizer sees a read beyond them.
func coerce<T: JSONConvertible>(_ scalar: Scalar, to type: T.Type = T.self, _ coercion: JSONCoercion) throws -> T {
    let shape = JSONShape.of(T.self)
    // As the driver has it: nil, whose tag the value has to take away.
    let memory = UnsafeMutableRawPointer.allocate(
        byteCount: max(shape.layout.pointee.size, 1), alignment: shape.layout.pointee.alignmentMask + 1)
    defer { memory.deallocate() }
    if let none = shape.layout.pointee.none { memory.copyMemory(from: none, byteCount: shape.layout.pointee.size) }
    let text = Array(scalar.text.utf8)
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    defer { bytes.deallocate() }
    _ = bytes.initialize(fromContentsOf: text)
    let content: JSONScalar.Content =
        switch scalar {
        case .string: .string(UnsafeBufferPointer(bytes))
        case .number: .number(NumberToken(checked: UnsafePointer(bytes.baseAddress!), count: bytes.count))
        case .bool(let value): .bool(value)
        }
    try shape.fill(memory, with: JSONScalar(content: content), coercion: coercion)
    return memory.assumingMemoryBound(to: T.self).move()
}

extension Scalar {
    fileprivate var text: String {
        switch self {
        case .string(let text), .number(let text): text
        case .bool: ""
        }
    }
}

/// Why a scalar becomes no value.
func refusal<T: JSONConvertible>(
    of scalar: Scalar, as type: T.Type, _ coercion: JSONCoercion, sourceLocation: SourceLocation = #_sourceLocation
) -> JSONModelError.ConversionFailure? {
    #expect(throws: JSONModelError.ConversionFailure.self, "\(scalar)", sourceLocation: sourceLocation) {
        _ = try coerce(scalar, to: type, coercion)
    }
}
