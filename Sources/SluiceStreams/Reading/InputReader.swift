import SluiceCore

/// Passes an input to a stream in windows, each when its elements are needed.
@usableFromInline
package final class InputReader: ElementReader {
    private enum State {
        case unopened
        /// Memory, of which the first bytes have been read, and its address.
        case memory(count: Int, address: UnsafePointer<UInt8>?)
        /// A copy of memory that each access would copy, such as that of a bridged string.
        case copy([UInt8], count: Int)
        /// A file that has not been opened.
        case file(FileInput)
        /// The stream reads the input.
        case open
        case ended
    }

    private let withContent: ((JSONInputContent) throws(JSONModelError) -> Void) throws(JSONModelError) -> Void
    private var state = State.unopened
    /// Reads a file that may block, if the caller must not wait.
    private var thread: FileThread?
    /// The file that the thread has opened.
    private var openedFile: Result<FileReader, JSONModelError>?
    /// Whether all memory was read.
    private var hasReadMemory = false

    @usableFromInline
    package init(_ input: some JSONInput) {
        withContent = { body throws(JSONModelError) in try input.withContent(body) }
    }

    /// Decodes the next window of the input, or ends the stream at the end of the input. An error follows the elements.
    @usableFromInline
    func read<Element>(to queue: QueuedStream<Element>) {
        queue.attempt { stream throws(JSONModelError) in
            do throws(JSONModelError) { try readNext(to: stream, queue) } catch {
                if stream.isStopped { throw error }
                try stream.interrupt(by: error)
            }
        }
        if queue.isStopped { end(queue) }
    }

    /// Whether the windows are pushed to the reader of the stream.
    private var readsMemory: Bool {
        switch state {
        case .memory, .copy: true
        case .unopened, .file, .open, .ended: false
        }
    }

    override func isAtEnd(of stream: ElementStream) -> Bool {
        switch state {
        case .unopened, .file, .ended: true
        case .memory, .copy: hasReadMemory
        case .open: stream.reader.isAtEnd || stream.reader.mayWait
        }
    }

    override func readNext<Element>(
        _ stream: ElementStream, to queue: QueuedStream<Element>, isolation actor: isolated (any Actor)?
    ) async throws -> Bool {
        if readsMemory, stream.reader.hasMore {
            // The unread bytes of the last window come before the next one.
            queue.decodeNext()
            if queue.isStopped { end(queue) }
            return true
        }
        do { try await fetch(for: stream, isolation: actor) } catch {
            defer { end(queue) }
            guard let error = error as? JSONModelError else {
                queue.stop()
                throw error
            }
            queue.attempt { stream throws(JSONModelError) in try stream.interrupt(by: error) }
            return true
        }
        read(to: queue)
        return true
    }

    /// Releases the input. The thread may still use the file.
    private func end<Element>(_ queue: QueuedStream<Element>) {
        (state, thread) = (.ended, nil)
        queue.stream?.reader.close()
    }

    /// Opens a file that may block, or reads its next window, on a thread of its own.
    ///
    /// - Throws: `CancellationError`, or the error of creating the thread.
    private func fetch(for stream: ElementStream, isolation actor: isolated (any Actor)?) async throws {
        switch state {
        case .file(let file) where FileReader.mayBlock(file.path):
            let (path, offset) = (file.path, file.part.offset)
            let thread = try thread(for: path)
            openedFile = try await thread.perform(isolation: actor) { interruption in
                Result { () throws(JSONModelError) in
                    try FileReader(path, at: offset, interruption: interruption)
                }
            }
        case .open:
            guard let file = stream.reader.blockingFile else { return }
            stream.reader.waitsForWindows = true
            let openLength = stream.elements.openLength
            let thread = try thread(for: file.name)
            let window = try await thread.perform(isolation: actor) { interruption in
                file.interruption = interruption
                return Result { () throws(JSONModelError) in try file.nextWindow(openLength: openLength) }
            }
            stream.reader.provide(window)
        default: break
        }
    }

    private func thread(for name: String) throws(JSONModelError) -> FileThread {
        if let thread { return thread }
        do {
            let fileThread = try FileThread()
            thread = fileThread
            return fileThread
        } catch { throw FileReader.unreadable(error, name, offset: 0) }
    }

    private func readNext<Element>(
        to stream: ElementStream, _ queue: QueuedStream<Element>
    ) throws(JSONModelError) {
        switch state {
        case .unopened: try open(stream)
        case .memory(let count, let address): try readMemory(from: count, at: address, to: stream, queue)
        case .copy(let bytes, let count):
            let end = try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in
                try read(bytes, from: count, to: stream, queue)
            }
            if let end { state = .copy(bytes, count: end) }
        case .file(let input):
            let opened = openedFile
            openedFile = nil
            let file = if let opened { try opened.get() } else { try input.reader() }
            try open(file, input.part, stream)
        case .open: _ = try stream.readNext(upTo: QueuedStream<Element>.window)
        case .ended: break
        }
    }

    private func open(_ stream: ElementStream) throws(JSONModelError) {
        try withContent { content throws(JSONModelError) in
            switch content.text {
            case .memory(let bytes):
                stream.reader.length = bytes.count
                stream.distribute()
                state = .memory(count: 0, address: bytes.baseAddress)
            case .file(let file): state = .file(file)
            case .reader(let file): try open(file, .whole, stream)
            case .chunks(let chunks):
                try stream.open(TextReader(.chunks(chunks), stream.decoder.limits))
                state = .open
            case nil: if let tree = content.tree { try stream.run(tree) }
            }
        }
    }

    private func open(_ file: FileReader, _ part: FilePart, _ stream: ElementStream) throws(JSONModelError) {
        try stream.open(TextReader(file, stream.decoder.limits), part)
        stream.distribute()
        state = .open
    }

    private func readMemory<Element>(
        from count: Int, at address: UnsafePointer<UInt8>?, to stream: ElementStream, _ queue: QueuedStream<Element>
    ) throws(JSONModelError) {
        try withContent { content throws(JSONModelError) in
            guard case .memory(let bytes) = content.text else { return }
            guard let end = try read(bytes, from: count, to: stream, queue) else { return }
            let isSame = bytes.baseAddress == address
            state = isSame ? .memory(count: end, address: address) : .copy(Array(bytes), count: end)
        }
    }

    /// Decodes the next window of memory. Returns its end, or nil at the end of the input.
    private func read<Element>(
        _ bytes: UnsafeBufferPointer<UInt8>, from count: Int, to stream: ElementStream,
        _ queue: QueuedStream<Element>
    ) throws(JSONModelError) -> Int? {
        let window = bytes.dropFirst(count).prefix(max(QueuedStream<Element>.window, stream.elements.openLength))
        if window.isEmpty {
            hasReadMemory = true
            if stream.isSuspended { return count }
            try stream.finish()
            return nil
        }
        queue.push(UnsafeBufferPointer(rebasing: window))
        return count + window.count
    }
}
