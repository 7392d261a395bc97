/// A form of JSON that an encoder produces: `.bytes`, `.string` or `.value`; with Foundation, `.data` and `.object`.
///
/// ```swift
/// let text = try encoder.encode(repository, as: .string)
/// ```
public struct JSONOutput<Result>: Sendable {
    /// Makes the result from JSON in UTF-8. The bytes are valid only during the call.
    package let make: @Sendable (UnsafeRawBufferPointer) throws(JSONModelError) -> Result
    /// Makes the result in memory of a capacity, in which a closure writes the JSON and returns its length; nil if the JSON is always
    /// passed to `make`.
    let makeInPlace: (@Sendable (Int, (UnsafeMutableBufferPointer<UInt8>) -> Int) -> Result)?

    /// Creates an output from a closure that receives valid JSON in UTF-8.
    ///
    /// - Parameter make: Makes the result. The bytes are valid only during the call.
    public init(_ make: @escaping @Sendable (UnsafeRawBufferPointer) throws(JSONModelError) -> Result) {
        self.init(copying: make, inPlace: nil)
    }

    package init(
        copying make: @escaping @Sendable (UnsafeRawBufferPointer) throws(JSONModelError) -> Result,
        inPlace makeInPlace: (@Sendable (Int, (UnsafeMutableBufferPointer<UInt8>) -> Int) -> Result)?
    ) {
        (self.make, self.makeInPlace) = (make, makeInPlace)
    }
}

extension JSONOutput<[UInt8]> {
    /// An array of UTF-8 bytes.
    public static var bytes: JSONOutput {
        JSONOutput(
            copying: { text throws(JSONModelError) in Array(text) },
            inPlace: { capacity, write in Array(unsafeUninitializedCapacity: capacity) { $1 = write($0) } })
    }
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
        // The value is decoded from the JSON, so that both cannot differ.
        JSONOutput { text throws(JSONModelError) in
            var decoder = JSONModelDecoder()
            decoder.source = .scanner
            decoder.limits.depth = JSONLimits.maximumDepth
            (decoder.limits.number, decoder.limits.string, decoder.limits.key) = (.max, .max, .max)
            return try decoder.decode(JSONValue.self, from: text)
        }
    }
}

extension JSONValue {
    /// Returns the value as arrays, dictionaries and scalars. Uses no recursion.
    ///
    /// - Parameters:
    ///   - null: The result for `null`.
    ///   - number: Returns the result for a number.
    /// - Throws: ``JSONModelError`` if keys are canonically equivalent, because a dictionary cannot hold both.
    package func object(_ null: Any, number: (JSONNumber) -> Any) throws(JSONModelError) -> Any {
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
            let converted: Any
            switch token {
            case .null: converted = null
            case .bool(let value): converted = value
            case .number(let value): converted = number(value)
            case .string(let text): converted = text
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
                converted = level.isArray ? level.elements as Any : level.members
            }
            // Append in place, so that each append does not copy the existing elements.
            let top = levels.count - 1
            if top < 0 {
                result = converted
            } else if levels[top].isArray {
                levels[top].elements.append(converted)
            } else {
                let key = levels[top].key
                guard levels[top].members.updateValue(converted, forKey: key) == nil else {
                    var issue = JSONIssue.encoding(
                        .notEncodable("a dictionary has one of two equivalent keys \"\(key)\""))
                    let steps: [JSONPath.Component] = levels[..<top].map { level in
                        level.isArray ? .index(level.elements.count) : .key(level.key)
                    }
                    issue.path = JSONPath(steps)
                    throw JSONModelError(issues: [issue])
                }
            }
        }
        return result
    }
}
