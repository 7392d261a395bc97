import SluiceCore

extension JSONModelDecoder {
    /// Decodes the first value of an input, whatever follows.
    ///
    /// ```swift
    /// let (answer, length) = try decoder.decodePrefix(Answer.self, from: reply, ignoresText: true)
    /// let rest = reply.utf8.dropFirst(length)
    /// ```
    ///
    /// The bytes after the value are not examined. A number or literal ends before white space, a bracket, a quote, a comma or a colon.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - input: The input. See ``/SluiceCore/JSONInput``.
    ///   - ignoresText: Whether the value is the first object or array, and the text before its opening bracket is ignored, such as the
    ///     words and the fence of Markdown that a language model writes around JSON. Otherwise only white space may precede the value.
    /// - Returns: The value, and the number of bytes of the input up to the end of the value.
    /// - Throws: ``/SluiceCore/JSONModelError``. An input without a value is an error.
    public func decodePrefix<T: JSONConvertible>(
        _ type: T.Type = T.self, from input: borrowing some JSONInput & ~Copyable & ~Escapable,
        ignoresText: Bool = false
    ) throws(JSONModelError) -> (value: T, byteCount: Int) {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let byteCount = try input.withContent { content throws(JSONModelError) -> Int in
            try content.text?.part.requireWhole()
            let stream = try ElementStream(
                forOneValue, JSONShape.unretained(of: type), at: JSONPath(), framing: .concatenated,
                extent: ignoresText ? .firstContainer : .firstValue, target: memory
            ) { _ in false }
            do throws(JSONModelError) { try stream.read(content) } catch { throw error.outsideOfStream }
            return stream.framer.valueEnd
        }
        return (memory.move(), byteCount)
    }
}
