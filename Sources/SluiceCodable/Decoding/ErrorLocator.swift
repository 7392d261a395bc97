import SluiceCore

/// Locates an error on a tape: the entry of the value at the error's coding path.
enum ErrorLocator {
    /// Returns the entry of the value at fault, or the deepest entry on the way to the value.
    ///
    /// - Parameters:
    ///   - root: The entry at which the coding path begins.
    ///   - element: The index of the only element of the array at the root that is on the tape; nil if all are.
    static func entry(
        of error: any Error, on tape: TapeView, root: Int = Tape.root, element: Int? = nil,
        _ options: CodableDecodingOptions
    ) -> Int {
        guard let path = path(of: error) else { return root }
        var index = root
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
        case let error as StackUsedUp: error.path
        case let error as DecodingError:
            (error.context?.underlyingError as? ValueFailure)?.path ?? error.context?.codingPath
        default: nil
        }
    }

    /// Returns the hint of a missing key: a similar key of the object, or what the key strategy makes of that key.
    ///
    /// - Parameter entry: The entry of the object.
    static func hint(
        for error: any Error, at entry: Int, on tape: TapeView, _ options: CodableDecodingOptions
    ) -> String? {
        guard case DecodingError.keyNotFound(let key, let context) = error, context.underlyingError == nil,
            tape[entry].kind == .object
        else {
            return nil
        }
        var names: [String] = []
        tape.forEachKey(of: entry) {
            if names.count < Spelling.maximumCandidates { names.append(tape.string(tape[$0])) }
        }
        guard let name = Spelling.nearest(to: key.stringValue, among: names) else { return nil }
        let converted = options.converted(name, context.codingPath)
        // The client does not use a key that is in the object.
        if converted == key.stringValue { return nil }
        return converted == name
            ? Spelling.hint(name, for: key.stringValue) : "\"\(name)\" is converted to \"\(converted)\""
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
            // Dictionaries and models report the key of the input. A keyed container finds the first key that equals its own.
            if key is AnyCodingKey {
                let exact = value(in: index, on: tape) { tape.bytes($0).elementsEqual(key.stringValue.utf8) }
                if let exact { return exact }
            }
            let converted = value(in: index, on: tape) {
                options.converted(tape.string($0), path) == key.stringValue
            }
            // A client may report the key of the input.
            return converted ?? value(in: index, on: tape) { tape.string($0) == key.stringValue }
        default: return nil
        }
    }

    /// Returns the entry of the value of the first key that satisfies a predicate.
    private static func value(in object: Int, on tape: TapeView, ofKey isMatch: (TapeEntry) -> Bool) -> Int? {
        var value: Int?
        tape.forEachKey(of: object) { key in
            if value == nil, isMatch(tape[key]) { value = TapeView.value(ofKey: key) }
        }
        return value
    }
}
