/// The JSON being written, in memory that grows or that is passed to a sink in pieces.
///
/// A caller reserves bytes before writing. The buffer keeps the sink's first error, and discards all later bytes.
///
/// Invariant: `start <= cursor <= limit`. The buffer owns the memory from `start` to `limit`, or a caller has lent the memory and
/// `isMemoryLent` is true. A method that writes states how many bytes must be reserved, which may be more than the method writes.
@usableFromInline package struct OutputBuffer: ~Copyable {
    /// The number of bytes of a prefix that can be read.
    static var prefixRoom: Int { 64 }
    /// The number of bytes after which a piece is passed to the sink.
    static var pieceSize: Int { 65_536 }
    /// The capacity from which memory grows by a factor of 2, and below by a factor of 4.
    private static var smallCapacity: Int { 65_536 }
    /// The number of bytes of a string that are written without a division between two pieces.
    private static var undividedLength: Int { 4_096 }
    /// The number of bytes of a string that are escaped after one reservation of memory.
    private static var escapedLength: Int { 8_192 }

    @usableFromInline package var start: UnsafeMutablePointer<UInt8>
    /// The position of the next byte.
    @usableFromInline package var position: OutputCursor
    @usableFromInline package private(set) var limit: UnsafeMutablePointer<UInt8>
    /// The end of the reserved bytes, or their start if the JSON is pretty or if the sink has thrown an error: code for compact JSON then
    /// finds no room, and leaves the bytes to the general code.
    private(set) var compactLimit: UnsafeMutablePointer<UInt8>
    /// The same for the texts of a plan, which have the necessary escapes alone: the start of the reserved bytes, if more are required.
    private var prefixLimit: UnsafeMutablePointer<UInt8>
    /// Whether the memory belongs to a caller. More memory is the buffer's own.
    private(set) var isMemoryLent: Bool
    private let sink: ((UnsafeRawBufferPointer) throws -> Void)?
    /// The error thrown by the sink.
    private(set) var sinkError: (any Error)?
    /// Whether written bytes may still change. Reserving memory then passes no bytes to the sink.
    var isHeld = false
    /// The number of open objects and arrays.
    @usableFromInline package var depth = 0
    @usableFromInline package let isPretty: Bool
    /// Whether characters are escaped that JSON allows without an escape.
    let escapesMore: Bool
    package let escapesSlashes: Bool
    let escapesNonASCII: Bool
    /// Whether texts of a plan are written as they are: without lines of their own, and with the necessary escapes alone.
    let isCompact: Bool
    /// Whether the JSON is in the style of Foundation's: integral numbers have no fraction, and pretty JSON has a space before each
    /// colon and an empty line in empty containers.
    @usableFromInline package let isFoundationStyle: Bool
    /// Whether the bytes of strings can be read in place.
    let readsStringsInPlace: Bool
    /// Whether the bytes of strings can be read in place by `quoted(_:)`, which also escapes slashes.
    @usableFromInline package let readsStrings: Bool
    /// The character that `quoted(_:)` escapes besides the necessary ones: a slash, or the quote.
    @usableFromInline package let otherStop: UInt8

    /// - Parameter memory: The first memory of the JSON, lent by the caller; nil for the buffer's own.
    package init(
        _ format: OutputFormat = OutputFormat(), in memory: UnsafeMutableBufferPointer<UInt8>? = nil,
        sink: ((UnsafeRawBufferPointer) throws -> Void)? = nil
    ) {
        let capacity = memory?.count ?? (sink == nil ? 1_024 : Self.pieceSize + 1_024)
        start = memory?.baseAddress ?? OutputMemory.allocate(capacity)
        isMemoryLent = memory != nil
        position = OutputCursor(start)
        limit = start + capacity
        let escapesMore = format.escapesSlashes || format.escapesNonASCII
        let isCompact = !format.isPretty && !escapesMore
        compactLimit = format.isPretty ? start : limit
        prefixLimit = isCompact ? limit : start
        self.sink = sink
        isPretty = format.isPretty
        escapesSlashes = format.escapesSlashes
        escapesNonASCII = format.escapesNonASCII
        isFoundationStyle = format.isFoundationStyle
        (self.escapesMore, self.isCompact) = (escapesMore, isCompact)
        readsStrings = StringBytes.isKnown && !escapesNonASCII
        otherStop = UInt8(ascii: escapesSlashes ? "/" : "\"")
        readsStringsInPlace = StringBytes.isKnown && !escapesMore
    }

    deinit { if !isMemoryLent { OutputMemory.give(start, capacity: limit - start) } }

    /// The address of the next byte.
    @inlinable package var cursor: UnsafeMutablePointer<UInt8> {
        @inline(__always) get { position.at }
        @inline(__always) _modify { yield &position.at }
    }

    /// 1 if the next value is the first in its container and needs no comma, else 0.
    @inlinable package var firstByteCount: Int {
        @inline(__always) get { position.firstByteCount }
        @inline(__always) _modify { yield &position.firstByteCount }
    }

    /// The written bytes that have not been passed to the sink.
    @inlinable package var written: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: cursor - start)
    }

    /// The number of reserved bytes.
    @inline(__always)
    @inlinable package var room: Int { limit - cursor }

    /// Reserves memory for `count` more bytes.
    @inline(__always)
    @inlinable package mutating func reserve(_ count: Int) {
        if room < count { makeRoom(count) }
    }

    @inline(never)
    @usableFromInline package mutating func makeRoom(_ count: Int) {
        if sink != nil, !isHeld {
            flush()
            if room >= count { return }
        }
        let used = cursor - start
        let old = limit - start
        let needed = max(old < Self.smallCapacity ? old * 4 : old * 2, used + count)
        if isMemoryLent {
            let written = start
            setMemory(OutputMemory.allocate(needed), needed, used: used)
            start.update(from: written, count: used)
            isMemoryLent = false
        } else {
            let (block, capacity) = OutputMemory.grow(start, used: used, to: needed)
            setMemory(block, capacity, used: used)
        }
    }

    private mutating func setMemory(_ block: UnsafeMutablePointer<UInt8>, _ capacity: Int, used: Int) {
        (start, cursor, limit) = (block, block + used, block + capacity)
        setCompactLimit()
    }

    private mutating func setCompactLimit() {
        compactLimit = isPretty || sinkError != nil ? start : limit
        prefixLimit = escapesMore ? start : compactLimit
    }

    /// Passes the written bytes to the sink.
    mutating func flush() {
        guard let sink, cursor > start else { return }
        if sinkError == nil {
            do { try sink(written) } catch {
                sinkError = error
                setCompactLimit()
            }
        }
        cursor = start
    }

    // MARK: Changes of written bytes, in a buffer without a sink

    /// The number of written bytes.
    @inline(__always)
    @inlinable package var count: Int { cursor - start }

    /// Removes the bytes after the first `count`.
    @inline(__always)
    @inlinable package mutating func truncate(_ count: Int) { cursor = start + count }

    /// The written bytes of a range.
    package func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start + range.lowerBound, count: range.count)
    }

    /// Prepares the buffer for other JSON. A large block of memory is replaced by a small one.
    package mutating func restart() {
        (cursor, firstByteCount, depth) = (start, 1, 0)
        guard limit - start > Self.pieceSize, !isMemoryLent else { return }
        OutputMemory.give(start, capacity: limit - start)
        setMemory(OutputMemory.allocate(1_024), 1_024, used: 0)
    }

    // MARK: Bytes

    /// Writes a byte. Requires a reserved byte.
    @inline(__always)
    @inlinable package mutating func byte(_ byte: UInt8) { position.byte(byte) }

    /// Stores the bytes of a number, the lowest first, without moving the cursor. Requires as many reserved bytes.
    @inline(__always)
    @inlinable package func store<T: FixedWidthInteger>(_ value: T, at offset: Int = 0) {
        position.store(value, at: offset)
    }

    // MARK: Punctuation

    /// Writes the comma before a value, its key and the colon.
    ///
    /// - Precondition: At least ``prefixRoom`` bytes of the prefix after the first are readable. As many bytes, or `count`, are
    ///   reserved.
    @inline(__always)
    mutating func prefix(_ prefix: UnsafePointer<UInt8>, _ count: Int) {
        if !isCompact { return anyPrefix(prefix, count) }
        position.prefix(prefix, count)
    }

    /// Writes the comma before a value, its key and the colon at a copy of the position, and reserves 96 bytes for the value.
    @inline(__always)
    mutating func prefix(_ prefix: UnsafePointer<UInt8>, _ count: Int, at to: inout OutputCursor) {
        if prefixLimit - to.at >= count &+ 96 { return to.prefix(prefix, count) }
        position = to
        reserve(count &+ 96)
        self.prefix(prefix, count)
        to = position
    }

    /// Writes a text of a plan.
    ///
    /// - Precondition: At least ``prefixRoom`` bytes of the text are readable, not counting the first. As many bytes, or `count`, are
    ///   reserved.
    @inline(__always)
    mutating func planText(_ text: UnsafePointer<UInt8>, _ count: Int) { position.planText(text, count) }

    /// Writes a prefix in pretty JSON, or with more escapes than necessary.
    @inline(never)
    private mutating func anyPrefix(_ prefix: UnsafePointer<UInt8>, _ count: Int) {
        if firstByteCount == 0 { byte(UInt8(ascii: ",")) }
        firstByteCount = 0
        newLine()
        // Each byte of the key may become six.
        reserve(count * 6 + 96)
        guard count > 1 else { return }
        // The prefix ends with a colon.
        if escapesMore {
            escape(prefix + 1, count - 2, prefix + (count - 1), isQuoted: true)
        } else {
            cursor.update(from: prefix + 1, count: count - 2)
            cursor += count - 2
        }
        colon()
        reserve(96)
    }

    /// Writes the colon after a key. Requires three reserved bytes.
    @inline(__always)
    @inlinable package mutating func colon() {
        guard isPretty else { return byte(UInt8(ascii: ":")) }
        if isFoundationStyle { byte(UInt8(ascii: " ")) }
        byte(UInt8(ascii: ":"))
        byte(UInt8(ascii: " "))
    }

    /// Writes the comma before an element.
    @inline(__always)
    @inlinable package mutating func comma() {
        if isPretty {
            reserve(64)
            if firstByteCount == 0 { byte(UInt8(ascii: ",")) }
            newLine()
        } else if firstByteCount == 0 {
            byte(UInt8(ascii: ","))
        }
        firstByteCount = 0
    }

    /// Writes the comma before an element at a copy of the position, and reserves 64 bytes for the element.
    @inline(__always)
    mutating func comma(at to: inout OutputCursor) {
        if compactLimit - to.at > 64 { return to.comma() }
        position = to
        reserve(65)
        comma()
        to = position
    }

    /// Starts a new indented line in pretty JSON.
    @usableFromInline package mutating func newLine() {
        guard isPretty else { return }
        let count = 2 * depth
        reserve(count + 64)
        byte(UInt8(ascii: "\n"))
        cursor.update(repeating: UInt8(ascii: " "), count: count)
        cursor += count
    }

    /// Writes an opening bracket. Requires one reserved byte.
    @inline(__always)
    @inlinable package mutating func open(_ bracket: Unicode.Scalar) {
        byte(UInt8(ascii: bracket))
        firstByteCount = 1
        depth &+= 1
    }

    /// Writes a closing bracket.
    @inline(__always)
    @inlinable package mutating func close(_ bracket: Unicode.Scalar) {
        depth &-= 1
        if isPretty { closingLine() }
        reserve(1)
        byte(UInt8(ascii: bracket))
        firstByteCount = 0
    }

    /// Writes an opening bracket at a copy of the position. Requires one reserved byte.
    @inline(__always)
    mutating func open(_ bracket: Unicode.Scalar, at to: inout OutputCursor) {
        to.byte(UInt8(ascii: bracket))
        to.firstByteCount = 1
        depth &+= 1
    }

    /// Writes a closing bracket at a copy of the position.
    @inline(__always)
    mutating func close(_ bracket: Unicode.Scalar, at to: inout OutputCursor) {
        if compactLimit > to.at {
            depth &-= 1
            to.byte(UInt8(ascii: bracket))
            to.firstByteCount = 0
            return
        }
        position = to
        close(bracket)
        to = position
    }

    /// Writes the end of an object and the start of the next one in an array, at a copy of the position. Returns false, and writes nothing,
    /// if the sink has thrown an error.
    @inline(__always)
    mutating func nextObject(at to: inout OutputCursor) -> Bool {
        if compactLimit - to.at >= 4 {
            to.nextObject()
            return true
        }
        position = to
        defer { to = position }
        return nextObject()
    }

    @inline(never)
    private mutating func nextObject() -> Bool {
        if sinkError != nil { return false }
        close("}")
        reserve(65)
        comma()
        open("{")
        return true
    }

    @inline(never)
    @usableFromInline package mutating func closingLine() {
        if firstByteCount != 0 {
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
    package mutating func literal(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        cursor.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        cursor += text.utf8CodeUnitCount
    }

    /// Writes bytes as pairs of hexadecimal digits in uppercase. Requires two reserved bytes for each.
    package mutating func hexadecimal(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            for digit in [byte >> 4, byte & 15] {
                self.byte(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + (digit - 10))
            }
        }
    }

    /// Writes ASCII text.
    package mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { verbatim($0) }
    }

    /// Writes bytes unchanged.
    package mutating func verbatim(_ bytes: UnsafeBufferPointer<UInt8>) {
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
package struct OutputFormat: Sendable {
    /// Whether each value has a line of its own.
    package var isPretty = false
    /// Whether `/` is escaped.
    var escapesSlashes = false
    /// Whether characters beyond ASCII are escaped.
    var escapesNonASCII = false
    /// Whether the JSON is in the style of Foundation's encoder.
    var isFoundationStyle = false

    package init(
        isPretty: Bool = false, escapesSlashes: Bool = false, escapesNonASCII: Bool = false,
        isFoundationStyle: Bool = false
    ) {
        (self.isPretty, self.escapesSlashes) = (isPretty, escapesSlashes)
        (self.escapesNonASCII, self.isFoundationStyle) = (escapesNonASCII, isFoundationStyle)
    }
}

// MARK: Strings

extension OutputBuffer {
    /// Writes a string in memory. Requires 40 reserved bytes.
    @inline(__always)
    mutating func string(at address: UnsafeRawPointer) {
        if readsStringsInPlace, position.string(at: address, before: limit) { return }
        anyString(at: address)
    }

    /// Writes a string in memory at a copy of the position. Requires 40 reserved bytes.
    @inline(__always)
    mutating func string(at address: UnsafeRawPointer, at to: inout OutputCursor) {
        if readsStringsInPlace, to.string(at: address, before: limit) { return }
        position = to
        anyString(at: address)
        to = position
    }

    /// Writes strings with commas between them.
    mutating func strings(_ values: UnsafeBufferPointer<String>) {
        guard var at = values.baseAddress else { return }
        let end = at + values.count
        var to = position
        while at < end {
            comma(at: &to)
            string(at: at, at: &to)
            at += 1
        }
        position = to
    }

    /// Writes the bytes of an ASCII string without quotes. Requires 64 reserved bytes.
    @inline(__always)
    mutating func unquoted(at address: UnsafePointer<String>) {
        if readsStringsInPlace {
            let string = StringBytes(at: address)
            if let count = string.smallCount {
                store(string.low)
                store(string.high, at: 8)
                cursor += Int(truncatingIfNeeded: count)
                return
            }
        }
        text(address.pointee)
    }

    @inline(never)
    private mutating func anyString(at address: UnsafeRawPointer) {
        if readsStrings {
            let string = StringBytes(at: address)
            if let count = string.smallCount { return quoted(small: string, count) }
            if let bytes = string.native { return quotedBytes(bytes) }
        }
        var text = address.assumingMemoryBound(to: String.self).pointee
        text.withUTF8 { string($0) }
    }

    @usableFromInline package mutating func string(_ text: String) {
        reserve(64)
        withUnsafePointer(to: text) { string(at: $0) }
    }

    mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        escapesMore ? escaped(text) : quotedBytes(text)
    }

    /// Writes JSON as a string.
    ///
    /// - Parameter text: JSON in an output buffer, which may have quotes in short distances.
    mutating func string(json text: UnsafeRawBufferPointer) {
        let text = text.bindMemory(to: UInt8.self)
        let count = text.count
        guard !escapesMore, count >= 16, count <= Self.undividedLength, let start = text.baseAddress else {
            return string(text)
        }
        // A control character in JSON is a line end, whose escape has two bytes, like those of other characters.
        reserve(2 * count + 64)
        byte(UInt8(ascii: "\""))
        var at = start
        let end = start + count
        let last = end - 16
        let outLast = limit - 16
        var isASCII = true
        while true {
            let plain = Kernels.copyPlain(at, last: last, to: cursor, outLast: outLast, isASCII: &isASCII)
            at += plain
            cursor += plain
            if at > last { break }
            escape(at.pointee)
            at += 1
        }
        // The last bytes, of which there are fewer than sixteen.
        while at < end {
            let next = at.pointee
            if next < 0x20 || next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") {
                escape(next)
            } else {
                byte(next)
            }
            at += 1
        }
        byte(UInt8(ascii: "\""))
    }

    /// Writes a string. Requires 40 reserved bytes.
    ///
    /// Unlike `string(at:)`, the method is also fast if slashes are escaped.
    @inline(__always)
    @inlinable package mutating func quoted(_ text: String) {
        if readsStrings {
            let string = StringBytes(text)
            if let count = string.smallCount { return quoted(small: string, count) }
            if let bytes = string.native { return withExtendedLifetime(text) { quotedBytes(bytes) } }
        }
        self.string(text)
    }

    @inline(__always)
    @inlinable package mutating func quoted(small string: StringBytes, _ count: UInt64) {
        let quote = UInt64(UInt8(ascii: "\""))
        let shift = (count & 7) &* 8
        let low = string.low | (count < 8 ? quote &<< shift : 0)
        let high = string.high & 0x00FF_FFFF_FFFF_FFFF | quote &<< shift
        cursor.pointee = UInt8(ascii: "\"")
        let plain = Kernels.putSmall(low, high, to: cursor + 1, until: otherStop)
        if plain == Int(truncatingIfNeeded: count) {
            cursor += plain &+ 2
        } else {
            withUnsafeBytes(of: (string.low, string.high)) { bytes in
                quotedBytes(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[..<Int(count)]))
            }
        }
    }

    /// Writes a string with the necessary escapes, and those of slashes if required.
    @inline(never)
    @usableFromInline package mutating func quotedBytes(_ text: UnsafeBufferPointer<UInt8>) {
        var left = text.count
        // A longer string is divided, so that the string does not enlarge the pieces.
        reserve(min(left, Self.undividedLength) + 64)
        byte(UInt8(ascii: "\""))
        if var at = text.baseAddress {
            while left > 0 {
                let piece = min(left, Self.undividedLength)
                reserve(piece + 64)
                let plain =
                    escapesSlashes
                    ? Kernels.copyPlain(at, piece, to: cursor, until: otherStop)
                    : Kernels.copyPlain(at, piece, to: cursor)
                cursor += plain
                at += plain
                left -= plain
                guard plain < piece else { continue }
                escape(at.pointee)
                at += 1
                left -= 1
            }
        }
        reserve(64)
        byte(UInt8(ascii: "\""))
    }

    /// Writes a string with more escapes than necessary.
    private mutating func escaped(_ text: UnsafeBufferPointer<UInt8>) {
        reserve(1)
        byte(UInt8(ascii: "\""))
        if var at = text.baseAddress {
            let end = at + text.count
            while at < end {
                let piece = min(end - at, Self.escapedLength)
                // Each byte may become six. An escape of several bytes may extend beyond the piece.
                reserve(piece * 6 + 64)
                at = escape(at, piece, end)
            }
        }
        reserve(1)
        byte(UInt8(ascii: "\""))
    }

    /// Writes `count` bytes with their escapes, and the rest of an escaped character that begins among these bytes. Returns the
    /// end of the bytes that were written.
    ///
    /// - Parameter isQuoted: Whether the bytes are those of a string in quotes, which has the necessary escapes.
    @discardableResult
    private mutating func escape(
        _ start: UnsafePointer<UInt8>, _ count: Int, _ end: UnsafePointer<UInt8>, isQuoted: Bool = false
    ) -> UnsafePointer<UInt8> {
        var at = start
        let stop = start + count
        while at < stop {
            let byte = at.pointee
            if !isQuoted, byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                escape(byte)
            } else if byte == UInt8(ascii: "/"), escapesSlashes {
                self.byte(UInt8(ascii: "\\"))
                self.byte(byte)
            } else if byte >= 0x80, escapesNonASCII {
                at += escapeScalar(at, end)
                continue
            } else {
                self.byte(byte)
            }
            at += 1
        }
        return at
    }

    private mutating func escape(_ byte: UInt8) {
        self.byte(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: self.byte(UInt8(ascii: "b"))
        case 0x09: self.byte(UInt8(ascii: "t"))
        case 0x0A: self.byte(UInt8(ascii: "n"))
        case 0x0C: self.byte(UInt8(ascii: "f"))
        case 0x0D: self.byte(UInt8(ascii: "r"))
        case 0x00..<0x20: fourDigits(UInt16(byte))
        default: self.byte(byte)
        }
    }

    /// Writes a non-ASCII character as one or two escapes, and returns its length.
    private mutating func escapeScalar(_ at: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
        let bytes = UnsafeBufferPointer(start: at, count: min(end - at, 4))
        guard let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first else { return 1 }
        for unit in String(scalar).utf16 {
            byte(UInt8(ascii: "\\"))
            fourDigits(unit)
        }
        return String(scalar).utf8.count
    }

    private mutating func fourDigits(_ unit: UInt16) {
        byte(UInt8(ascii: "u"))
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift) & 0xF)
            byte(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// Returns a string between quotes, with its escapes.
    static func quoted(_ text: String) -> String {
        var buffer = OutputBuffer()
        buffer.string(text)
        return String(decoding: buffer.written, as: UTF8.self)
    }
}

