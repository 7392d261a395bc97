import Foundation
import Sluice

/// Validates JSON by the keywords of JSON Schema, draft 2020-12, that schemas of models contain.
///
/// The contents of strings are validated, too: `contentSchema` is an assertion. `format` is an annotation.
public struct SchemaValidator {
    /// The schema with the definitions.
    private let root: JSONValue
    private let definitions: JSONObject?
    private let patterns = Patterns()

    public init(_ root: JSONValue) {
        self.root = root
        definitions = root["$defs"]?.object
    }

    public func accepts(_ value: JSONValue) -> Bool { evaluate(value, root) != nil }

    /// Returns the keys of the members that the schema evaluates; nil if the value is not valid.
    private func evaluate(_ value: JSONValue, _ schema: JSONValue) -> Set<String>? {
        if let isValid = schema.bool { return isValid ? [] : nil }
        guard let keywords = schema.object else { fatalError("\(schema) is not a schema") }
        var evaluated: Set<String> = []
        for (keyword, argument) in keywords {
            guard let keys = check(keyword, argument, value, keywords) else { return nil }
            evaluated.formUnion(keys)
        }
        if let rest = keywords["unevaluatedProperties"], let members = value.object {
            for (key, member) in members where !evaluated.contains(key) {
                guard evaluate(member, rest) != nil else { return nil }
                evaluated.insert(key)
            }
        }
        return evaluated
    }

    private func check(
        _ keyword: String, _ argument: JSONValue, _ value: JSONValue, _ keywords: JSONObject
    ) -> Set<String>? {
        func holds(_ condition: Bool) -> Set<String>? { condition ? [] : nil }
        switch keyword {
        case "$schema", "$defs", "$comment", "title", "description", "default", "format", "contentMediaType",
            "unevaluatedProperties":
            return []
        case "$ref": return evaluate(value, target(of: argument.string!))
        case "type": return holds((argument.array ?? [argument]).contains { Self.isType($0.string!, value) })
        case "enum": return holds(argument.array!.contains { Self.areEqual($0, value) })
        case "const": return holds(Self.areEqual(argument, value))
        case "not": return holds(evaluate(value, argument) == nil)
        case "allOf", "anyOf", "oneOf":
            let schemas = argument.array!
            let results = schemas.compactMap { evaluate(value, $0) }
            let isValid =
                switch keyword {
                case "allOf": results.count == schemas.count
                case "anyOf": !results.isEmpty
                default: results.count == 1
                }
            return isValid ? results.reduce(into: []) { $0.formUnion($1) } : nil
        default: break
        }
        switch value {
        case .object(let members): return check(keyword, argument, members, keywords)
        case .array(let elements): return holds(check(keyword, argument, elements, keywords))
        case .string(let text): return holds(check(keyword, argument, text))
        case .number(let number): return holds(check(keyword, argument, number))
        case .null, .bool: return holds(Self.isKnown(keyword))
        }
    }

    // MARK: Objects, arrays and scalars

    private func check(
        _ keyword: String, _ argument: JSONValue, _ members: JSONObject, _ keywords: JSONObject
    ) -> Set<String>? {
        var evaluated: Set<String> = []
        switch keyword {
        case "properties":
            for (key, schema) in argument.object! {
                guard let member = members[key] else { continue }
                guard evaluate(member, schema) != nil else { return nil }
                evaluated.insert(key)
            }
        case "additionalProperties":
            let declared = keywords["properties"]?.object
            for (key, member) in members where declared?[key] == nil {
                guard evaluate(member, argument) != nil else { return nil }
                evaluated.insert(key)
            }
        case "required": if !argument.array!.allSatisfy({ members[$0.string!] != nil }) { return nil }
        case "dependentRequired":
            for (key, others) in argument.object! where members[key] != nil {
                if !others.array!.allSatisfy({ members[$0.string!] != nil }) { return nil }
            }
        case "propertyNames": if !members.allSatisfy({ evaluate(.string($0.key), argument) != nil }) { return nil }
        case "minProperties": if members.count < Self.count(argument) { return nil }
        case "maxProperties": if members.count > Self.count(argument) { return nil }
        default: if !Self.isKnown(keyword) { return nil }
        }
        return evaluated
    }

