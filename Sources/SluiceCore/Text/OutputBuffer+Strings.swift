// Strings: a short string is copied with its closing quote, then searched in place. The quote ends the search, so that
// no bounds check is needed. Strings with escapes are rare, and take a slower path.

extension OutputBuffer {
    @inline(__always)
    mutating func string(at address: UnsafeRawPointer) {
        if isSmallStringKnown, !escapesMore {
            let (low, high) = address.loadUnaligned(as: (UInt64, UInt64).self)
            // A small string has these two bits, whether or not it is ASCII, and stores all of its bytes inline.
            if high &>> 56 & 0xA0 == 0xA0 {
                return small(low, high, Int(truncatingIfNeeded: high &>> 56 & 0x0F))
            }
        }
        string(address.assumingMemoryBound(to: String.self).pointee)
    }

    @inline(__always)
    private mutating func small(_ low: UInt64, _ high: UInt64, _ count: Int) {
        reserve(40)
        let to = UnsafeMutableRawPointer(cursor)
        to.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        to.storeBytes(of: low, toByteOffset: 1, as: UInt64.self)
        to.storeBytes(of: high, toByteOffset: 9, as: UInt64.self)
        closeIfPlain(count)
    }

    @inline(__always)
    private mutating func closeIfPlain(_ count: Int) {
        let text = cursor + 1
        let quote = text + count
        quote.pointee = UInt8(ascii: "\"")
        var isASCII = true
        let end = Kernels.stringEnd(UnsafePointer(text), last: UnsafePointer(quote), isASCII: &isASCII)
        if end == UnsafePointer(quote) {
            cursor = quote + 1
        } else {
            escapeAgain(count)
        }
    }

    /// Writes the bytes copied to the cursor again, with escapes.
    @inline(never)
    private mutating func escapeAgain(_ count: Int) {
        let copy = Array(UnsafeBufferPointer(start: cursor + 1, count: count))
        copy.withUnsafeBufferPointer { escaped($0) }
    }

    mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string($0) }
    }

    mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        guard let base = text.baseAddress, text.count <= 4_096, !escapesMore else { return escaped(text) }
        reserve(text.count + 32)
        cursor.pointee = UInt8(ascii: "\"")
        (cursor + 1).update(from: base, count: text.count)
        let quote = cursor + 1 + text.count
        quote.pointee = UInt8(ascii: "\"")
        var isASCII = true
        let end = Kernels.stringEnd(UnsafePointer(cursor + 1), last: UnsafePointer(quote), isASCII: &isASCII)
        if end == UnsafePointer(quote) {
            cursor = quote + 1
        } else {
            escaped(text)
        }
    }

    /// Writes a string with escapes, or a long string.
    private mutating func escaped(_ text: UnsafeBufferPointer<UInt8>) {
        reserve(1)
        byte(UInt8(ascii: "\""))
        if var at = text.baseAddress {
            let end = at + text.count
            while at < end {
                let piece = min(end - at, 8_192)
                // Each byte may become six. An escape of several bytes may extend beyond the piece.
                reserve(piece * 6 + 64)
                at = escape(at, piece, end)
            }
        }
        reserve(1)
        byte(UInt8(ascii: "\""))
    }

    /// Writes the bytes from `start` on. Returns the end: at `count`, or after the character that crosses it.
    private mutating func escape(
        _ start: UnsafePointer<UInt8>, _ count: Int, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var at = start
        let stop = start + count
        while at < stop {
            if stop - at >= 8, !escapesMore {
                let word = Kernels.word(at)
                let special = Self.special(word)
                UnsafeMutableRawPointer(cursor).storeBytes(of: word.littleEndian, as: UInt64.self)
                let plain = special == 0 ? 8 : special.trailingZeroBitCount &>> 3
                cursor += plain
                at += plain
                if special == 0 { continue }
            }
            let byte = at.pointee
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
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

    /// Returns the high bit of each byte that needs an escape. Exact up to the first such byte.
    @inline(__always)
    private static func special(_ word: UInt64) -> UInt64 {
        let ones = Kernels.ones
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        return
            ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
            | (word &- ones &* 0x20) & ~word) & Kernels.highs
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
        defer { buffer.free() }
        buffer.string(text)
        return String(decoding: buffer.written, as: UTF8.self)
    }
}
