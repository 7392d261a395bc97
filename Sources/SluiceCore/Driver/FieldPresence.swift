// The presence bits of a model's fields, and the ranks of the candidates that filled the fields. The frame of a model or the root
// holds them, with one bit per field. The memory of a field is initialized if its bit is set.

extension FrameReference {
    package func isFilled(_ field: Int) -> Bool { self[word: field / 64] & FieldSet.bit(field) != 0 }

    func setFilled(_ field: Int) { self[word: field / 64] |= FieldSet.bit(field) }

    func clearFilled(_ field: Int) { self[word: field / 64] &= ~FieldSet.bit(field) }

    /// Clears the bits of all fields.
    func clearAllFilled() { for word in words { self[word: word] = 0 } }

    /// Calls `body` with the number of every field whose bit is set.
    func forEachFilled(_ body: (Int) -> Void) {
        for word in words { FieldSet.forEachField(of: self[word: word], word: word, body) }
    }

    /// Calls `body` with the number of every missing field that has a default.
    func forEachMissingDefault(_ table: TableReference, _ body: (Int) -> Void) {
        for word in words {
            FieldSet.forEachField(of: table.bits(word: word).defaults & ~self[word: word], word: word, body)
        }
    }

    /// Whether every required field is present.
    func hasRequired(_ table: TableReference) -> Bool {
        words.allSatisfy { table.bits(word: $0).required & ~self[word: $0] == 0 }
    }

    /// The presence bits of 64 fields.
    package subscript(word word: Int) -> UInt64 {
        get { word == 0 ? self.presenceBits : self.extendedPresence.unsafelyUnwrapped[word - 1] }
        nonmutating set {
            if word == 0 {
                self.presenceBits = newValue
            } else {
                self.extendedPresence.unsafelyUnwrapped[word - 1] = newValue
            }
        }
    }

    /// The numbers of the words.
    private var words: Range<Int> {
        guard let table = self.table, self.extendedPresence != nil else { return 0..<1 }
        return 0..<table.wordCount
    }

    // MARK: Candidates

    /// Whether the frame holds the ranks of candidates.
    var hasRanks: Bool { self.extendedPresence != nil && self.table != nil }

    /// The rank of the best candidate read for a field so far, plus one; 0 if none has been read.
    func rank(of field: Int) -> Int {
        guard let bits = self.extendedPresence, let table = self.table else { return 0 }
        return Int(bits[rankAt: table.rankOffset + field])
    }

    func setRank(of field: Int, to rank: UInt8) {
        guard let bits = self.extendedPresence, let table = self.table else { return }
        bits[rankAt: table.rankOffset + field] = rank + 1
    }
}

/// The presence bits of a model's fields after the first 64, and the ranks of the candidates that filled its fields.
///
/// Invariant: the memory belongs to the arena, as long as the model's frame is on the stack, and has the size that the model's key
/// table requires. All bits and ranks are zero at first.
struct ExtendedPresence {
    // The words come first in the memory, which has their alignment.
    private let words: UnsafeMutablePointer<UInt64>

    /// - Parameter memory: `count` bytes, aligned to 8 bytes.
    init(zeroing memory: UnsafeMutableRawPointer, _ count: Int) {
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        words = memory.assumingMemoryBound(to: UInt64.self)
    }

    /// Copies the bits and ranks of a frame with the same key table, which takes `count` bytes for them.
    func copy(_ other: ExtendedPresence, _ count: Int) {
        UnsafeMutableRawPointer(words).copyMemory(from: other.words, byteCount: count)
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
