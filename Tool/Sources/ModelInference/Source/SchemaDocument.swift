import SluiceCore

/// A schema with its definitions.
struct SchemaDocument {
    let root: JSONValue

    /// Returns the schema at a pointer, such as `#/$defs/Order`.
    subscript(pointer: String) -> JSONValue? {
        guard pointer.hasPrefix("#") else { return nil }
        var value: JSONValue? = root
        for step in pointer.dropFirst().split(separator: "/") {
            let key = Self.unescaped(step)
            if case .array = value { value = Int(key).flatMap { value?[$0] } } else { value = value?[key] }
        }
        return value
    }

    /// Returns the pointer to the value at a path, such as `#/$defs/Order`.
    static func pointer(to path: JSONPath) -> String {
        path.components.reduce(into: "#") { pointer, component in
            switch component {
            case .key(let key):
                pointer += "/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
            case .index(let index): pointer += "/\(index)"
            case .anyIndex, .anyKey: pointer += "/*"
            }
        }
    }

    /// Returns the schema that a schema refers to, also through other references, or the schema itself without a reference.
    func resolved(_ schema: JSONValue) -> JSONValue {
        var schema = schema
        var seen: Set<String> = []
        while let pointer = schema["$ref"]?.string, seen.insert(pointer).inserted, let next = self[pointer] {
            schema = next
        }
        return schema
    }

    /// Returns a schema with the members and the keywords of the parts that apply together with it.
    ///
    /// Values are valid for all parts, so that of two parts with one keyword, either describes them.
    func merged(_ schema: JSONValue) -> JSONValue {
        var seen: Set<String> = []
        return merged(schema, &seen)
    }

    /// - Parameter seen: The references that were followed. A part adds nothing the second time, also inside of itself.
    private func merged(_ schema: JSONValue, _ seen: inout Set<String>) -> JSONValue {
        guard var keywords = schema.object, let parts = schema["allOf"]?.array else { return schema }
        for part in parts {
            if let pointer = part["$ref"]?.string, !seen.insert(pointer).inserted { continue }
            for (keyword, value) in merged(resolved(part), &seen).object ?? [:] {
                switch (keyword, keywords[keyword]) {
                case ("title", _), ("description", _), ("$defs", _), ("definitions", _), ("$ref", _): break
                case (_, nil): keywords[keyword] = value
                case ("properties", .object(let members)?):
                    keywords[keyword] = .object(Self.united(members, value.object ?? [:]))
                case ("required", .array(let others)?), ("allOf", .array(let others)?):
                    keywords[keyword] = .array(others + (value.array ?? []))
                default: break
                }
            }
        }
        return .object(keywords)
    }

    /// Returns the key of a step of a pointer.
    static func unescaped(_ step: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(step).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = UInt8(Substring(rest.prefix(2)), radix: 16) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self).replacing("~1", with: "/").replacing("~0", with: "~")
    }

    /// Returns the members of both objects. Of two schemas for one member, that with keywords is used.
    private static func united(_ members: JSONObject, _ others: JSONObject) -> JSONObject {
        others.reduce(into: members) { members, other in
            if members[other.key]?.object?.isEmpty != false { members[other.key] = other.value }
        }
    }
}
