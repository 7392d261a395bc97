/// The JSON being written, in memory that grows or that is passed to a sink in pieces.
///
/// A caller reserves bytes before writing. The buffer keeps the sink's first error, and discards all later bytes.
///
/// Invariant: `start <= cursor <= limit`, and the buffer owns the memory from `start` to `limit`. A method that writes states
/// how many bytes must be reserved, which may be more than the method writes.
struct OutputBuffer: ~Copyable {
    /// The number of bytes of a prefix that can be read.
    static var prefixRoom: Int { 64 }
    /// The number of bytes after which a piece is passed to the sink.
    static var pieceSize: Int { 65_536 }

    private(set) var start: UnsafeMutablePointer<UInt8>
    var cursor: UnsafeMutablePointer<UInt8>
    private var limit: UnsafeMutablePointer<UInt8>
    private let sink: ((UnsafeRawBufferPointer) throws -> Void)?
    /// The error thrown by the sink.
    private(set) var sinkError: (any Error)?
    /// Whether bytes may be changed after they were written, so that they are not passed to the sink yet.
    var isHeld = false
    /// 1 if the next value is the first in its container and needs no comma, else 0.
    var first = 1
    /// The number of open objects and arrays.
    var depth = 0
    let isPretty: Bool
    /// Whether characters are escaped that JSON allows without an escape.
    let escapesMore: Bool
    let escapesSlashes: Bool
    let escapesNonASCII: Bool
    /// Whether the JSON is in the style of Foundation's: integral numbers have no fraction, and pretty JSON has a space before each
    /// colon and an empty line in empty containers.
    let isFoundationStyle: Bool
    /// Whether the bytes of strings can be read in place.
    let readsStringsInPlace: Bool
    /// Whether the bytes of strings can be read in place by `quoted(_:)`, which also escapes slashes.
    let readsStrings: Bool
    /// The character that `quoted(_:)` escapes besides the necessary ones: a slash, or the quote.
    let otherStop: UInt8

    init(_ format: OutputFormat = OutputFormat(), sink: ((UnsafeRawBufferPointer) throws -> Void)? = nil) {
        let capacity = sink == nil ? 1_024 : Self.pieceSize + 1_024
        start = .allocate(capacity: capacity)
        cursor = start
        limit = start + capacity
        self.sink = sink
        isPretty = format.isPretty
        escapesSlashes = format.escapesSlashes
        escapesNonASCII = format.escapesNonASCII
        isFoundationStyle = format.isFoundationStyle
        escapesMore = escapesSlashes || escapesNonASCII
        readsStrings = StringBytes.isKnown && !escapesNonASCII
        otherStop = UInt8(ascii: escapesSlashes ? "/" : "\"")
        readsStringsInPlace = StringBytes.isKnown && !escapesMore
    }

    deinit { SpareMemory.give(start, capacity: limit - start) }

