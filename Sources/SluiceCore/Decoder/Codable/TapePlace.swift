/// Finds the place of an error: the entry of the value at the error's coding path.
enum TapePlace {
    /// Returns the entry of the value at fault, or the deepest entry on the way to the value.
    ///
    /// - Parameter element: The index of the only element of the array at the root that is on the tape; nil if all are.
    static func entry(of error: any Error, on tape: TapeView, element: Int?, _ options: CodableDecodingOptions)
        -> Int
    {
        guard let path = path(of: error) else { return Tape.root }
        var index = Tape.root
        var walked: [any CodingKey] = []
        for key in path {
            guard
                let next = child(of: index, key, walked, on: tape, element: walked.isEmpty ? element : nil, options)
            else { break }
            index = next
            walked.append(key)
        }
        return index
    }

    /// The coding path of an error.
    static func path(of error: any Error) -> [any CodingKey]? {
        switch error {
        case let error as UnrepresentableNumber: error.path
        case let error as DecodingError: error.context?.codingPath
        default: nil
        }
    }

    private static func child(
        of index: Int, _ key: any CodingKey, _ path: [any CodingKey], on tape: TapeView, element: Int?,
        _ options: CodableDecodingOptions
    ) -> Int? {
        switch tape[index].kind {
        case .array:
            guard let position = key.intValue, position >= 0 else { return nil }
            if let element { return position == element ? index + 1 : nil }
            guard position < Int(tape[index].count) else { return nil }
            return (0..<position).reduce(index + 1) { at, _ in tape.next(at) }
        case .object:
            var value: Int?
            tape.forEachKey(of: index) { entry in
                guard value == nil else { return }
                let name = tape.string(tape[entry])
                if name == key.stringValue
                    || options.convertsKeys && options.converted(name, path) == key.stringValue
                {
                    value = TapeView.value(ofKey: entry)
                }
            }
            return value
        default: return nil
        }
    }
}

extension DecodingError {
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The error with another underlying error.
    func with(underlying: any Error) -> DecodingError {
        func changed(_ context: Context) -> Context {
            Context(
                codingPath: context.codingPath, debugDescription: context.debugDescription,
                underlyingError: underlying)
        }
        switch self {
        case .typeMismatch(let type, let context): return .typeMismatch(type, changed(context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, changed(context))
        case .keyNotFound(let key, let context): return .keyNotFound(key, changed(context))
        case .dataCorrupted(let context): return .dataCorrupted(changed(context))
        @unknown default: return self
        }
    }

    /// The error as an issue, without a location.
    var issue: JSONIssue {
        let kind: JSONIssue.Kind =
            switch self {
            case .typeMismatch(let type, let context):
                .typeMismatch(expected: "\(type)", found: Self.found(context.debugDescription))
            case .valueNotFound(let type, _): .nullValue(expected: "\(type)")
            case .keyNotFound(let key, _): .missingKeys([key.stringValue])
            case .dataCorrupted(let context):
                .invalidValue(expected: "a value", reason: context.debugDescription)
            @unknown default: .thrown
            }
        return JSONIssue(kind: kind, path: JSONPath(context?.codingPath ?? []))
    }

    /// Returns the found type of a message of the decoder, or the whole message.
    private static func found(_ message: String) -> String {
        guard let start = message.utf8Range(of: "but found ")?.upperBound else { return message }
        let found = message[start...]
        return found.hasSuffix(" instead.") ? String(found.dropLast(9)) : String(found)
    }
}

extension String {
    fileprivate func utf8Range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            formIndex(after: &start)
        }
        return nil
    }
}

extension JSONPath {
    /// The path of coding keys.
    init(_ keys: [any CodingKey]) {
        self.init()
        components = keys.map { key in key.isIndex ? .index(key.intValue ?? 0) : .key(key.stringValue) }
    }
}

extension CodingKey {
    /// Whether the key is that of an element.
    fileprivate var isIndex: Bool { intValue.map { "Index \($0)" == stringValue } ?? false }
}
