extension Recording {
    /// The recorded value as a `JSONValue`, or nil if it nests too deeply. The last of duplicate keys wins.
    var value: JSONValue? {
        var open: [OpenValue] = []
        var cursor = self.cursor
        while let token = cursor.next() {
            let complete: JSONValue
            switch token.kind {
            case .beginObject, .beginArray:
                if open.count == JSONValue.greatestDepth { return nil }
                open.append(OpenValue(isObject: token.kind == .beginObject))
                continue
            case .key:
                open[open.count - 1].key = storage.string(token)
                continue
            case .endObject, .endArray: complete = open.removeLast().value
            case .string: complete = .string(storage.string(token))
            case .number:
                complete = .number(
                    JSONNumber(NumberToken(checked: storage.bytes + token.start, count: token.end - token.start)))
            case .bool: complete = .bool(storage.bytes[token.start] == UInt8(ascii: "t"))
            case .null: complete = .null
            }
            guard !open.isEmpty else { return complete }
            open[open.count - 1].add(complete)
        }
        return .null
    }
}

/// An object or array whose end has not been read.
private struct OpenValue {
    let isObject: Bool
    var elements: [JSONValue] = []
    var members = JSONObject()
    var key = ""

    init(isObject: Bool) { self.isObject = isObject }

    mutating func add(_ value: JSONValue) {
        if isObject { members[key] = value } else { elements.append(value) }
    }

    var value: JSONValue { isObject ? .object(members) : .array(elements) }
}
