/// A generator of JSON arrays of any size, with one record per line.
///
/// The same seed and size give the same bytes on every machine. The array is written in pieces, and memory holds one
/// piece.
///
/// ```swift
/// let bytes = RecordGenerator(seed: 1, size: 1_000_000).bytes()
/// try RecordGenerator(size: 4_000_000_000).write { piece in try file.writeAll(piece) }
/// ```
///
/// As in real data, records contain escapes, non-ASCII characters, absent and null fields, and nested objects. The `meta`
/// object has no property in `Record`.
public struct RecordGenerator: Hashable, Sendable {
    /// The number of written records and bytes.
    public struct Summary: Hashable, Sendable {
        public var records: Int
        public var bytes: UInt64
    }

    /// The seed of the random contents.
    public var seed: UInt64
    /// The minimum size in bytes. The array ends with the record that reaches this size.
    public var size: UInt64

    public init(seed: UInt64 = 1, size: UInt64) {
        self.seed = seed
        self.size = size
    }

    /// Returns the whole array, for tests and for measurements without a file.
    public func bytes() -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(Int(size) + 2 * RecordText.longest)
        write { piece in all.append(contentsOf: piece) }
        return all
    }

    /// Calls a closure with each piece of the array. A piece is valid only during the call.
    ///
    /// - Returns: The number of written records and bytes.
    /// - Throws: The errors of the closure.
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

/// Sebastiano Vigna's random number generator SplitMix64. The sequence is the same on all machines.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, by a multiplication instead of a division. The bias is negligible here.
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
    }
}
