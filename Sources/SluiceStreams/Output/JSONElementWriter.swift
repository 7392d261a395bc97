import SluiceCore

/// Writes elements one by one, as an array, as lines, or in another framing.
///
/// ```swift
/// var writer = try encoder.writer(to: .file("rows.jsonl"), framing: .lines)
/// for row in rows { try writer.write(row) }
/// try writer.finish()
/// ```
///
/// Elements are passed on in chunks of at least 64 KB. `flush` and `finish` pass on a last, shorter chunk, and none if no byte is left. A
/// compressor keeps up to 1 MB of text until then.
///
/// Without `finish`, a file that would be replaced is unchanged. Any other destination receives the last elements when the writer is
/// destroyed, without the end of the output. No error can then be thrown, so call `finish`.
///
/// After an error of the destination, the writer keeps all elements that are not complete in the destination, including the element
/// of the failed `write`. The next call, also of `finish`, passes on the rest: bytes that were written are not written again. Do not write
/// the element again. If the destination is a closure, an error means that the closure has accepted no byte of its chunk.
public struct JSONElementWriter: ~Copyable {
    private enum Target {
        case file(OutputFile)
        case closure((UnsafeRawBufferPointer) throws -> Void)
    }

    private let target: Target
    package var output: FramedOutput
    /// Whether the destination has everything, or has failed.
    private var isDone = false

    fileprivate init(_ file: OutputFile, _ output: FramedOutput) {
        target = .file(file)
        self.output = output
    }

    fileprivate init(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void, _ output: FramedOutput) {
        target = .closure(sink)
        self.output = output
    }

    deinit {
        if isDone { return }
        // An error cannot be thrown.
        switch target {
        case .file(let file):
            if file.isReplacement { return }
            try? output.bytes.withUnsafeBytes { try file.write($0) }
            try? file.commit()
        case .closure(let sink): if !output.bytes.isEmpty { try? output.bytes.withUnsafeBytes { try sink($0) } }
        }
    }

    /// The number of elements that were written.
    public var count: Int { output.count }

    /// Writes an element.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``. If the element cannot be encoded, the output has no part of the element, and further
    ///   elements can be written. If the destination fails, the writer keeps the element for the next call. The issue's
    ///   ``/SluiceCore/JSONIssue/elementIndex`` is the number of elements that are complete in the destination.
    public mutating func write<T: JSONConvertible>(_ element: T) throws(JSONModelError) {
        try output.append(element)
        if output.isFull { try pass() }
    }

    /// Passes all elements to the destination, or after an error, the rest of them.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``. The issue's ``/SluiceCore/JSONIssue/elementIndex`` is the number of elements that are complete
    ///   in the destination.
    public mutating func flush() throws(JSONModelError) { try pass(flushes: true) }

    /// The number of bytes of text after which a compressor is flushed. Each time costs a part of the compression, and until then, the output
    /// keeps the ends of the elements.
    private static var flushedLength: Int { 1 << 20 }

    /// - Parameter flushes: Whether a compressor keeps no bytes.
    package mutating func pass(flushes: Bool = false) throws(JSONModelError) {
        isDone = true
        switch target {
        case .file(let file):
            let before = file.acceptedCount
            var failure: JSONModelError?
            do throws(JSONModelError) {
                try output.bytes.withUnsafeBytes { bytes in
                    Result { () throws(JSONModelError) in try file.write(bytes) }
                }.get()
                if flushes || file.acceptedCount - file.count >= Self.flushedLength { try file.flush() }
            } catch { failure = error }
            output.accept(file.acceptedCount - before)
            output.complete(in: file.count)
            if let failure { throw output.located(failure) }
        case .closure(let sink):
            // An empty chunk ends the body of a response in chunks.
            if !output.bytes.isEmpty {
                do { try output.bytes.withUnsafeBytes { try sink($0) } } catch {
                    var issue = JSONIssue(kind: .thrown)
                    issue.underlying = error
                    throw output.located(error as? JSONModelError ?? JSONModelError(issues: [issue]))
                }
            }
            output.completeAll()
        }
        isDone = false
    }

