/// The error for a value that a conversion refused, with the contents of its issue.
struct RefusedValue: Error {
    let kind: JSONIssue.Kind
    var hint: String?

    init(_ kind: JSONIssue.Kind) { self.kind = kind }

    /// Creates the error for a value that a transform could not convert.
    ///
    /// - Parameter expectation: The expected value in messages.
    init<Value>(
        _ value: Any, for type: Value.Type, expectation: String, _ problem: JSONModelError.ConversionFailure
    ) {
        let name = String(describing: type)
        switch problem {
        case .mismatch: kind = .typeMismatch(expected: name, found: Self.description(of: value))
        case .outOfRange: kind = .numberOutOfRange(type: name, text: Self.description(of: value))
        case .notAnInteger: kind = .notAnInteger(type: name, text: Self.description(of: value))
        case .invalid(let why, let hint):
            kind = .invalidValue(expected: expectation, reason: why)
            self.hint = hint
        }
    }

    /// Describes a value in a message: the contents of a scalar, or the kind of a container.
    private static func description(of value: Any) -> String {
        switch value {
        case let value as JSONValue:
            switch value {
            case .array: return "an array"
            case .object: return "an object"
            default: return shortened(value.description)
            }
        case let text as String: return shortened(String(reflecting: text))
        case is any JSONModel: return "an object"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .set: return "an array"
        case .dictionary: return "an object"
        case .optional: return mirror.children.first.map { description(of: $0.value) } ?? "null"
        default: return shortened(String(describing: value))
        }
    }

    private static func shortened(_ text: String) -> String { text.count > 80 ? "\(text.prefix(80))…" : text }
}

/// The error for a part of a value that a conversion refused. The path and the location of the issue begin at the value. In line 0,
/// the location is that of the whole value.
struct RefusedPart: Error {
    let issue: JSONIssue
}
