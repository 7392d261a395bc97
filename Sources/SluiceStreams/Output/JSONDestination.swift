import SluiceCore

/// A destination of JSON: a file, or standard output.
public struct JSONDestination: Sendable {
    enum Form {
        case file(String, inPlace: Bool)
        case appending(String, removesIncompleteEnd: Bool)
        case standardOutput
        /// Bytes that a closure writes.
        case writing(ByteWriting)
        /// An error, thrown when the destination is written to.
        case invalid(JSONModelError)
    }

    let form: Form
    private var compression: OutputCompression?

    private init(form: Form) { self.form = form }

    /// The file at a path.
    ///
    /// A new file takes the place of the file, or of the target of a symbolic link, when all JSON has been written, so that no reader sees a
    /// part of the JSON. After an error, the file is unchanged. The new file has the permissions of the old one. Its owner, access control
    /// list and extended attributes are those of a new file, and other hard links keep the old contents. The folder must be writable. A file
    /// that is a mount point, such as a single file that is shared with a container, cannot be replaced, which is an error of the kind
    /// ``/SluiceCore/JSONIssue/Kind/unwritable(errno:_:)``. A pipe or device is written to directly.
    ///
    /// A pipe whose reader has ended is an error of the kind ``/SluiceCore/JSONIssue/Kind/unwritable(errno:_:)``. No signal is sent.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - inPlace: Whether the contents of the file are overwritten instead. The file keeps its hard links, owner, access control list and
    ///     extended attributes, and may be a mount point. A reader may see a part of the JSON, and after an error, the file has a part of
    ///     the JSON.
    public static func file(_ path: String, inPlace: Bool = false) -> JSONDestination {
        JSONDestination(form: .file(path, inPlace: inPlace))
    }

    /// The end of the file at a path, which is created if missing. Bytes that were written before an error remain.
    ///
    /// Before a writer of elements appends to a file, the end of the file is examined: if the process that wrote the file ended in the
    /// middle of an element, the next element would continue the incomplete one, and both would be lost. A number that no white space
    /// follows is incomplete, too, because its last digits may be missing. A complete last line without a line break is ended first. The
    /// last line, text sequence or event is examined; in the framings `.concatenated` and `.document`, and in compressed files, the whole
    /// file is read. In compressed files, an unfinished member is also incomplete, and so are zeros after the last member of gzip data,
    /// because no data can follow them. The file must not be written to by other processes at the same time.
    ///
    /// A value that is written as a whole is appended without this examination, except in compressed files.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - removesIncompleteEnd: Whether an incomplete last element is removed, and all complete elements stay. The last member of a
    ///     compressed file is compressed again if the member contains complete elements. By default, opening the file throws an error of the
    ///     kind ``/SluiceCore/JSONIssue/Kind/notAppendable(_:)`` at the offset of the incomplete element in the text of the file, which stays
    ///     unchanged.
    public static func appending(to path: String, removesIncompleteEnd: Bool = false) -> JSONDestination {
        JSONDestination(form: .appending(path, removesIncompleteEnd: removesIncompleteEnd))
    }

    /// A closure that writes bytes as a file, for tests of short and failing writes.
    package static func writing(_ write: @escaping ByteWriting) -> JSONDestination {
        JSONDestination(form: .writing(write))
    }

    /// Standard output.
    ///
    /// If standard output is a pipe whose reader has ended, the system sends the signal `SIGPIPE`, which ends a process by default, as a
    /// program in a pipeline should. A process that ignores the signal receives an error.
    public static var standardOutput: JSONDestination { JSONDestination(form: .standardOutput) }

    /// The destination, to which compressed data is written.
    ///
    /// ```swift
    /// try encoder.write(rows, to: .file("rows.json.gz").compressed(with: .gzip))
    /// ```
    ///
    /// The name of a file does not select a compression. If data is appended to a compressed file, the file has several members,
    /// which are read as one.
    ///
    /// - Parameters:
    ///   - format: The format, whose package trait must be on.
    ///   - level: The level, from 0 to 9 for gzip, and up to 22 for zstd, whose window is limited to 8 MB. Clamped to the levels of
    ///     the format. The default is that of the format.
    public func compressed(with format: JSONCompression, level: Int? = nil) -> JSONDestination {
        var destination = self
        destination.compression = OutputCompression(format: format, level: level)
        return destination
    }

    /// A destination that cannot be written to.
    package static func invalid(_ error: JSONModelError) -> JSONDestination {
        JSONDestination(form: .invalid(error))
    }

    /// Opens the destination.
    func open() throws(JSONModelError) -> OutputFile { try open(nil).file }

    /// Opens the destination of elements.
    ///
    /// - Parameter framing: The framing of the elements; nil for a value that is written as a whole.
    /// - Returns: The file, and the bytes that end the element before.
    func open(_ framing: JSONFraming?) throws(JSONModelError) -> (file: OutputFile, first: [UInt8]) {
        if let compression, !compression.format.isAvailable {
            throw JSONModelError(.unsupportedCompression(compression.format))
        }
        var first: [UInt8] = []
        let file: OutputFile
        switch form {
        case .file(let path, let inPlace): file = try OutputFile(path, inPlace: inPlace)
        case .appending(let path, let removesIncompleteEnd):
            (file, first) = try AppendedFile.open(path, framing, compression, removesIncompleteEnd)
        case .standardOutput: file = .standardOutput
        case .writing(let write): file = OutputFile(named: "the output", writing: write)
        case .invalid(let error): throw error
        }
        if let compression { try file.compress(compression) }
        return (file, first)
    }

    /// Writes the whole JSON to the destination.
    package func write(_ text: UnsafeRawBufferPointer) throws(JSONModelError) {
        let file = try open()
        try file.write(text)
        try file.commit()
    }

    /// Calls a closure with a function that writes chunks to the destination.
    func write(
        _ body: ((UnsafeRawBufferPointer) throws -> Void) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        let file = try open()
        try body { bytes in try file.write(bytes) }
        try file.commit()
    }
}
