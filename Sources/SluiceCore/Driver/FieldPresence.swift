// The presence bits of a model's fields, and the ranks of the candidates that filled the fields. The frame of a model or the root
// holds them, with one bit per field. The memory of a field is initialized if its bit is set.

extension FrameReference {
    package func isFilled(_ field: Int) -> Bool {
        if field < 64 { return self.presenceBits & (1 << UInt64(field)) != 0 }
        return further[field / 64 - 1] & (1 << UInt64(field % 64)) != 0
    }

    func setFilled(_ field: Int) {
        if field < 64 {
            self.presenceBits |= 1 << UInt64(field)
        } else {
            further[field / 64 - 1] |= 1 << UInt64(field % 64)
        }
    }

    func clearFilled(_ field: Int) {
        if field < 64 {
            self.presenceBits &= ~(1 << UInt64(field))
        } else {
            further[field / 64 - 1] &= ~(1 << UInt64(field % 64))
        }
    }

    /// Clears the bits of all fields.
    func clearAllFilled() {
        self.presenceBits = 0
        for word in extendedWords { further[word] = 0 }
    }

    /// Calls `body` with the number of every field whose bit is set.
    func forEachFilled(_ body: (Int) -> Void) {
        Self.forEachBit(of: self.presenceBits, from: 0, body)
        for word in extendedWords { Self.forEachBit(of: further[word], from: (word + 1) * 64, body) }
    }

    /// Calls `body` with the number of every missing field that has a default.
    func forEachMissingDefault(_ table: TableReference, _ body: (Int) -> Void) {
        Self.forEachBit(of: table.defaults & ~self.presenceBits, from: 0, body)
        for (word, defaults) in table.extraDefaults.enumerated() {
            Self.forEachBit(of: defaults & ~further[word], from: (word + 1) * 64, body)
        }
    }

    /// Whether every required field is present.
    func hasRequired(_ table: TableReference) -> Bool {
        guard table.required & ~self.presenceBits == 0 else { return false }
        return table.extraRequired.enumerated().allSatisfy { word, required in required & ~further[word] == 0 }
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

    // MARK: The words

    /// The presence bits of 64 fields.
    package func presenceWord(_ word: Int) -> UInt64 { word == 0 ? self.presenceBits : further[word - 1] }

    private var further: ExtendedPresence { self.extendedPresence.unsafelyUnwrapped }

    /// The indexes of the words of a model with more than 64 fields.
    private var extendedWords: Range<Int> {
        guard let table = self.table, self.extendedPresence != nil else { return 0..<0 }
        return 0..<table.extraRequired.count
    }

    package static func forEachBit(of word: UInt64, from first: Int, _ body: (Int) -> Void) {
        var left = word
        while left != 0 {
            body(first + left.trailingZeroBitCount)
            left &= left - 1
        }
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

    /// Copies the bits and ranks.
    ///
    /// - Parameter memory: `count` bytes, aligned to 8 bytes.
    init(_ other: ExtendedPresence, copiedTo memory: UnsafeMutableRawPointer, _ count: Int) {
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
