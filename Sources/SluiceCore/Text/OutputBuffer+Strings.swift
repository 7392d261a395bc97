// Strings. One pass copies the bytes and searches for characters to escape. A string of up to 15 bytes, which Swift stores
// inline, is written from two registers together with its closing quote. The search ends at the quote.

extension OutputBuffer {
    /// Writes a string in memory. Requires 40 reserved bytes.
    @inline(__always)
    mutating func string(at address: UnsafeRawPointer) {
        if readsStringsInPlace {
            let string = StringBytes(at: address)
            if let count = string.smallCount { return small(string, count) }
            if let bytes = string.native { return plainString(bytes) }
        }
        anyString(at: address)
    }

    @inline(never)
    private mutating func anyString(at address: UnsafeRawPointer) {
        string(address.assumingMemoryBound(to: String.self).pointee)
    }

    @inline(__always)
    private mutating func small(_ string: StringBytes, _ count: UInt64) {
        // The closing quote is stored after the last byte: in place of a zero or, after 15 bytes, of the byte with the form.
        let quote = UInt64(UInt8(ascii: "\""))
        let shift = (count & 7) &* 8
        let low = string.low | (count < 8 ? quote &<< shift : 0)
        let high = string.high & 0x00FF_FFFF_FFFF_FFFF | (count < 8 ? 0 : quote &<< shift)
        cursor.pointee = UInt8(ascii: "\"")
        let plain = Kernels.putSmall(low, high, to: cursor + 1)
        if plain == Int(truncatingIfNeeded: count) {
            cursor += plain &+ 2
        } else {
            smallWithEscapes(string, count)
        }
    }

    @inline(never)
    private mutating func smallWithEscapes(_ string: StringBytes, _ count: UInt64) {
        withUnsafeBytes(of: (string.low, string.high)) { bytes in
            plainString(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[..<Int(count)]))
        }
    }

    mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string($0) }
    }

    mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        if escapesMore { return escaped(text) }
        plainString(text)
    }

    /// Writes a string with only the necessary escapes.
    @inline(never)
    private mutating func plainString(_ text: UnsafeBufferPointer<UInt8>) {
        var left = text.count
        // A string of up to 4,096 bytes is not divided between two pieces. A longer string does not enlarge the pieces.
        reserve(min(left, 4_096) + 64)
        byte(UInt8(ascii: "\""))
        if var at = text.baseAddress {
            while left > 0 {
                let piece = min(left, 4_096)
                reserve(piece + 64)
                let plain = Kernels.copyPlain(at, piece, to: cursor)
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

    /// Writes a string. Requires 40 reserved bytes.
    ///
    /// Unlike `string(at:)`, the method is also fast if slashes are escaped.
    @inline(__always)
    mutating func quoted(_ text: String) {
        if readsStrings {
            let string = StringBytes(text)
            if let count = string.smallCount { return quoted(small: string, count) }
            if string.native != nil { return withExtendedLifetime(text) { quoted(native: string) } }
        }
        self.string(text)
    }

    @inline(__always)
    private mutating func quoted(small string: StringBytes, _ count: UInt64) {
        let quote = UInt64(UInt8(ascii: "\""))
        let shift = (count & 7) &* 8
        let low = string.low | (count < 8 ? quote &<< shift : 0)
        let high = string.high & 0x00FF_FFFF_FFFF_FFFF | (count < 8 ? 0 : quote &<< shift)
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

    @inline(__always)
    private mutating func quoted(native string: StringBytes) {
        if let bytes = string.native { quotedBytes(bytes) }
    }

    /// Writes a string with the necessary escapes, and those of slashes if required.
    @inline(never)
    private mutating func quotedBytes(_ text: UnsafeBufferPointer<UInt8>) {
        var left = text.count
        reserve(left + 64)
        byte(UInt8(ascii: "\""))
        if var at = text.baseAddress {
            while left > 0 {
                let plain = Kernels.copyPlain(at, left, to: cursor, until: otherStop)
                cursor += plain
                at += plain
                left -= plain
                guard left > 0 else { break }
                escape(at.pointee)
                at += 1
                left -= 1
                reserve(left + 64)
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
                let piece = min(end - at, 8_192)
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
    private mutating func escape(
        _ start: UnsafePointer<UInt8>, _ count: Int, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var at = start
        let stop = start + count
        while at < stop {
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
