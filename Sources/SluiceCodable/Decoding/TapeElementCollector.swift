import SluiceCore

/// Decodes the elements of an array at the root, each as soon as its tokens are on the tape.
///
/// The memory of an array that grows would be up to three times that of its elements. The elements are collected in chunks
/// instead, and each chunk is freed when its elements have been moved to the array.
final class TapeElementCollector<Element: Decodable>: TapeElements {
    private let options: CodableDecodingOptions
    @exclusivity(unchecked) private var decoder: TapeDecoder?
    @exclusivity(unchecked) private var chunks = SlabList()
    /// The number of elements in the last chunk, and of those that fit into it.
    @exclusivity(unchecked) private var used = 0
    @exclusivity(unchecked) private var capacity = 0
    @exclusivity(unchecked) private(set) var count = 0
    /// The number of elements that were received before the text was read again.
    private var knownCount = 0
    @exclusivity(unchecked) private(set) var failure: TapeElementFailure?

    init(_ options: CodableDecodingOptions) { self.options = options }

    deinit { removeChunks { $0.deinitialize(count: $1) } }

    /// The entry of an element on the tape.
    private var element: Int { Tape.root + 1 }

    func take(_ tape: inout Tape) {
        // The rest of the input is only checked after a failure. Its tokens are recorded for the path of a syntax error.
        if failure == nil, count >= knownCount {
            if used == capacity { addChunk() }
            do {
                try decode(tape, to: elements(of: chunks.count - 1) + used)
                used += 1
            } catch {
                let entry = ErrorLocator.entry(of: error, on: tape.view, element: count, options)
                failure = TapeElementFailure(
                    error, element: count, entry: entry, location: tape.location(of: entry),
                    hint: ErrorLocator.hint(for: error, at: entry, on: tape.view, options))
            }
        }
        count += 1
        if isKnownUniquelyReferenced(&tape) {
            tape.removeAll()
        } else {
            // A client keeps a decoder of the element.
            let kept = tape
            tape = Tape(continuing: kept)
            kept.copyTexts()
            decoder = nil
        }
    }

    func restart() { (knownCount, count) = (max(knownCount, count), 0) }

    private func decode(_ tape: Tape, to target: UnsafeMutablePointer<Element>) throws {
        var decoder = self.decoder ?? TapeDecoder(tape, options: options)
        self.decoder = nil
        defer { if TapeDecoder.isUnused(&decoder) { self.decoder = decoder } }
        decoder.restart(at: element, position: count)
        do {
            let element = try decoder.decodeSelf(Element.self)
            try decoder.checkStack()
            target.initialize(to: element)
        } catch {
            throw decoder.decisive(error)
        }
    }

    private func addChunk() {
        let most = max(Self.chunkSize / max(MemoryLayout<Element>.stride, 1), 16)
        (used, capacity) = (0, min(max(count, 16), most))
        chunks.append(size: capacity * MemoryLayout<Element>.stride, alignment: MemoryLayout<Element>.alignment)
    }

    private func elements(of chunk: Int) -> UnsafeMutablePointer<Element> {
        chunks[chunk].start.assumingMemoryBound(to: Element.self)
    }

    /// Removes the chunks, the last one first. A closure moves or destroys the elements of each.
    private func removeChunks(_ removeElements: (UnsafeMutablePointer<Element>, _ count: Int) -> Void) {
        for index in (0..<chunks.count).reversed() {
            // All chunks before the last one are full.
            removeElements(elements(of: index), used)
            chunks.removeLast(downTo: index)
            if index > 0 { used = chunks[index - 1].size / MemoryLayout<Element>.stride }
        }
        (used, capacity) = (0, 0)
    }

    /// The greatest size of a chunk in bytes.
    private static var chunkSize: Int { 1 << 20 }

    func finish(at target: UnsafeMutableRawPointer) {
        let array = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = count
            removeChunks { elements, count in
                initialized -= count
                (buffer.baseAddress.unsafelyUnwrapped + initialized).moveInitialize(from: elements, count: count)
            }
            initialized = count
        }
        target.initializeMemory(as: [Element].self, to: array)
    }
}

/// An array whose elements can be decoded one by one.
protocol TapeArray {
    /// Returns an object that decodes the elements.
    static func collector(_ options: CodableDecodingOptions) -> any TapeElements
}

extension Array: TapeArray where Element: Decodable {
    static func collector(_ options: CodableDecodingOptions) -> any TapeElements {
        TapeElementCollector<Element>(options)
    }
}
