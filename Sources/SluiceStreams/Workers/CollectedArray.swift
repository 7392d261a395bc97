import SluiceCore

/// An array whose elements a stream can decode on several threads.
protocol CollectedArray {
    /// Decodes an array into uninitialized memory.
    ///
    /// - Returns: False if one thread must decode the array, or find the error. The memory is then uninitialized.
    static func collect(
        _ content: JSONInputContent, at path: JSONPath, into target: UnsafeMutableRawPointer,
        _ decoder: JSONModelDecoder
    ) -> Bool
}

extension Array: CollectedArray where Element: JSONConvertible {
    static func collect(
        _ content: JSONInputContent, at path: JSONPath, into target: UnsafeMutableRawPointer,
        _ decoder: JSONModelDecoder
    ) -> Bool {
        let shape = JSONShape.unretained(of: Element.self)
        guard shape.takeUnretainedValue().positionOffset == nil else { return false }
        var decoder = decoder
        decoder.options.summaryHandler = nil
        decoder.elementErrors = .throw
        let collection = ArrayCollection<Element>()
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: 1)
        defer { memory.deallocate() }
        do throws(JSONModelError) {
            let stream = try ElementStream(decoder, shape, at: path, framing: .document, target: memory) {
                collection.append(movedFrom: $0)
                return true
            }
            collection.stream = stream
            try stream.read(content)
            // Of several arrays at the path, the last one counts. Null is an error.
            guard stream.elements.arrayCount == 1 else { return false }
        } catch {
            return false
        }
        target.initializeMemory(as: [Element].self, to: collection.takeElements())
        return true
    }
}

/// The elements of an array, which are moved to the array several at a time.
///
/// Code that is not specialized looks up the metadata of the array for each call of `append`, which took 7 % of the time of decoding. The
/// array grows to the length that the text so far suggests: growing by doubling moves all elements again and again, in memory whose pages
/// are new.
///
/// Invariant: the first `count` elements of `memory` are initialized.
private final class ArrayCollection<Element> {
    private var elements: [Element] = []
    private let memory: UnsafeMutablePointer<Element>
    private let capacity = Swift.max(32_768 / MemoryLayout<Element>.stride, 1)
    private var count = 0
    /// The stream that decodes the elements, and keeps the collection.
    weak var stream: ElementStream?

    init() { memory = .allocate(capacity: capacity) }

    deinit {
        memory.deinitialize(count: count)
        memory.deallocate()
    }

    func append(movedFrom element: UnsafeMutableRawPointer) {
        (memory + count).initialize(to: element.assumingMemoryBound(to: Element.self).move())
        count += 1
        if count == capacity { flush() }
    }

    func takeElements() -> [Element] {
        flush()
        return elements
    }

    private func flush() {
        if elements.capacity < elements.count + count { grow() }
        elements.append(
            contentsOf: CollectedElements(moving: UnsafeMutableBufferPointer(start: memory, count: count)))
        count = 0
    }

    /// Reserves memory for the elements of the whole text, if the text so far is long enough to tell their number.
    private func grow() {
        guard let stream, let length = stream.textLength else { return }
        let read = stream.framer.byteCount
        guard read > 8 * stream.decoder.workers.batchSize else { return }
        let count = elements.count + count
        let estimate = 1.03 * Double(count) / Double(read) * Double(length)
        // The first elements may be far shorter than the others.
        let limit = 2 * length / MemoryLayout<Element>.stride
        elements.reserveCapacity(Swift.max(Swift.min(Int(estimate), limit), count))
    }
}
