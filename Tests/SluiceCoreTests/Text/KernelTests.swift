import CKernels
import TestSupport
import Testing

@testable import SluiceCore

/// Comparisons of the scanner's vector and portable loops with bytewise loops, at every alignment and every length,
/// and with every byte at the end.
struct KernelTests {
    /// As many bytes as the loops may read behind what they are asked for.
    private static let readable = 16

    /// Calls a closure with the bytes. The memory that can be read ends `distance` bytes behind them.
    private func at<R>(_ distance: Int, _ bytes: [UInt8], _ body: (UnsafePointer<UInt8>) -> R) -> R {
        GuardedMemory.withCopy(of: bytes, distance: distance, body)
    }

    @Test func `the end of a string is found at every length and alignment`() {
        for shift in 0..<17 {
            for length in 0..<50 {
                for stop in [0x22, 0x5C, 0x1F] as [UInt8] {
                    for filler in [0x20, 0x5D, 0x80] as [UInt8] {
                        var bytes = [UInt8](repeating: 0x61, count: length)
                        if length > 0 { bytes[(length * 7 + shift) % length] = filler }
                        let isASCII = bytes.allSatisfy { $0 < 0x80 }
                        // Behind the stop lies what must not count.
                        bytes += [stop] + [UInt8](repeating: 0x88, count: Self.readable)
                        at(shift, bytes) { start in
                            let last = start + (bytes.count - Self.readable)
                            var plain = true
                            let end = Kernels.stringEnd(start, last: last, isASCII: &plain)
                            var portablePlain = true
                            let portableEnd = Kernels.portableStringEnd(start, last: last, isASCII: &portablePlain)
                            if [end, portableEnd] != [start + length, start + length]
                                || [plain, portablePlain] != [isASCII, isASCII]
                            {
                                Issue.record("\(shift) \(length) \(stop) \(filler)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func `the first byte that is not plain ASCII is found at every length and alignment`() {
        for shift in 0..<17 {
            for length in 0..<50 {
                for stop in [0x00, 0x1F, 0x22, 0x5C, 0x80, 0xFF] as [UInt8] {
                    let bytes =
                        (0..<length).map { UInt8(0x23 + ($0 * 7 + shift) % 0x39) } + [stop]
                        + [UInt8](repeating: 0x22, count: Self.readable)
                    at(shift, bytes) { start in
                        let last = start + (bytes.count - Self.readable)
                        let ends = [
                            Kernels.plainEnd(start, last: last), Kernels.portablePlainEnd(start, last: last),
                        ]
                        if ends != [start + length, start + length] { Issue.record("\(shift) \(length) \(stop)") }
                    }
                }
            }
        }
    }

    @Test func `plain bytes are copied up to the first other byte`() {
        for length in 0..<70 {
            for stop in [0x22, 0x5C, 0x00, 0x1F] as [UInt8] {
                for filler in [0x20, 0xE3] as [UInt8] {
                    var text = [UInt8](repeating: 0x61, count: length)
                    if length > 0 { text[length * 5 % length] = filler }
                    let bytes = text + [stop] + [UInt8](repeating: 0x88, count: Self.readable)
                    at(length % 17, bytes) { start in
                        let last = start + (bytes.count - Self.readable)
                        for isPortable in [false, true] {
                            var isASCII = true
                            let copy = [UInt8](unsafeUninitializedCapacity: length + 32) { out, count in
                                let to = out.baseAddress!
                                let outLast = to + (length + 16)
                                count =
                                    isPortable
                                    ? Kernels.portableCopyPlain(
                                        start, last: last, to: to, outLast: outLast, isASCII: &isASCII)
                                    : Kernels.copyPlain(
                                        start, last: last, to: to, outLast: outLast, isASCII: &isASCII)
                            }
                            if copy != text || isASCII == text.contains(0xE3) {
                                Issue.record("\(length) \(stop) \(isPortable)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test func `copying ends at the last position of the copy`() {
        let bytes = [UInt8](repeating: 0x61, count: 100)
        for room in 16..<80 {
            at(1, bytes) { start in
                let to = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
                defer { to.deallocate() }
                var isASCII = true
                for count in [
                    Kernels.copyPlain(
                        start, last: start + 84, to: to, outLast: to + (room - 16), isASCII: &isASCII),
                    Kernels.portableCopyPlain(
                        start, last: start + 84, to: to, outLast: to + (room - 16), isASCII: &isASCII),
                ] {
                    #expect(count > room - 16 && count <= room)
                    #expect(UnsafeBufferPointer(start: to, count: count).allSatisfy { $0 == 0x61 })
                }
            }
        }
    }

    @Test func `prefixes of a pattern are compared`() {
        let pattern = (0..<32).map { UInt8($0 * 5 + 1) }
        for count in 0...32 {
            for change in 0...32 {
                var bytes = pattern
                if change < 32 { bytes[change] ^= 0x10 }
                at(count % 17, bytes) { start in
                    at(3, pattern) { pattern in
                        #expect(Kernels.isEqual(start, pattern, count) == (change >= count))
                        #expect(Kernels.portableIsEqual(start, pattern, count) == (change >= count))
                    }
                }
            }
        }
    }

    /// Every byte is a stop or none, by both.
    @Test func `every byte is classified in a string`() {
        for byte in UInt8.min...UInt8.max {
            let bytes = [0x61, byte, 0x22] + [UInt8](repeating: 0x61, count: Self.readable)
            let isStop = byte == 0x22 || byte == 0x5C || byte < 0x20
            at(3, bytes) { start in
                var plain = true
                #expect(Kernels.stringEnd(start, last: start + 3, isASCII: &plain) == start + (isStop ? 1 : 2))
                #expect(plain == (byte < 0x80))
                plain = true
                #expect(
                    Kernels.portableStringEnd(start, last: start + 3, isASCII: &plain) == start + (isStop ? 1 : 2))
                #expect(plain == (byte < 0x80))
            }
        }
    }

    @Test func `the end of white space is found at every length and alignment`() {
        for shift in 0..<17 {
            for length in 0..<50 {
                for byte in [0, 0x08, 0x0B, 0x0C, 0x0E, 0x1F, 0x21, 0x2C, 0x7B, 0x89, 0x8A, 0xA0, 0xFF] as [UInt8] {
                    let blanks = (0..<length).map { [0x20, 0x0A, 0x0D, 0x09][($0 * 5 + shift) % 4] as UInt8 }
                    let bytes = blanks + [byte] + [UInt8](repeating: 0x20, count: Self.readable)
                    at(shift, bytes) { start in
                        let last = start + (bytes.count - Self.readable)
                        let ends = [
                            Kernels.spaceEnd(start, last: last), Kernels.portableSpaceEnd(start, last: last),
                        ]
                        if ends != [start + length, start + length] { Issue.record("\(shift) \(length) \(byte)") }
                    }
                }
            }
        }
    }

    @Test func `digits are accumulated up to the first other byte`() {
        for length in 0..<40 {
            for byte in [0, 0x20, 0x2C, 0x2E, 0x2F, 0x3A, 0x45, 0x65, 0x7F, 0xB0, 0xB9, 0xFF] as [UInt8] {
                let digits = (0..<length).map { UInt8(0x30 + ($0 * 7 + 1) % 10) }
                let bytes = digits + [byte] + [UInt8](repeating: 0x35, count: Self.readable)
                let expected = digits.reduce(UInt64(0)) { $0 &* 10 &+ UInt64($1 - 0x30) }
                at(16 + length % 9, bytes) { start in
                    let last = start + (bytes.count - Self.readable)
                    var value: UInt64 = 0
                    func check(_ name: String, _ end: UnsafePointer<UInt8>) {
                        if end != start + length || value != expected { Issue.record("\(name): \(length) \(byte)") }
                        value = 0
                    }
                    // The memory before the digits is readable or not.
                    for first in [start - 16, start] {
                        check("digits", Kernels.digits(start, first: first, last: last, into: &value))
                        check("first", Kernels.firstDigits(start, first: first, last: last, into: &value))
                    }
                    check("portable", Kernels.portableDigits(start, last: last, into: &value))
                }
            }
        }
    }

    /// Without a stop they go on to some place behind `last`, and read nothing behind it by more than 16 bytes.
    @Test func `a scan without a stop ends after the last byte`() {
        for length in 16..<60 {
            let letters = [UInt8](repeating: 0x61, count: length)
            at(5, letters) { start in
                let last = start + (length - Self.readable)
                var plain = true
                #expect(Kernels.stringEnd(start, last: last, isASCII: &plain) > last)
                #expect(Kernels.portableStringEnd(start, last: last, isASCII: &plain) > last)
            }
            at(5, [UInt8](repeating: 0x20, count: length)) { start in
                let last = start + (length - Self.readable)
                #expect(Kernels.spaceEnd(start, last: last) > last)
                #expect(Kernels.portableSpaceEnd(start, last: last) > last)
            }
        }
    }

    @Test func `vertical tabs and form feeds are found at every position`() {
        for length in 0..<80 {
            for place in 0...length {
                for byte in [0x0B, 0x0C, 0x0A, 0x0D, 0x8B, 0xFF] as [UInt8] {
                    var bytes = [UInt8](repeating: 0x20, count: length)
                    if place < length { bytes[place] = byte }
                    let expected = bytes.firstIndex { $0 == 0x0B || $0 == 0x0C } ?? length
                    let found = at(length % 5, bytes) { sluice_vertical_space($0, $0 + length) - $0 }
                    if found != expected { Issue.record("\(length) \(place) \(byte)") }
                }
            }
        }
    }

    /// The key that is expected is found in the text by words, and no other.
    @Test func `only the expected quoted key matches`() {
        for length in 0..<70 {
            let key = (0..<length).map { UInt8(0x61 + $0 % 26) }
            let memory = PlanMemory()
            defer { withExtendedLifetime(memory) {} }
            var (entry, other) = (TableBuilder.sentinel(), TableBuilder.sentinel())
            entry.presenceBit = 1
            TableBuilder.setKey(&entry, String(decoding: key, as: UTF8.self), memory)
            // Without a fast path, the key is not expected.
            TableBuilder.setKey(&other, String(decoding: key, as: UTF8.self), memory)
            let behind = [UInt8](repeating: 0x22, count: QuotedKey.reach)
            at(length % 8, key + [0x22] + behind) { text in
                #expect(entry.matches(textAt: text) == (length < QuotedKey.reach), "\(length)")
                #expect(!other.matches(textAt: text), "\(length)")
            }
            for change in 0...length {
                var changed = key + [0x22]
                changed[change] = 0x21
                at(length % 8, changed + behind) { text in
                    #expect(!entry.matches(textAt: text), "\(length), \(change)")
                }
            }
        }
        for key in ["a\"b", "a\\b", "a\u{1F}"] {
            let memory = PlanMemory()
            defer { withExtendedLifetime(memory) {} }
            var entry = TableBuilder.sentinel()
            entry.presenceBit = 1
            TableBuilder.setKey(&entry, key, memory)
            at(0, Array(key.utf8) + [UInt8](repeating: 0x22, count: QuotedKey.reach)) { text in
                #expect(!entry.matches(textAt: text))
            }
        }
    }
}