    private func check(
        _ keyword: String, _ argument: JSONValue, _ elements: [JSONValue], _ keywords: JSONObject
    ) -> Bool {
        let prefix = keywords["prefixItems"]?.array ?? []
        switch keyword {
        case "prefixItems": return zip(elements, prefix).allSatisfy { evaluate($0, $1) != nil }
        case "items": return elements.dropFirst(prefix.count).allSatisfy { evaluate($0, argument) != nil }
        case "minItems": return elements.count >= Self.count(argument)
        case "maxItems": return elements.count <= Self.count(argument)
        default: return Self.isKnown(keyword)
        }
    }

    private func check(_ keyword: String, _ argument: JSONValue, _ text: String) -> Bool {
        switch keyword {
        case "pattern": return patterns.matches(argument.string!, text)
        case "contentSchema":
            guard let value = try? JSONModelDecoder().decode(JSONValue.self, from: text) else { return false }
            return evaluate(value, argument) != nil
        default: return Self.isKnown(keyword)
        }
    }

    private func check(_ keyword: String, _ argument: JSONValue, _ number: JSONNumber) -> Bool {
        switch keyword {
        case "minimum": Self.number(number) >= Self.number(argument.number!)
        case "maximum": Self.number(number) <= Self.number(argument.number!)
        default: Self.isKnown(keyword)
        }
    }

    // MARK: Facts

    /// Whether a keyword has a meaning for values of another type than the one at hand. A keyword without a meaning is a fault of this
    /// validator.
    private static func isKnown(_ keyword: String) -> Bool {
        let keywords: Set = [
            "properties", "additionalProperties", "required", "dependentRequired", "propertyNames", "minProperties",
            "maxProperties",
            "prefixItems", "items", "minItems", "maxItems", "pattern", "contentSchema", "minimum", "maximum",
        ]
        precondition(keywords.contains(keyword), "\(keyword) is not implemented")
        return true
    }

    private static func isType(_ name: String, _ value: JSONValue) -> Bool {
        switch (name, value) {
        case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let number)): isInteger(number)
        default: false
        }
    }

    /// Whether the digits of a number have no fraction.
    private static func isInteger(_ number: JSONNumber) -> Bool {
        let parts = number.description.lowercased().split(separator: "e")
        let digits = parts[0].split(separator: ".")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? .max : 0
        let fraction = digits.count > 1 ? digits[1].reversed().drop { $0 == "0" }.count : 0
        if fraction > 0 { return fraction <= exponent }
        let zeros = digits[0].reversed().prefix { $0 == "0" }.count
        return exponent >= 0 || -exponent <= zeros || digits[0].allSatisfy { "-0".contains($0) }
    }

    /// Ranges of 128 bits are compared as `Double`: an outcome near their ends is not judged.
    private static func number(_ number: JSONNumber) -> Double { Double(number.description) ?? .nan }

    private static func count(_ argument: JSONValue) -> Int { Int(number(argument.number!)) }

    private static func areEqual(_ a: JSONValue, _ b: JSONValue) -> Bool {
        if case (.number(let a), .number(let b)) = (a, b) { return number(a) == number(b) }
        return a == b
    }

    private func target(of reference: String) -> JSONValue {
        if reference == "#" { return root }
        guard reference.hasPrefix("#/$defs/"), let target = definitions?[String(reference.dropFirst(8))] else {
            fatalError("\(reference) refers to nothing")
        }
        return target
    }

    /// The compiled patterns.
    private final class Patterns {
        private var compiled: [String: NSRegularExpression] = [:]

        func matches(_ pattern: String, _ text: String) -> Bool {
            let expression: NSRegularExpression
            if let known = compiled[pattern] {
                expression = known
            } else {
                // `$` is the end of the text in JSON Schema, and the end or the line break before it in Foundation.
                expression = try! NSRegularExpression(pattern: pattern.replacing("$", with: "\\z"))
                compiled[pattern] = expression
            }
            return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
        }
    }
}