    /// The written bytes that have not been passed to the sink.
    var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: cursor - start) }

    /// Reserves memory for `count` more bytes.
    @inline(__always)
    mutating func reserve(_ count: Int) {
        if limit - cursor < count { makeRoom(count) }
    }

    @inline(never)
    private mutating func makeRoom(_ count: Int) {
        if sink != nil, !isHeld {
            flush()
            if limit - cursor >= count { return }
        }
        let used = cursor - start
        let old = limit - start
        let (larger, capacity) = SpareMemory.take(atLeast: max(old < 65_536 ? old * 4 : old * 2, used + count))
        larger.update(from: start, count: used)
        start.deallocate()
        start = larger
        cursor = start + used
        limit = start + capacity
    }

    /// Passes the written bytes to the sink.
    mutating func flush() {
        guard let sink, cursor > start else { return }
        if sinkError == nil {
            do { try sink(written) } catch { sinkError = error }
        }
        cursor = start
    }

    // MARK: Changes of written bytes, in a buffer without a sink

    /// The number of written bytes.
    @inline(__always)
    var count: Int { cursor - start }

    /// Removes the bytes after the first `count`.
    @inline(__always)
    mutating func truncate(_ count: Int) { cursor = start + count }

    /// Removes bytes from the middle. Later bytes move to the front.
    mutating func remove(_ range: Range<Int>) {
        (start + range.lowerBound).update(from: start + range.upperBound, count: count - range.upperBound)
        cursor -= range.count
    }

    /// The written bytes of a range.
    func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start + range.lowerBound, count: range.count)
    }

    /// Prepares the buffer for other JSON. A large block of memory is replaced by a small one.
    mutating func restart() {
        (cursor, first, depth) = (start, 1, 0)
        guard limit - start > Self.pieceSize else { return }
        SpareMemory.give(start, capacity: limit - start)
        start = .allocate(capacity: 1_024)
        cursor = start
        limit = start + 1_024
    }

    // MARK: Bytes

    /// Writes a byte. Requires a reserved byte.
    @inline(__always)
    mutating func byte(_ byte: UInt8) {
        cursor.pointee = byte
        cursor += 1
    }

    /// Stores the bytes of a number, the lowest first, without moving the cursor. Requires as many reserved bytes.
    @inline(__always)
    func store<T: FixedWidthInteger>(_ value: T, at offset: Int = 0) {
        UnsafeMutableRawPointer(cursor).storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }

    // MARK: Punctuation

    /// Writes the comma before a value, its key and the colon.
    ///
    /// - Precondition: At least ``prefixRoom`` bytes of the prefix after the first are readable. As many bytes, or `count`, are
    ///   reserved.
    @inline(__always)
    mutating func prefix(_ prefix: UnsafePointer<UInt8>, _ count: Int) {
        if isPretty { return prettyPrefix(prefix, count) }
        let from = UnsafeRawPointer(prefix + first)
        let to = UnsafeMutableRawPointer(cursor)
        let count = count &- first
        first = 0
        // Copying 32 or 64 bytes at once is cheaper than copying the exact number.
        to.storeBytes(of: from.loadUnaligned(as: SIMD32<UInt8>.self), as: SIMD32<UInt8>.self)
        if count > 32 {
            let second = from.loadUnaligned(fromByteOffset: 32, as: SIMD32<UInt8>.self)
            to.storeBytes(of: second, toByteOffset: 32, as: SIMD32<UInt8>.self)
            if count > 64 { to.copyMemory(from: from, byteCount: count) }
        }
        cursor += count
    }

    @inline(never)
    private mutating func prettyPrefix(_ prefix: UnsafePointer<UInt8>, _ count: Int) {
        if first == 0 { byte(UInt8(ascii: ",")) }
        first = 0
        newLine()
        reserve(count + 64)
        cursor.update(from: prefix + 1, count: count - 1)
        cursor += count - 1
        guard count > 1 else { return }
        // The prefix ends with a colon.
        cursor -= 1
        colon()
    }

    /// Writes the colon after a key. Requires three reserved bytes.
    @inline(__always)
    mutating func colon() {
        guard isPretty else { return byte(UInt8(ascii: ":")) }
        if isFoundationStyle { byte(UInt8(ascii: " ")) }
        byte(UInt8(ascii: ":"))
        byte(UInt8(ascii: " "))
    }

    /// Writes the comma before an element.
    @inline(__always)
    mutating func comma() {
        if isPretty {
            reserve(64)
            if first == 0 { byte(UInt8(ascii: ",")) }
            newLine()
        } else if first == 0 {
            byte(UInt8(ascii: ","))
        }
        first = 0
    }

    /// Starts a new indented line in pretty JSON.
    mutating func newLine() {
        guard isPretty else { return }
        let count = 2 * depth
        reserve(count + 64)
        byte(UInt8(ascii: "\n"))
        cursor.update(repeating: UInt8(ascii: " "), count: count)
        cursor += count
    }

    /// Writes an opening bracket. Requires one reserved byte.
    @inline(__always)
    mutating func open(_ bracket: Unicode.Scalar) {
        byte(UInt8(ascii: bracket))
        first = 1
        depth &+= 1
    }

    /// Writes a closing bracket.
    @inline(__always)
    mutating func close(_ bracket: Unicode.Scalar) {
        depth &-= 1
        if isPretty { closingLine() }
        reserve(1)
        byte(UInt8(ascii: bracket))
        first = 0
    }

    @inline(never)
    private mutating func closingLine() {
        if first != 0 {
            guard isFoundationStyle else { return }
            reserve(1)
            byte(UInt8(ascii: "\n"))
        }
        newLine()
    }

    /// Writes a key that has no prepared prefix: the preceding comma, the key and the colon.
    mutating func key(_ key: String) {
        reserve(64)
        comma()
        string(key)
        reserve(3)
        colon()
    }

    /// Writes `null` or other short ASCII text.
    mutating func literal(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        cursor.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        cursor += text.utf8CodeUnitCount
    }

    /// Writes ASCII text.
    mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { verbatim($0) }
    }

    /// Writes bytes unchanged.
    mutating func verbatim(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard var from = bytes.baseAddress else { return }
        var left = bytes.count
        while left > 0 {
            // In pieces, so that the pieces passed to the sink stay small.
            let count = min(left, Self.pieceSize)
            reserve(count)
            cursor.update(from: from, count: count)
            cursor += count
            from += count
            left -= count
        }
    }
}

/// The layout and the escapes of written JSON.
struct OutputFormat: Sendable {
    /// Whether each value has a line of its own.
    var isPretty = false
    /// Whether `/` is escaped.
    var escapesSlashes = false
    /// Whether characters beyond ASCII are escaped.
    var escapesNonASCII = false
    /// Whether the JSON is in the style of Foundation's encoder.
    var isFoundationStyle = false
}
