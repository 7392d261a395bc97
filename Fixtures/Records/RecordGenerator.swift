/// Writes a large JSON file: an array of records, one a line, of any size, in pieces.
///
/// The same seed and size give the same bytes on every machine, and memory stays at one piece.
///
/// ```swift
/// let bytes = RecordGenerator(seed: 1, size: 1_000_000).bytes()
/// try RecordGenerator(size: 4_000_000_000).write { piece in try file.writeAll(piece) }
/// ```
///
/// A record holds what real data holds: escapes, text beyond ASCII, absent and null fields, nested objects, and a
/// `meta` object that `Record` does not have.
public struct RecordGenerator: Hashable, Sendable {
    /// What a run has written.
    public struct Summary: Hashable, Sendable {
        public var records: Int
        public var bytes: UInt64
    }

    /// Chooses the contents.
    public var seed: UInt64
    /// The bytes to write at least: the array ends with the first record that reaches it.
    public var size: UInt64

    public init(seed: UInt64 = 1, size: UInt64) {
        self.seed = seed
        self.size = size
    }

    /// The whole text in memory; for tests and for measures that leave the disk out.
    public func bytes() -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(Int(size) + 2 * RecordText.longest)
        write { piece in all.append(contentsOf: piece) }
        return all
    }

    /// Hands the text to `sink` piece by piece. A piece is valid during the call only.
    @discardableResult
    public func write<Failure: Error>(
        to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> Summary {
        var random = SplitMix64(state: seed)
        let writer = ByteWriter(capacity: Self.pieceSize + RecordText.longest)
        var flushed: UInt64 = 0
        var records = 0

        writer.put("[\n")
        while true {
            records += 1
            RecordText.write(id: records, to: writer, random: &random)
            let done = flushed + UInt64(writer.count) + 3 >= size
            writer.put(done ? "\n]\n" : ",\n")
            if done || writer.count >= Self.pieceSize {
                flushed += UInt64(writer.count)
                try sink(writer.written)
                writer.reset()
            }
            if done { return Summary(records: records, bytes: flushed) }
        }
    }

    private static let pieceSize = 256 * 1024
}

/// Sebastiano Vigna's SplitMix64: small, quick, and the same everywhere.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, by multiplication instead of division. The bias is far below what matters here.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
    }
}
