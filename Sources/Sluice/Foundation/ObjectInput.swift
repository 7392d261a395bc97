// FoundationEssentials does not have the classes that property lists and `JSONSerialization` produce.
#if Foundation || canImport(Darwin)
import Foundation
#else
import FoundationEssentials
#endif

/// Dictionaries and arrays in memory, as an input. See `JSONInput.object(_:)`.
private struct ObjectInput: JSONInput {
    let object: Any

    func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try body(
            .tree(object) { object, decoder in
                try ObjectNode.look(object, decoder[JSONDateStrategy.self] ?? .automatic)
            })
    }
}

extension JSONInput where Self == JSONFileInput {
    /// Dictionaries and arrays in memory, such as the result of `JSONSerialization` or `PropertyListSerialization`.
    ///
    /// Supported values are strings, numbers and booleans of Swift and Foundation, `NSNull`, nil, `Date`, `Data`, `UUID`,
    /// `URL`, `Decimal` and `JSONValue`. Any other value is an error if a property is decoded from the value.
    ///
    /// - Parameter object: A dictionary, an array or another supported value.
    public static func object(_ object: Any) -> some JSONInput { ObjectInput(object: object) }
}

/// The conversion of objects in memory to nodes of a JSON tree.
private enum ObjectNode {
    /// Returns the node of an object.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the object has no JSON form.
    static func look(_ object: Any, _ dates: JSONDateStrategy) throws -> TreeNode<Any> {
        if let node = try scalar(object, dates) { return node }
        // Before numbers, because a cast of an optional would convert the `NSNumber` inside.
        if let wrapper = object as? any AnyOptional {
            guard let value = wrapper.anyValue else { return .null }
            return try look(value, dates)
        }
        if let node = try number(object) { return node }
        if let array = object as? [Any] { return .array(array) }
        if let members = object as? [String: Any] { return .object(members.map { ($0.key, $0.value) }) }
        if object is [AnyHashable: Any] {
            throw JSONModelError.ConversionFailure.invalid("a dictionary whose keys are not strings")
        }
        throw JSONModelError.ConversionFailure.invalid("a value of the type \(type(of: object)) has no JSON form")
    }

    private static func scalar(_ object: Any, _ dates: JSONDateStrategy) throws -> TreeNode<Any>? {
        // The type decides, because a cast would convert an `NSNumber` to `Bool`.
        if type(of: object) is AnyClass { return try instance(object, dates) }
        switch object {
        case let text as String: return .string(text)
        case let text as Substring: return .string(String(text))
        case let value as Bool where type(of: object) == Bool.self: return .bool(value)
        case let date as Date: return node(try dates.encode(date))
        case let data as Data: return .string(data.base64EncodedString())
        case let id as UUID: return .string(id.uuidString)
        case let url as URL: return .string(url.absoluteString)
        case let value as JSONValue: return node(value)
        default: return nil
        }
    }

    /// Returns the node of a Swift number, or nil for any other object.
    private static func number(_ object: Any) throws -> TreeNode<Any>? {
        switch object {
        case let value as Int: .number(JSONNumber(value))
        case let value as any BinaryInteger: .number(JSONNumber(unchecked: "\(value)"))
        case let value as Double: try finite(value.isFinite, "\(value)")
        case let value as Decimal: try finite(value.isFinite, "\(value)")
        case let value as any BinaryFloatingPoint & CustomStringConvertible: try finite(value.isFinite, "\(value)")
        default: nil
        }
    }

    /// Returns the node of a number.
    ///
    /// - Throws: `JSONModelError.ConversionFailure` if the number is not finite.
    private static func finite(_ isFinite: Bool, _ text: String) throws -> TreeNode<Any> {
        guard isFinite else { throw JSONModelError.ConversionFailure.invalid("\(text) is not a JSON number") }
        return .number(JSONNumber(unchecked: text))
    }

    #if Foundation || canImport(Darwin)
    /// Returns the node of an instance of a Foundation class, or nil for any other class.
    private static func instance(_ object: Any, _ dates: JSONDateStrategy) throws -> TreeNode<Any>? {
        switch object {
        case is NSNull: .null
        case let number as NSNumber: try self.number(number)
        case let text as NSString: .string("\(text)")
        case let date as NSDate: try look(date as Date, dates)
        case let data as NSData: try look(data as Data, dates)
        case let url as NSURL: try look(url as URL, dates)
        case let id as NSUUID: try look(id as UUID, dates)
        default: nil
        }
    }

    /// Returns the node of an `NSNumber`. The instances for `true` and `false` are unique and identify a boolean.
    private static func number(_ number: NSNumber) throws -> TreeNode<Any> {
        if number === NSNumber(value: true) { return .bool(true) }
        if number === NSNumber(value: false) { return .bool(false) }
        if let decimal = number as? NSDecimalNumber {
            guard decimal.decimalValue.isFinite else { throw nonFinite(number) }
            return .number(JSONNumber(unchecked: decimal.decimalValue.description))
        }
        switch number.objCType.pointee {
        case CChar(UInt8(ascii: "d")), CChar(UInt8(ascii: "f")):
            let isFloat = number.objCType.pointee == CChar(UInt8(ascii: "f"))
            guard number.doubleValue.isFinite else { throw nonFinite(number) }
            return .number(
                JSONNumber(unchecked: isFloat ? "\(number.floatValue)" : "\(number.doubleValue)"))
        case CChar(UInt8(ascii: "Q")): return .number(JSONNumber(number.uint64Value))
        default: return .number(JSONNumber(number.int64Value))
        }
    }

    private static func nonFinite(_ number: NSNumber) -> JSONModelError.ConversionFailure {
        .invalid("\(number) is not a JSON number")
    }
    #else
    /// Returns the node of an instance of a Foundation class, or nil for any other class.
    ///
    /// The program may link Foundation although this module does not. The classes cannot be named here, but the casts at
    /// run time find the bridging conformances of Foundation.
    private static func instance(_ object: Any, _ dates: JSONDateStrategy) throws -> TreeNode<Any>? {
        switch "\(type(of: object))" {
        case "NSNull": return .null
        case "__NSCFBoolean": return (object as? Bool).map { .bool($0) }
        default: break
        }
        switch object {
        case let text as String: return .string(text)
        case is Double, is Int64, is UInt64:
            // For every numeric type, the description has all digits.
            guard let number = try? JSONNumber("\(object)") else {
                throw JSONModelError.ConversionFailure.invalid("\(object) is not a JSON number")
            }
            return .number(number)
        case let date as Date: return node(try dates.encode(date))
        case let data as Data: return .string(data.base64EncodedString())
        case let url as URL: return .string(url.absoluteString)
        case let id as UUID: return .string(id.uuidString)
        default: return nil
        }
    }
    #endif

    private static func node(_ value: JSONValue) -> TreeNode<Any> {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements)
        case .object(let members): .object(members.map { ($0.key, $0.value) })
        }
    }
}

/// An optional inside an `Any`.
private protocol AnyOptional {
    var anyValue: Any? { get }
}

extension Optional: AnyOptional {
    var anyValue: Any? { map { $0 } }
}
