/// Bytes that a closure reads as a file: those of a pipe that is open, or in tests, those of short and failing reads.
package struct JSONReadingInput: JSONInput {
    private let name: String
    private let length: Int?
    private let makeReading: () -> ByteReading

    /// Creates an input.
    ///
    /// - Parameters:
    ///   - name: The name for messages.
    ///   - length: The length of a regular file; nil for a file that is not regular, such as a pipe.
    ///   - makeReading: Begins to read the input. The result waits for bytes, and reads them. It returns 0 at the end, and throws `Errno`.
    package init(named name: String = "the input", length: Int?, _ makeReading: @escaping () -> ByteReading) {
        self.name = name
        self.length = length
        self.makeReading = makeReading
    }

    package func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        let reader = FileReader(named: name, length: length, reading: makeReading())
        return try body(JSONInputContent(form: .text(.reader(reader))))
    }
}
