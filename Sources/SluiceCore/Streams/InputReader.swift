/// Reads an input in windows, each when it is needed.
@usableFromInline
final class InputReader {
    private enum State {
        case unopened
        /// Memory, of which the first bytes have been read, and its address.
        case memory(count: Int, address: UnsafePointer<UInt8>?)
        /// A copy of memory that each access would copy, such as that of a bridged string.
        case copy([UInt8], count: Int)
        /// The file at a path, which has not been opened, and the checkpoint from which the stream continues.
        case path(String, JSONCheckpoint?)
        /// A file, and the part of its last window that has not been decoded.
        case file(FileReader, rest: UnsafeBufferPointer<UInt8>)
        case chunks(AnyIterator<[UInt8]>)
        case ended
    }

    /// The number of bytes that are decoded before their elements are taken. The elements of a small window, and the memory that
    /// they release, stay in the processor's cache.
    @usableFromInline static var window: Int { 8_192 }

    private let withContent: ((JSONInputContent) throws(JSONModelError) -> Void) throws(JSONModelError) -> Void
    private var state = State.unopened
    /// Reads a file that may block, if the caller must not wait.
    private var thread: FileThread?
    /// The file that the thread has opened.
    private var openedFile: Result<FileReader, JSONModelError>?
    /// The window that the thread has read; nil within at the end of the file.
    private var nextWindow: Result<UnsafeBufferPointer<UInt8>?, JSONModelError>?

    @usableFromInline
    init(_ input: some JSONInput) {
        withContent = { body throws(JSONModelError) in try input.withContent(body) }
    }

    /// Feeds the next window to a stream, or ends the stream's input.
    ///
    /// - Throws: The error of reading the input, which ends the stream.
    @usableFromInline
    func feed<Element>(_ stream: QueuedStream<Element>) throws(JSONModelError) {
        do { try feedNext(stream) } catch {
            state = .ended
            try stream.interrupt(by: error)
        }
    }

    /// Feeds the next window to a stream without a waiting element, or ends the stream's input. The thread of the caller does not
    /// wait for the bytes of a file.
    ///
    /// - Returns: False if the stream has ended.
    /// - Throws: The error after the last element, the error of reading the input, or `CancellationError`, which ends the stream.
    @usableFromInline
    func feed<Element>(_ stream: QueuedStream<Element>, isolation actor: isolated (any Actor)?) async throws -> Bool
    {
        if let error = stream.takeError() { throw error }
        if stream.isStopped { return false }
        do { try await fetch(openLength: stream.openLength, isolation: actor) } catch {
            // The thread may still use the file.
            (state, thread) = (.ended, nil)
            guard let error = error as? JSONModelError else {
                stream.stop()
                throw error
            }
            try stream.interrupt(by: error)
            return true
        }
        defer { if case .ended = state { thread = nil } }
        try feed(stream)
        return true
    }

    /// Opens a file that may block, or reads its next window, on a thread of its own.
    ///
    /// - Throws: `CancellationError`, or the error of creating the thread.
    private func fetch(openLength: Int, isolation actor: isolated (any Actor)?) async throws {
        switch state {
        case .path(let path, let checkpoint) where FileReader.mayBlock(path):
            let thread = try thread(for: path)
            openedFile = try await thread.perform(isolation: actor) { interruption in
                Result { () throws(JSONModelError) in
                    try FileReader(path, at: checkpoint?.offset ?? 0, interruption: interruption)
                }
            }
        case .file(let file, let rest) where rest.isEmpty && !file.isRegular:
            let thread = try thread(for: file.name)
            nextWindow = try await thread.perform(isolation: actor) { interruption in
                file.interruption = interruption
                return Result { () throws(JSONModelError) in try file.nextWindow(openLength: openLength) }
            }
        default: break
        }
    }

    private func thread(for name: String) throws(JSONModelError) -> FileThread {
        if let thread { return thread }
        do {
            let made = try FileThread()
            thread = made
            return made
        } catch { throw FileReader.unreadable(error, name, offset: 0) }
    }

