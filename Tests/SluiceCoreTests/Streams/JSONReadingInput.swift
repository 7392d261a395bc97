@testable import SluiceCore

/// Bytes that a closure reads as a file, in short and failing reads.
struct JSONReadingInput: JSONInput {
    private let length: Int?
    private let makeReading: () -> ByteReading

    /// - Parameters:
    ///   - length: The length of a regular file; nil for a file that is not regular, such as a pipe.
    ///   - makeReading: Begins to read the input. The result waits for bytes, and reads them. It returns 0 at the end, and throws `Errno`.
    init(length: Int?, _ makeReading: @escaping () -> ByteReading) {
        self.length = length
        self.makeReading = makeReading
    }

    func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        let reader = FileReader(named: "the input", length: length, reading: makeReading())
        return try body(JSONInputContent(form: .text(.reader(reader))))
    }
}
