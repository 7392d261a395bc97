import SluiceCore

extension JSONModelDecoder {
    /// Checks that an input consists of JSON values within the limits, and that each has a value at a path.
    ///
    /// - Parameters:
    ///   - input: The input. See ``/SluiceCore/JSONInput``.
    ///   - path: The path that must exist in each value. The default is the root.
    ///   - framing: The form in which the input holds its values. A document is one value.
    /// - Throws: ``/SluiceCore/JSONModelError``
    public func validate(
        _ input: borrowing some JSONInput & ~Copyable & ~Escapable, at path: JSONPath = JSONPath(),
        framing: JSONFraming
    ) throws(JSONModelError) {
        if framing == .document { return try validate(input, at: path) }
        // An invalid value is an error, however the decoder handles failed elements.
        var decoder = self
        if elementErrors == .skip { decoder.elementErrors = .throw }
        _ = try decoder.validateValues(input, at: path, framing: framing)
    }

    /// Checks each value of an input in constant memory. Invalid values are skipped if failed elements are.
    ///
    /// - Returns: The numbers of values.
    package func validateValues(
        _ input: borrowing some JSONInput & ~Copyable & ~Escapable, at path: JSONPath = JSONPath(),
        framing: JSONFraming
    ) throws(JSONModelError) -> JSONStreamSummary {
        var decoder = self
        // All of each value is checked, as in a document.
        decoder.stopsEarly = false
        // Other threads return elements, and a value that is checked has none.
        if workers.count > 1 { decoder.workers = .exactly(1) }
        // No value is made, so that no path selects a property.
        decoder.only = nil
        return try input.withContent { content throws(JSONModelError) in
            try validateTree(content)
            var nothing = IgnoredValue()
            return try withUnsafeMutablePointer(to: &nothing) { target throws(JSONModelError) in
                let stream = try ElementStream(
                    decoder, JSONShape.unretained(of: IgnoredValue.self), at: path, framing: framing,
                    target: target, needsElements: false
                ) { _ in true }
                try stream.read(content)
                return stream.summary
            }
        }
    }
}
