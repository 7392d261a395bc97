import TestSupport
import Testing

@testable import SluiceCore

/// The word-wise validation against the standard library's, by bytes that are likely to go wrong.
struct UTF8ValidationTests {
    @Test func `the verdict on random bytes equals the standard library's`() {
        var random = SeededRandom(seed: 7, index: 0)
        let pieces: [[UInt8]] = [
            [0x41], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xE3, 0x81, 0x82], [0xEC, 0xBF, 0xBF],
            [0xED, 0x9F, 0xBF], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
            Array("abcdefgh".utf8),
        ]
        let faults: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE3, 0x81], [0xC2], [0xF0, 0x90, 0x80],
        ]
        var invalid = 0
        for _ in 0..<Rounds.of(60_000) {
            var bytes: [UInt8] = []
            for _ in 0..<random.below(9) { bytes += pieces[random.below(pieces.count)] }
            if random.below(2) == 0 {
                let fault = faults[random.below(faults.count)]
                bytes.insert(contentsOf: fault, at: random.below(bytes.count + 1))
            }
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            let isASCII = bytes.allSatisfy { $0 < 0x80 }
            if !isValid { invalid += 1 }
            // An array of just these bytes, so that the address sanitizer sees a look beyond them.
            let verdict = bytes.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { UTF8Validation.verdict($0, buffer.count) } ?? .ascii
            }
            #expect(verdict == (isValid ? isASCII ? .ascii : .utf8 : .invalid), "\(bytes)")
        }
        #expect(invalid > Rounds.of(20_000))
    }

    @Test func `a byte that is not ASCII is found at every position, and only there`() {
        for count in 0...40 {
            // The bytes around the string do not matter.
            var bytes = [0xFF] + [UInt8](repeating: 0x61, count: count) + [0xFF]
            func verdict() -> (UTF8Verdict, Bool) {
                bytes.withUnsafeBufferPointer {
                    let start = $0.baseAddress! + 1
                    return (UTF8Validation.verdict(start, count), UTF8Validation.isASCII(start, count))
                }
            }
            #expect(verdict() == (.ascii, true))
            for place in 0..<count {
                bytes[place + 1] = 0x80
                #expect(verdict() == (.invalid, false), "\(place) of \(count)")
                bytes[place + 1] = 0x61
            }
        }
    }

    /// Every pair of bytes after a lead, in the middle of three-byte characters.
    @Test func `the verdict on every second byte equals the standard library's`() {
        let around = Array("あい".utf8)
        for lead in UInt8(0xC0)...0xFF {
            for second in UInt8.min...UInt8.max {
                let bytes = around + [lead, second, 0x80, 0x80] + around
                let valid = String(validating: bytes, as: UTF8.self) != nil
                let verdict = bytes.withUnsafeBufferPointer { UTF8Validation.verdict($0.baseAddress!, $0.count) }
                #expect((verdict == .utf8) == valid, "\(lead) \(second)")
                let short = around + [lead, second, 0x80] + around
                let shortIsValid = String(validating: short, as: UTF8.self) != nil
                let shortVerdict = short.withUnsafeBufferPointer {
                    UTF8Validation.verdict($0.baseAddress!, $0.count)
                }
                #expect((shortVerdict == .utf8) == shortIsValid, "\(lead) \(second)")
            }
        }
    }

    /// Long text in blocks: a fault at every place of a block and at the end, and sequences that blocks divide.
    @Test func `blocks have the verdict of the portable code`() {
        var random = SeededRandom(seed: 9, index: 0)
        let pieces = ["a", "0123456789abcdef", "ä", "߿", "あ", "\u{FFFF}", "😀", "\u{10FFFF}"].map { Array($0.utf8) }
        let faults: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFF], [0xE3, 0x81], [0xC2], [0xF0, 0x90, 0x80], [0xF0, 0x90], [0xE3],
            [0xC3, 0xA4, 0x80], [0xE3, 0x81, 0x82, 0x80], [0xF0, 0x9F, 0x98, 0x80, 0x80],
        ]
        var invalid = 0
        for round in 0..<Rounds.of(40_000) {
            var bytes: [UInt8] = []
            let length = 33 + random.below(120)
            while bytes.count < length { bytes += pieces[random.below(pieces.count)] }
            if round % 4 == 0 { bytes.removeLast(random.below(4)) }
            if round % 2 == 0 {
                let at = random.below(bytes.count)
                bytes.replaceSubrange(at..<at, with: faults[random.below(faults.count)])
            }
            if round % 8 == 1 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            // An array of just these bytes, so that the address sanitizer sees a look beyond them.
            let (whole, portable) = bytes.withUnsafeBufferPointer {
                (
                    UTF8Validation.firstError($0.baseAddress!, $0.count),
                    UTF8Validation.portableFirstError($0.baseAddress!, $0.count)
                )
            }
            if whole != portable || (portable == nil) != (String(validating: bytes, as: UTF8.self) != nil) {
                Issue.record("\(bytes)")
            }
            if portable != nil { invalid += 1 }
        }
        #expect(invalid > Rounds.of(15_000))
    }

    /// All pairs of bytes and the third bytes that decide, at the end of a block and in the next one.
    @Test func `every pair of bytes has the same verdict in blocks`() {
        for place in [10, 28, 29, 30, 31, 36] {
            var bytes = [UInt8](repeating: 0x61, count: 40)
            for first in UInt8(0x7F)...0xFF {
                for second in UInt8.min...UInt8.max {
                    for after in [[0x61, 0x61], [0x80, 0x61], [0x80, 0x80], [0xBF, 0xC2]] as [[UInt8]] {
                        bytes.replaceSubrange(place..<(place + 4), with: [first, second] + after)
                        let (whole, portable) = bytes.withUnsafeBufferPointer {
                            (
                                UTF8Validation.firstError($0.baseAddress!, $0.count),
                                UTF8Validation.portableFirstError($0.baseAddress!, $0.count)
                            )
                        }
                        if whole != portable { Issue.record("\(place) \(first) \(second) \(after)") }
                    }
                }
            }
        }
    }
}
