import TestSupport
import Testing

@testable import SluiceCore

/// Comparisons of the loops that write strings with bytewise loops.
struct WritingKernelTests {
    private static let escaped: [UInt8] = [0x00, 0x1F, 0x22, 0x5C]

    private func copied(_ bytes: [UInt8], _ copy: (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<UInt8>) -> Int)
        -> [UInt8]
    {
        // Both end directly before memory that can neither be read nor written.
        let memory = GuardedMemory(byteCount: bytes.count)
        let to = memory.room(bytes.count, at: .end)
        return GuardedMemory.withCopy(of: bytes) { from in
            let count = copy(from, bytes.count, to.baseAddress!.assumingMemoryBound(to: UInt8.self))
            return withExtendedLifetime(memory) { Array(to.prefix(count)) }
        }
    }

    @Test func `strings are copied up to the first byte to escape`() {
        for length in 0..<100 {
            for stop in 0...length {
                var bytes = (0..<length).map { UInt8(0x23 + ($0 * 7 + stop) % 0x39) }
                if stop < length { bytes[stop] = Self.escaped[(length + stop) % 4] }
                if stop + 1 < length { bytes[stop + 1] = 0x22 }
                let expected = Array(bytes[..<stop])
                #expect(copied(bytes) { Kernels.copyPlain($0, $1, to: $2) } == expected)
                #expect(copied(bytes) { Kernels.portableCopyPlain($0, $1, to: $2) } == expected)
            }
        }
    }

    @Test func `every byte is classified`() {
        for byte in UInt8.min...UInt8.max {
            let isStop = byte == 0x22 || byte == 0x5C || byte < 0x20
            for index in 0..<40 {
                var bytes = [UInt8](repeating: 0x7F, count: 40)
                bytes[index] = byte
                let expected = isStop ? index : 40
                #expect(copied(bytes) { Kernels.copyPlain($0, $1, to: $2) }.count == expected)
                #expect(copied(bytes) { Kernels.portableCopyPlain($0, $1, to: $2) }.count == expected)
            }
        }
    }

    @Test func `a further character ends the copying`() {
        for byte in UInt8.min...UInt8.max {
            let isStop = byte == 0x22 || byte == 0x5C || byte == 0x2F || byte < 0x20
            for count in [7, 8, 15, 16, 17, 31, 33, 40] {
                for index in 0..<count {
                    var bytes = [UInt8](repeating: 0xAF, count: count)
                    bytes[index] = byte
                    let expected = isStop ? index : count
                    #expect(copied(bytes) { Kernels.copyPlain($0, $1, to: $2, until: 0x2F) }.count == expected)
                    let portable = copied(bytes) { Kernels.portableCopyPlain($0, $1, to: $2, until: 0x2F) }
                    #expect(portable.count == expected)
                }
            }
        }
    }

    @Test func `the brackets of an empty array in the style of Foundation are two lines apart`() {
        var buffer = OutputBuffer(OutputFormat(isPretty: true, isFoundationStyle: true))
        for bracket in ["[", "]"] as [Unicode.Scalar] {
            buffer.reserve(1)
            if bracket == "[" { buffer.open(bracket) } else { buffer.close(bracket) }
        }
        #expect(String(decoding: buffer.written, as: UTF8.self) == "[\n\n]")
    }

    @Test(arguments: [UInt8(ascii: "\""), UInt8(ascii: "/")])
    func `the first byte to escape is found in sixteen`(_ other: UInt8) {
        for byte in UInt8.min...UInt8.max {
            let isStop = byte == 0x22 || byte == 0x5C || byte < 0x20 || byte == other
            for index in 0..<15 {
                var bytes = [UInt8](repeating: 0xFF, count: 16)
                (bytes[index], bytes[15]) = (byte, 0x22)
                let (low, high) = bytes.withUnsafeBytes { $0.loadUnaligned(as: (UInt64, UInt64).self) }
                typealias Put = (UInt64, UInt64, UnsafeMutablePointer<UInt8>) -> Int
                var puts: [Put] = [
                    { Kernels.putSmall($0, $1, to: $2, until: other) },
                    { Kernels.portablePutSmall($0, $1, to: $2, until: other) },
                ]
                if other == 0x22 { puts.append { Kernels.putSmall($0, $1, to: $2) } }
                for put in puts {
                    var written = [UInt8](repeating: 0, count: 16)
                    let found = written.withUnsafeMutableBufferPointer { put(low, high, $0.baseAddress!) }
                    #expect(found == (isStop ? index : 15))
                    #expect(written == bytes)
                }
            }
        }
    }
}