    /// Ends the output, and completes the file. No element can be written afterwards.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``. After an error of the destination, another call passes on the rest. See ``flush()``.
    public mutating func finish() throws(JSONModelError) {
        output.end()
        try flush()
        isDone = true
        if case .file(let file) = target { try file.commit() }
    }
}

/// Writes elements one by one to an asynchronous destination.
///
/// ```swift
/// var writer = encoder.writer(to: { chunk in try await connection.send(chunk) }, framing: .lines)
/// for try await row in rows { try await writer.write(row) }
/// try await writer.finish()
/// ```
///
/// Elements are passed on in chunks of at least 64 KB. `write` waits until the destination has accepted a chunk.
///
/// An error of the destination means that the destination has accepted no byte of its chunk. The writer keeps the chunk with the
/// element of the failed `write`, and the next call, also of `finish`, passes the chunk on again. A writer that is destroyed cannot wait
/// for its destination: without `finish` or `flush`, up to 64 KB of elements are lost.
public struct JSONAsyncElementWriter: ~Copyable {
    private let sink: ([UInt8]) async throws -> Void
    package var output: FramedOutput

    fileprivate init(_ sink: @escaping ([UInt8]) async throws -> Void, _ output: FramedOutput) {
        self.sink = sink
        self.output = output
    }

    /// The number of elements that were written.
    public var count: Int { output.count }

    /// The number of elements that the destination has accepted.
    public var acceptedCount: Int { output.passedCount }

    /// Writes an element.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError`` if the element cannot be encoded, after which further elements can be written; or the error
    ///   of the destination, after which the writer keeps the element for the next call.
    public mutating func write<T: JSONConvertible>(
        _ element: T, isolation actor: isolated (any Actor)? = #isolation
    ) async throws {
        try output.append(element)
        if output.isFull { try await flush() }
    }

    /// Passes all elements to the destination.
    public mutating func flush(isolation actor: isolated (any Actor)? = #isolation) async throws {
        if output.bytes.isEmpty { return }
        try await sink(output.bytes)
        output.completeAll()
    }

    /// Ends the output. No element can be written afterwards. After an error of the destination, another call passes on the rest.
    public mutating func finish(isolation actor: isolated (any Actor)? = #isolation) async throws {
        output.end()
        try await flush()
    }
}

extension JSONModelEncoder {
    /// Returns a writer of elements to a file or to standard output.
    ///
    /// - Parameters:
    ///   - destination: The destination, such as `.file("rows.jsonl")` or `.appending(to: "log.jsonl")`.
    ///   - framing: The form of the output. A document is an array of the elements.
    /// - Throws: ``/SluiceCore/JSONModelError`` if the destination cannot be opened, or if elements cannot be appended to the file. See
    ///   ``JSONDestination/appending(to:removesIncompleteEnd:)``.
    public func writer(
        to destination: JSONDestination, framing: JSONFraming = .document
    ) throws(JSONModelError) -> JSONElementWriter {
        let (file, first) = try destination.open(framing)
        return JSONElementWriter(file, FramedOutput(self, framing, after: first))
    }

    /// Returns a writer of one array. If the array is appended to a file, the end of the file is not examined.
    package func arrayWriter(to destination: JSONDestination) throws(JSONModelError) -> JSONElementWriter {
        JSONElementWriter(try destination.open(), FramedOutput(self, .document))
    }

    /// Returns a writer of elements to a closure.
    ///
    /// - Parameters:
    ///   - sink: Receives the chunks. Each chunk is valid only during the call.
    ///   - framing: The form of the output. A document is an array of the elements.
    public func writer(
        to sink: @escaping (UnsafeRawBufferPointer) throws -> Void, framing: JSONFraming = .document
    ) -> JSONElementWriter {
        JSONElementWriter(sink, FramedOutput(self, framing))
    }

    /// Returns a writer of elements to an asynchronous closure.
    ///
    /// - Parameters:
    ///   - sink: Receives the chunks.
    ///   - framing: The form of the output. A document is an array of the elements.
    public func writer(
        to sink: @escaping ([UInt8]) async throws -> Void, framing: JSONFraming = .document
    ) -> JSONAsyncElementWriter {
        JSONAsyncElementWriter(sink, FramedOutput(self, framing))
    }
}
