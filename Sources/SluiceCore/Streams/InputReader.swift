/// Reads an input in windows, each when it is needed.
final class InputReader {
    private enum State {
        case unopened
        /// Memory, of which the first bytes have been read.
        case memory(count: Int)
        case file(FileReader)
        case chunks(AnyIterator<[UInt8]>)
        case ended
    }

    /// The size of the windows in which memory is read.
    static var window: Int { 65_536 }

    private let withContent: ((JSONInputContent) throws(JSONModelError) -> Void) throws(JSONModelError) -> Void
    private var state = State.unopened

    init(_ input: some JSONInput) {
        withContent = { body throws(JSONModelError) in try input.withContent(body) }
    }

    /// Feeds the next window to a stream, or ends the stream's input.
    ///
    /// - Throws: The error of reading the input.
    func feed<Element>(_ stream: QueuedStream<Element>) throws(JSONModelError) {
        switch state {
        case .unopened: try open(stream)
        case .memory(let count): try feedMemory(from: count, stream)
        case .file(let file):
            if let window = try file.nextWindow(openLength: stream.openLength) {
                stream.push(window)
            } else {
                end(stream)
            }
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
                state = .memory(count: 0)
            case .text(.file(let path)):
                let file = try FileReader(path)
                stream.length = file.length
                state = .file(file)
            case .text(.standardInput): state = .file(.standardInput)
            case .text(.chunks(let chunks)): state = .chunks(chunks)
            case .tree(let tree): stream.run(tree)
            }
        }
    }

    private func feedMemory<Element>(from count: Int, _ stream: QueuedStream<Element>) throws(JSONModelError) {
        try withContent { content throws(JSONModelError) in
            guard case .text(.memory(let bytes)) = content.form else { return }
            let window = bytes.dropFirst(count).prefix(max(Self.window, stream.openLength))
            if window.isEmpty { return end(stream) }
            stream.push(UnsafeBufferPointer(rebasing: window))
            state = .memory(count: count + window.count)
        }
    }
}
