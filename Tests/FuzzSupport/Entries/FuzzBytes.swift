import TestSupport

/// The bytes of a case, which are read from first to last. The bytes after the last one are zeros.
struct FuzzBytes {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    /// The bytes that have not been read.
    var rest: [UInt8] { Array(bytes) }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

    /// The next eight bytes, or fewer if few are left.
    mutating func word(_ count: Int = 8) -> UInt64 {
        var word: UInt64 = 0
        for _ in 0..<count { word = word << 8 | UInt64(byte()) }
        return word
    }

    /// The next bytes as text, in which a byte gives the length.
    mutating func text() -> String {
        let count = Int(byte())
        defer { bytes = bytes.dropFirst(count) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// A generator that few bytes determine, for choices that need many numbers.
    mutating func random(_ count: Int = 2) -> SeededRandom { SeededRandom(seed: word(count)) }
}