    /// Returns the window that the thread has read, or reads the next window of a file.
    private func window(
        of file: FileReader, openLength: Int
    ) throws(JSONModelError) -> UnsafeBufferPointer<UInt8>? {
        guard let window = nextWindow else { return try file.nextWindow(openLength: openLength) }
        nextWindow = nil
        return try window.get()
    }

    private func feedNext<Element>(_ stream: QueuedStream<Element>) throws(JSONModelError) {
        switch state {
        case .unopened: try open(stream)
        case .memory(let count, let address): try feedMemory(from: count, at: address, stream)
        case .copy(let bytes, let count):
            let end = bytes.withUnsafeBufferPointer { feed($0, from: count, stream) }
            if let end { state = .copy(bytes, count: end) }
        case .path(let path, let checkpoint): try open(path, from: checkpoint, stream)
        case .file(let file, let rest):
            let bytes = rest.isEmpty ? try window(of: file, openLength: stream.openLength) : rest
            guard let bytes else { return end(stream) }
            let window = bytes.prefix(max(Self.window, stream.openLength))
            stream.push(UnsafeBufferPointer(rebasing: window))
            let left = UnsafeBufferPointer(rebasing: bytes[window.endIndex...])
            state = .file(file, rest: left)
            if left.isEmpty, file.mayWait { stream.flush() }
        case .chunks(let chunks):
            if let chunk = chunks.next() { chunk.withUnsafeBufferPointer { stream.push($0) } } else { end(stream) }
        case .ended: break
        }
        if stream.isStopped { state = .ended }
    }

    private func end<Element>(_ stream: QueuedStream<Element>) {
        stream.finish()
        state = .ended
    }

    private func open<Element>(_ stream: QueuedStream<Element>) throws(JSONModelError) {
        state = .ended
        try withContent { content throws(JSONModelError) in
            switch content.form {
            case .text(.memory(let bytes)):
                stream.length = bytes.count
                stream.distributeLines()
                state = .memory(count: 0, address: bytes.baseAddress)
            case .text(.file(let path)): state = .path(path, nil)
            case .text(.rest(let path, let checkpoint)): state = .path(path, checkpoint)
            case .text(.reader(let file)): begin(file, stream)
            case .text(.chunks(let chunks)): state = .chunks(chunks)
            case .tree(let tree): stream.run(tree)
            }
        }
    }

    private func open<Element>(
        _ path: String, from checkpoint: JSONCheckpoint?, _ stream: QueuedStream<Element>
    ) throws(JSONModelError) {
        let opened = openedFile
        openedFile = nil
        let file =
            if let opened { try opened.get() } else { try FileReader(path, at: checkpoint?.offset ?? 0) }
        if let checkpoint { stream.resume(at: checkpoint, in: file) }
        if !stream.isStopped { begin(file, stream) }
    }

    private func begin<Element>(_ file: FileReader, _ stream: QueuedStream<Element>) {
        stream.length = file.length
        stream.distributeLines()
        state = .file(file, rest: .init(start: nil, count: 0))
    }

    private func feedMemory<Element>(
        from count: Int, at address: UnsafePointer<UInt8>?, _ stream: QueuedStream<Element>
    ) throws(JSONModelError) {
        try withContent { content throws(JSONModelError) in
            guard case .text(.memory(let bytes)) = content.form else { return }
            let end = feed(bytes, from: count, stream)
            guard let end else { return }
            let isSame = bytes.baseAddress == address
            state = isSame ? .memory(count: end, address: address) : .copy(Array(bytes), count: end)
        }
    }

    /// Feeds the next window of memory. Returns its end, or nil at the end of the input.
    private func feed<Element>(
        _ bytes: UnsafeBufferPointer<UInt8>, from count: Int, _ stream: QueuedStream<Element>
    ) -> Int? {
        let window = bytes.dropFirst(count).prefix(max(Self.window, stream.openLength))
        if window.isEmpty {
            end(stream)
            return nil
        }
        stream.push(UnsafeBufferPointer(rebasing: window))
        return count + window.count
    }
}
