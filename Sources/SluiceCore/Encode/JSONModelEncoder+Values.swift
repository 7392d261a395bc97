// Values in memory instead of text.

extension JSONModelEncoder {
    /// Encodes a value as a `JSONValue`.
    ///
    /// - Throws: ``JSONModelError``
    public func encodeToValue<T: JSONFillable>(_ value: T) throws(JSONModelError) -> JSONValue {
        // By way of the text: what stands there and what comes out here can't differ.
        let bytes = try encode(value)
        var decoder = JSONModelDecoder()
        decoder.source = .scanner
        decoder.limits.depth = JSONLimits.greatestDepth
        (decoder.limits.number, decoder.limits.string, decoder.limits.key) = (.max, .max, .max)
        return try decoder.decode(JSONValue.self, from: bytes)
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