// MARK: Integers

extension OutputBuffer {
    /// Writes an integer of any width. Requires 40 reserved bytes.
    @inline(__always)
    @inlinable package mutating func integer(_ value: some FixedWidthInteger) {
        if value.bitWidth > 64 { return wide(value) }
        position.integer(value)
    }

    /// Writes integers with commas between them.
    mutating func integers(_ values: UnsafeBufferPointer<Int>) {
        var to = position
        for value in values {
            comma(at: &to)
            to.integer(value)
        }
        position = to
    }

    /// Writes a natural number. Requires 32 reserved bytes.
    @inline(__always)
    @inlinable package mutating func natural(_ value: UInt64) { position.natural(value) }

    /// Writes a boolean. Requires five reserved bytes.
    @inline(__always)
    package mutating func bool(_ value: Bool) { position.bool(value) }

    /// Inserts a decimal point into the last number, and zeros before its digits if they are too few. Requires `count + 2` reserved bytes.
    ///
    /// - Parameters:
    ///   - count: The number of digits after the point.
    ///   - start: The count of bytes before the number.
    package mutating func insertPoint(before count: Int, from start: Int) {
        let digits = self.start + start
        let missing = max(count + 1 - (cursor - digits), 0)
        if missing > 0 {
            (digits + missing).update(from: digits, count: cursor - digits)
            digits.update(repeating: UInt8(ascii: "0"), count: missing)
            cursor += missing
        }
        let point = cursor - count
        (point + 1).update(from: point, count: count)
        point.pointee = UInt8(ascii: ".")
        cursor += 1
    }

    @inline(never)
    @usableFromInline package mutating func wide(_ value: some FixedWidthInteger) {
        var rest = value < 0 ? 0 &- UInt128(truncatingIfNeeded: value) : UInt128(truncatingIfNeeded: value)
        if value < 0 { byte(UInt8(ascii: "-")) }
        // The number in base 10^16, of up to three digits.
        let base: UInt128 = 10_000_000_000_000_000
        var parts: [UInt64] = []
        repeat {
            parts.append(UInt64(truncatingIfNeeded: rest % base))
            rest /= base
        } while rest > 0
        natural(parts.removeLast())
        for part in parts.reversed() {
            position.eightDigits(part / 100_000_000)
            position.eightDigits(part % 100_000_000)
        }
    }
}
