/// Bytes that a closure reads as a file, for tests of short and failing reads.
package struct JSONReadingInput: JSONInput {
    private let length: Int?
    private let makeReading: () -> ByteReading

    /// Creates an input.
    ///
    /// - Parameters:
    ///   - length: The length of a regular file; nil for a file that is not regular, such as a pipe.
    ///   - makeReading: Begins to read the input. The result returns 0 at the end, and throws `Errno`.
    package init(length: Int?, _ makeReading: @escaping () -> ByteReading) {
        self.length = length
        self.makeReading = makeReading
    }

    package func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        let reader = FileReader(named: "the input", length: length, reading: makeReading())
        return try body(JSONInputContent(form: .text(.reader(reader))))
    }
}
