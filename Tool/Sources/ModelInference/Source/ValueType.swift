/// The Swift type of values.
indirect enum ValueType: Hashable {
    case bool, int, uint64, int128, double, number, string, date, millisecondDate, uuid, url
    /// Any JSON.
    case any
    case array(ValueType)
    case dictionary(ValueType)
    case optional(ValueType)
    /// A value, null or a missing key.
    case presence(ValueType)
    /// A declared type.
    case named(String)

    /// The type in Swift.
    var text: String {
        switch self {
        case .bool: "Bool"
        case .int: "Int"
        case .uint64: "UInt64"
        case .int128: "Int128"
        case .double: "Double"
        case .number: "JSONNumber"
        case .string: "String"
        case .date, .millisecondDate: "Date"
        case .uuid: "UUID"
        case .url: "URL"
        case .any: "JSONValue"
        case .array(let element): "[\(element.text)]"
        case .dictionary(let value): "[String: \(value.text)]"
        case .optional(let value): "\(value.text)?"
        case .presence(let value): "JSONPresence<\(value.text)>"
        case .named(let name): name
        }
    }

    /// The name of a scalar in the name of an enum, such as `Number`.
    var scalarName: String { text.replacing("JSON", with: "") }

    /// Whether the type is one of Foundation, or contains one.
    var needsFoundation: Bool {
        switch self {
        case .date, .millisecondDate, .uuid, .url: true
        case .array(let inner), .dictionary(let inner), .optional(let inner), .presence(let inner):
            inner.needsFoundation
        default: false
        }
    }

    /// The innermost type in containers, and the number of containers.
    private var innermost: (type: ValueType, containers: Int) {
        switch self {
        case .array(let inner), .dictionary(let inner), .optional(let inner):
            (inner.innermost.type, inner.innermost.containers + 1)
        default: (self, 0)
        }
    }

    /// Whether a property of this type has a date that needs a transform, and the transform applies to it.
    var takesTransform: Bool { innermost.type == .millisecondDate && innermost.containers <= 3 }

    /// The type with dates that need no transform to be decoded.
    var withPlainDates: ValueType {
        switch self {
        case .millisecondDate: .date
        case .array(let inner): .array(inner.withPlainDates)
        case .dictionary(let inner): .dictionary(inner.withPlainDates)
        case .optional(let inner): .optional(inner.withPlainDates)
        case .presence(let inner): .presence(inner.withPlainDates)
        default: self
        }
    }

    /// The type without dates that need a transform.
    var withoutTransform: ValueType {
        switch self {
        case .millisecondDate: .string
        case .array(let inner): .array(inner.withoutTransform)
        case .dictionary(let inner): .dictionary(inner.withoutTransform)
        case .optional(let inner): .optional(inner.withoutTransform)
        case .presence(let inner): .presence(inner.withoutTransform)
        default: self
        }
    }
}
