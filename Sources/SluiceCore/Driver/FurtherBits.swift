/// The presence bits of a model's fields after the first 64, and the ranks of the candidates that filled its fields.
///
/// Invariant: the memory belongs to the arena, as long as the model's frame is on the stack, and has the size that the model's key
/// table requires. All bits and ranks are zero at first.
struct FurtherBits {
    // The words come first in the memory, which has their alignment.
    private let words: UnsafeMutablePointer<UInt64>

    /// - Parameter memory: `count` bytes, aligned to 8 bytes.
    init(zeroing memory: UnsafeMutableRawPointer, _ count: Int) {
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        words = memory.assumingMemoryBound(to: UInt64.self)
    }

    /// Copies the bits and ranks.
    ///
    /// - Parameter memory: `count` bytes, aligned to 8 bytes.
    init(_ other: FurtherBits, copiedTo memory: UnsafeMutableRawPointer, _ count: Int) {
        memory.copyMemory(from: other.words, byteCount: count)
        words = memory.assumingMemoryBound(to: UInt64.self)
    }

    /// The presence bits of 64 fields.
    subscript(word: Int) -> UInt64 {
        get { words[word] }
        nonmutating set { words[word] = newValue }
    }

    /// The rank of a field's best candidate so far, plus one; 0 if none has been read.
    ///
    /// - Parameter offset: The offset of the field's rank in the memory.
    subscript(rankAt offset: Int) -> UInt8 {
        get { UnsafeRawPointer(words).load(fromByteOffset: offset, as: UInt8.self) }
        nonmutating set {
            UnsafeMutableRawPointer(words).storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self)
        }
    }
}
