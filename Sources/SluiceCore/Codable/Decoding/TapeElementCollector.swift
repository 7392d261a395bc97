/// Decodes the elements of an array at the root, each as soon as its tokens are on the tape.
///
/// The memory of an array that grows would be up to three times that of its elements. The elements are collected in blocks
/// instead, and each block is freed when its elements have been moved to the array.
final class TapeElementCollector<Element: Decodable>: TapeElements {
    private typealias Block = UnsafeMutableBufferPointer<Element>

    private let options: CodableDecodingOptions
    private var decoder: TapeDecoder?
    private var blocks: [Block] = []
    /// The number of elements in the last block.
    private var used = 0
    private(set) var count = 0
    /// The error of the first element that failed, with the entry where it failed.
    private(set) var failure: (error: any Error, entry: Int)?

    init(_ options: CodableDecodingOptions) { self.options = options }

    deinit {
        for (index, block) in blocks.enumerated() {
            block.baseAddress?.deinitialize(count: index == blocks.count - 1 ? used : block.count)
            block.deallocate()
        }
    }

    /// The entry of an element on the tape.
    private var element: Int { Tape.root + 1 }

    func take(_ tape: inout Tape) -> Bool {
        if blocks.last.map({ used == $0.count }) ?? true { addBlock() }
        do { try decode(tape, to: blocks[blocks.count - 1].baseAddress.unsafelyUnwrapped + used) } catch {
            failure = (error, TapeErrorLocator.entry(of: error, on: tape.view, element: count, options))
            return false
        }
        used += 1
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
        return true
    }

    private func decode(_ tape: Tape, to target: UnsafeMutablePointer<Element>) throws {
        var decoder = self.decoder ?? TapeDecoder(tape, options: options)
        self.decoder = nil
        defer { if TapeDecoder.isUnused(&decoder) { self.decoder = decoder } }
        decoder.restart(at: element, position: count)
        target.initialize(to: try decoder.decodeSelf(Element.self))
    }

    private func addBlock() {
        let most = max(Self.blockSize / max(MemoryLayout<Element>.stride, 1), 16)
        blocks.append(.allocate(capacity: min(max(count, 16), most)))
        used = 0
    }

    /// The greatest size of a block in bytes.
    private static var blockSize: Int { 1 << 20 }

    func finish(at target: UnsafeMutableRawPointer) {
        let blocks = blocks
        self.blocks = []
        let array = [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            for (index, block) in blocks.enumerated() {
                let count = index == blocks.count - 1 ? used : block.count
                if let target = buffer.baseAddress, let source = block.baseAddress {
                    (target + initialized).moveInitialize(from: source, count: count)
                }
                block.deallocate()
                initialized += count
            }
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
