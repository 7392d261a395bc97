/// A form of JSON that an encoder makes: `.bytes`, `.string` or `.value`; with Foundation, `.data` and `.object`.
///
/// ```swift
/// let text = try encoder.encode(repository, as: .string)
/// ```
public struct JSONOutput<Result>: Sendable {
    /// Makes the result of JSON in UTF-8, which is valid during the call only.
    let make: @Sendable (UnsafeRawBufferPointer) throws(JSONModelError) -> Result

    /// Makes the result of JSON in UTF-8.
    package func result(of text: UnsafeRawBufferPointer) throws(JSONModelError) -> Result { try make(text) }

    /// Creates an output of a closure that gets valid JSON in UTF-8. The bytes are valid during the call only.
    public init(_ make: @escaping @Sendable (UnsafeRawBufferPointer) throws(JSONModelError) -> Result) {
        self.make = make
    }
}

extension JSONOutput<[UInt8]> {
    /// UTF-8.
    public static var bytes: JSONOutput { JSONOutput { text throws(JSONModelError) in Array(text) } }
}

extension JSONOutput<String> {
    /// A string.
    public static var string: JSONOutput {
        JSONOutput { text throws(JSONModelError) in String(checkedUTF8: text.assumingMemoryBound(to: UInt8.self)) }
    }
}

extension JSONOutput<JSONValue> {
    /// A ``JSONValue``.
    public static var value: JSONOutput {
        // The value is made of the text, so that the two cannot differ.
        JSONOutput { text throws(JSONModelError) in
            var decoder = JSONModelDecoder()
            decoder.source = .scanner
            decoder.limits.depth = JSONLimits.greatestDepth
            (decoder.limits.number, decoder.limits.string, decoder.limits.key) = (.max, .max, .max)
            return try decoder.decode(JSONValue.self, from: text)
        }
    }
}

extension JSONValue {
    /// The value in the types that `make` gives its scalars, as arrays and dictionaries; built without recursion.
    package func object(_ null: Any, number: (JSONNumber) -> Any) -> Any {
        struct Level {
            let isArray: Bool
            var elements: [Any] = []
            var members: [String: Any] = [:]
            var key = ""
        }
        var levels: [Level] = []
        var result: Any = null
        var walk = TreeWalk(self) { $0.node }
        while let token = try? walk.next() {
            let made: Any
            switch token {
            case .null: made = null
            case .bool(let value): made = value
            case .number(let value): made = number(value)
            case .string(let text): made = text
            case .startArray:
                levels.append(Level(isArray: true))
                continue
            case .startObject:
                levels.append(Level(isArray: false))
                continue
            case .key(let key):
                levels[levels.count - 1].key = key
                continue
            case .endArray, .endObject:
                let level = levels.removeLast()
                made = level.isArray ? level.elements as Any : level.members
            }
            // In place, so that what is there is not copied for each.
            let top = levels.count - 1
            if top < 0 {
                result = made
            } else if levels[top].isArray {
                levels[top].elements.append(made)
            } else {
                levels[top].members[levels[top].key] = made
            }
        }
        return result
    }
}
