/// A destination of JSON: a file, or standard output.
public struct JSONDestination: Sendable {
    enum Form {
        case file(String)
        case appending(String, JSONIncompleteEnd)
        case standardOutput
        /// Bytes that a closure writes.
        case writing(ByteWriting)
        /// An error, thrown when the destination is written to.
        case refused(JSONModelError)
    }

    let form: Form
    private var compression: OutputCompression?

    private init(form: Form) { self.form = form }

    /// The file at a path.
    ///
    /// The file, or the target of a symbolic link, is replaced after all JSON has been written. After an error, the file is
    /// unchanged. A pipe or device is written to directly.
    public static func file(_ path: String) -> JSONDestination { JSONDestination(form: .file(path)) }

    /// The end of the file at a path, which is created if missing. Bytes that were written before an error remain.
    ///
    /// Before a writer of elements appends to a file, the end of the file is examined: if the process that wrote the file ended in the
    /// middle of an element, the next element would continue the incomplete one, and both would be lost. A complete last line without
    /// a line break is ended first. The last line, text sequence or event is examined; in the framings `.concatenated` and
    /// `.document`, and in compressed files, the whole file is read. In compressed files, an unfinished member is also incomplete,
    /// because no data can follow it. The file must not be written to by other processes at the same time.
    ///
    /// A value that is written as a whole is appended without this examination, except in compressed files.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - incompleteEnd: How a file whose last element is incomplete is treated. By default, opening the file is an error.
    public static func appending(
        to path: String, incompleteEnd: JSONIncompleteEnd = .refuse
    ) -> JSONDestination {
        JSONDestination(form: .appending(path, incompleteEnd))
    }

    /// A closure that writes bytes as a file, for tests of short and failing writes.
    package static func writing(_ write: @escaping ByteWriting) -> JSONDestination {
        JSONDestination(form: .writing(write))
    }

    /// Standard output.
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
    ///   - level: The level, from 0 to 9 for gzip, and up to 22 for zstd. Clamped to the levels of the format. The default is
    ///     that of the format.
    public func compressed(with format: JSONCompression, level: Int? = nil) -> JSONDestination {
        var destination = self
        destination.compression = OutputCompression(format: format, level: level)
        return destination
    }

    /// A destination that cannot be written to.
    package static func refused(_ error: JSONModelError) -> JSONDestination {
        JSONDestination(form: .refused(error))
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
        case .file(let path): file = try OutputFile(path)
        case .appending(let path, let incompleteEnd):
            first = try AppendedFile(path, framing, compression).prepare(incompleteEnd)
            file = try .appending(to: path)
        case .standardOutput: file = .standardOutput
        case .writing(let write): file = OutputFile(named: "the output", writing: write)
        case .refused(let error): throw error
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
    fileprivate func write(
        _ body: ((UnsafeRawBufferPointer) throws -> Void) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        let file = try open()
        try body { bytes in try file.write(bytes) }
        try file.commit()
    }
}

// JSON in chunks, so that the whole output is never in memory.

extension JSONModelEncoder {
    /// Writes a value to a file or to standard output.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - destination: The destination, such as `.file("repository.json")`.
    /// - Throws: ``JSONModelError``
    public func write<T: JSONConvertible>(
        _ value: T, to destination: JSONDestination
    ) throws(JSONModelError) {
        try destination.write { sink throws(JSONModelError) in try write(value, to: sink) }
    }

    /// Writes a value to a closure, in chunks of about 64 KB.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - sink: Receives the chunks. Each chunk is valid only during the call.
    /// - Throws: ``JSONModelError``. An error thrown by `sink` is the issue's ``JSONIssue/underlying``.
    public func write<T: JSONConvertible>(
        _ value: T, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws(JSONModelError) {
        try streamed(T.self, into: sink) { (writer, layout) throws(JSONModelError) in
            try withUnsafePointer(to: value) { address throws(JSONModelError) in
                try writer.write(layout, UnsafeRawPointer(address))
            }
        }
    }

    /// Writes the elements of a sequence as an array to a file or to standard output. Only one element is in memory at a time.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - destination: The destination, such as `.file("repositories.json")`.
    /// - Throws: ``JSONModelError``
    public func write<S: Sequence>(
        elements: S, to destination: JSONDestination
    ) throws(JSONModelError) where S.Element: JSONConvertible {
        try destination.write { sink throws(JSONModelError) in try write(elements: elements, to: sink) }
    }

    /// Writes the elements of a sequence as an array to a closure, in chunks of about 64 KB. Only one element is in memory at a
    /// time.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - sink: Receives the chunks. Each chunk is valid only during the call.
    /// - Throws: ``JSONModelError``. An error thrown by `sink` is the issue's ``JSONIssue/underlying``.
    public func write<S: Sequence>(
        elements: S, to sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws(JSONModelError) where S.Element: JSONConvertible {
        try streamed(S.Element.self, into: sink) { (writer, layout) throws(JSONModelError) in
            var index = 0
            try writer.open("[")
            for element in elements {
                writer.out.reserve(96)
                writer.out.comma()
                do throws(JSONModelError) {
                    try withUnsafePointer(to: element) { address throws(JSONModelError) in
                        try writer.write(layout, UnsafeRawPointer(address))
                    }
                } catch {
                    var error = error
                    for at in error.issues.indices { error.issues[at].path.components.insert(.index(index), at: 0) }
                    throw error
                }
                if writer.out.sinkError != nil { return }
                index += 1
            }
            writer.out.close("]")
        }
    }

    private func streamed<T: JSONConvertible>(
        _ type: T.Type, into sink: (UnsafeRawBufferPointer) throws -> Void,
        _ body: (inout ModelWriter, LayoutReference) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        let planCache = planCache
        let layout = try planCache.layout(for: JSONShape.unretained(of: type))
        defer { withExtendedLifetime(planCache) {} }
        let result = withoutActuallyEscaping(sink) { sink -> Result<Void, JSONModelError> in
            var writer = ModelWriter(options, sink: sink)
            do throws(JSONModelError) { try body(&writer, layout) } catch { return .failure(error) }
            writer.out.flush()
            guard let error = writer.out.sinkError else { return .success(()) }
            return .failure(error as? JSONModelError ?? writer.thrown(error))
        }
        try result.get()
    }
}
