/// Reads the text of an input in windows, which are decompressed if the input is compressed.
///
/// Input that is not compressed is returned in place, without a copy. Memory holds one window, whatever the length and the expansion
/// of the input.
package final class TextReader {
    private enum Origin {
        /// Bytes that are passed to `push`.
        case memory
        case file(FileReader)
        case chunks(AnyIterator<[UInt8]>)
    }

    private var origin: Origin
    private let decompression: Decompression
    /// The bytes of the input that are in memory and not read yet.
    private var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The rest of the last text, of which the first windows have been returned.
    private var rest = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The memory of bytes that the reader owns.
    private var copy = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    /// The window of a file that another thread has read.
    private var provided: Result<UnsafeBufferPointer<UInt8>?, JSONModelError>?
    /// Whether another thread reads the windows of a file that may block.
    package var waitsForWindows = false
    /// Whether the last bytes of a file, or the last chunk, were read.
    private var hasEnded = false
    /// The length of the input in bytes, if known.
    package var length: Int?
    /// Whether the input is in memory that stays valid until the input ends.
    package private(set) var isInMemory = false
    /// Whether the input is a sequence of chunks, and the elements of each chunk are taken before the next chunk is pushed.
    package var readsChunks = false

    /// Creates a reader of an input.
    ///
    /// - Parameter limits: The limits of compressed input.
    package init(_ input: ByteInput, _ limits: JSONLimits) throws(JSONModelError) {
        decompression = Decompression(limits)
        switch input {
        case .memory(let bytes):
            (origin, self.bytes) = (.memory, bytes)
            (length, isInMemory) = (bytes.count, true)
        case .file(let file): origin = .file(try file.reader())
        case .reader(let file): origin = .file(file)
        case .chunks(let chunks): origin = .chunks(chunks)
        }
        if let file { length = file.length }
    }

    /// Creates a reader of chunks that are passed to `push`.
    package init(_ limits: JSONLimits) { (origin, decompression) = (.memory, Decompression(limits)) }

    /// Creates a reader of an open file.
    package init(_ file: FileReader, _ limits: JSONLimits) {
        (origin, decompression) = (.file(file), Decompression(limits))
        length = file.length
    }

    deinit { copy.deallocate() }

    // MARK: The input

    /// The file, if the input is a file.
    package var file: FileReader? { if case .file(let file) = origin { file } else { nil } }

    /// Reads a part of a text that is not compressed. The part may begin like compressed data.
    package func readPlain() { decompression.readPlain() }

    /// Whether the input is known to be text that is not compressed.
    package var isPlain: Bool { decompression.isPlain }

    /// The number of compressed bytes that were consumed; nil for an input that is not compressed.
    package var compressedCount: Int? { decompression.compressedCount }

    /// Whether the memory of all text stays valid until the input ends, or in chunks, until the next chunk is pushed.
    package var keepsText: Bool { (isInMemory || readsChunks) && compressedCount == nil }

    /// Whether text may follow without more bytes of the input.
    package var hasMore: Bool { !rest.isEmpty || !bytes.isEmpty || decompression.hasMore }

    /// The file, if the next window is read from the file, and reading may wait for another process or a person.
    package var blockingFile: FileReader? {
        guard let file, !file.isRegular, !hasMore, !hasEnded else { return nil }
        return file
    }

    /// Whether the whole text has been read.
    package var isAtEnd: Bool {
        if case .memory = origin { return !hasMore }
        return hasEnded && !hasMore
    }

    /// Whether the bytes after the last window may arrive late, as in a pipe that has no more bytes at present.
    package var mayWait: Bool { file?.mayWait == true && !hasMore }

    /// Whether no text follows without bytes of a pipe that may have none at present.
    ///
    /// - Throws: See `next`.
    package func mustWait(openLength: Int) throws(JSONModelError) -> Bool {
        guard file?.mayWait == true else { return false }
        if rest.isEmpty, let text = try decompression.text(from: &bytes, openLength: openLength) { rest = text }
        return rest.isEmpty
    }

    /// Consumes a chunk, whose memory must stay valid until all its text has been read, or until `keepRest`. The text of the chunk
    /// before must have been read.
    package func push(_ chunk: UnsafeBufferPointer<UInt8>) { bytes = chunk }

    /// Copies the unread bytes of the last chunk, whose memory may then become invalid.
    package func keepRest() {
        if !bytes.isEmpty { bytes = copied(bytes) }
    }

    /// Releases the input, whose text is no longer needed. A file is closed.
    package func close() {
        origin = .memory
        (bytes, rest) = (.init(start: nil, count: 0), .init(start: nil, count: 0))
    }

    /// Receives the next window of a file, which another thread has read.
    package func provide(_ window: Result<UnsafeBufferPointer<UInt8>?, JSONModelError>) { provided = window }

    // MARK: The text

    /// Returns the next text, whose memory is valid until the next call.
    ///
    /// - Parameters:
    ///   - openLength: The length of the open token. The window of a file is at least as long.
    ///   - limit: The greatest length of the window, unless the open token is longer.
    /// - Returns: nil at the end of the input, or of the bytes so far.
    /// - Throws: The error of reading or decompressing the input, after all text before the error.
    package func next(openLength: Int, upTo limit: Int = .max) throws(JSONModelError) -> UnsafeBufferPointer<UInt8>?
    {
        while rest.isEmpty {
            if let text = try decompression.text(from: &bytes, openLength: openLength) {
                rest = text
            } else if try !readBytes(openLength) {
                return nil
            }
        }
        let window = UnsafeBufferPointer(rebasing: rest.prefix(max(limit, openLength)))
        rest = UnsafeBufferPointer(rebasing: rest[window.count...])
        return window
    }

    /// Ends the input.
    ///
    /// - Returns: The last text, if bytes were withheld.
    /// - Throws: An error if compressed data is incomplete.
    package func finish() throws(JSONModelError) -> UnsafeBufferPointer<UInt8>? { try decompression.finish() }

    /// Reads the next bytes of the input. Returns false at the end.
    private func readBytes(_ openLength: Int) throws(JSONModelError) -> Bool {
        switch origin {
        case .memory: return false
        case .file(let file):
            if waitsForWindows, provided == nil { return false }
            defer { provided = nil }
            let window = if let provided { try provided.get() } else { try file.nextWindow(openLength: openLength) }
            hasEnded = window == nil
            if let window { bytes = window }
        case .chunks(let chunks):
            let chunk = chunks.next()
            hasEnded = chunk == nil
            chunk?.withUnsafeBufferPointer { bytes = copied($0) }
        }
        return !hasEnded
    }

    /// Copies bytes to memory that the reader owns.
    private func copied(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        if bytes.count > copy.count || bytes.count * 4 < copy.count {
            let old = copy
            // The bytes may be in the old memory.
            defer { old.deallocate() }
            copy = .allocate(capacity: bytes.count)
            _ = copy.initialize(fromContentsOf: bytes)
        } else if let start = copy.baseAddress, let first = bytes.baseAddress {
            UnsafeMutableRawPointer(start).copyMemory(from: first, byteCount: bytes.count)
        }
        return UnsafeBufferPointer(rebasing: copy[..<bytes.count])
    }

    // MARK: Progress and excerpts

    /// Reports the progress in a file, after all text of a window of the file.
    func reportProgress(to handler: ((JSONProgress) -> Void)?) {
        guard let handler, let file, !hasMore else { return }
        handler(JSONProgress(bytes: file.offset, totalBytes: file.length))
    }

    /// Whether bytes after an error can be read for its excerpt. The bytes of a pipe or terminal may arrive late, and text that follows
    /// an error is not decompressed.
    package var hasExcerpts: Bool {
        guard decompression.compressedCount == nil else { return false }
        return file?.isRegular ?? true
    }

    /// Returns the bytes after the last ones, or nil at the end.
    func nextOfExcerpt() -> [UInt8]? {
        // The first bytes, which may be compressed, are a text of their own.
        if hasMore, let text = try? next(openLength: 0, upTo: Excerpt.reach + 2) { return Array(text) }
        return switch origin {
        case .memory: nil
        case .file(let file): file.next(Excerpt.reach + 2)
        case .chunks(let chunks): chunks.next()
        }
    }
}
