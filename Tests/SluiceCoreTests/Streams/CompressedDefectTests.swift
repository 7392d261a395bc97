import Foundation
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

/// Compressed input that is truncated, corrupt, or longer than allowed.
@Suite(.tags(.files)) struct CompressedDefectTests {
    typealias Row = FramingTests.Row

    private static let lines = (0..<40).map { "{\"id\":\($0),\"name\":\"\(UInt64($0 &* 7_919 + 13))\"}\n" }.joined()

    /// The elements before an error, and the error.
    private func read(_ bytes: [UInt8], in size: Int? = nil, _ decoder: JSONModelDecoder = JSONModelDecoder()) -> (
        rows: [Row], issue: JSONIssue?
    ) {
        var rows: [Row] = []
        do {
            try decoder.forEach(
                Row.self, in: .chunks(bytes.pieces(of: size ?? max(bytes.count, 1))), framing: .lines
            ) { rows.append($0) }
            return (rows, nil)
        } catch { return (rows, error.issues.first) }
    }

    @Test func `only the magic numbers are detected`() {
        func detection(_ bytes: [UInt8]) -> JSONCompression.Detection {
            bytes.withUnsafeBufferPointer { JSONCompression.detect($0) }
        }
        // The second byte and the following ones of a skippable frame, after bytes that are no first byte.
        for first in [UInt8(ascii: "{"), UInt8(ascii: "["), 0x4F, 0x60, 0x20] {
            #expect(detection([first, 0x2A, 0x4D, 0x18]) == .plain, "\(first)")
            #expect(detection([first]) == .plain, "\(first)")
        }
        #expect(detection([0x50, 0x2A, 0x4D, 0x18]) == .compressed(.zstd))
        #expect(detection([0x5F, 0x2A]) == .undetermined)
        #expect(detection([0x1F, 0x8B]) == .compressed(.gzip))
        #expect(detection([0x28, 0xB5, 0x2F]) == .undetermined)
        #expect(detection([0x28, 0xB5, 0x2F, 0xFE]) == .plain)
    }

    @Test(arguments: JSONCompression.available)
    func `an early end does not read the end of the data`(_ format: JSONCompression) throws {
        let rest = (0..<100_000).map(String.init).joined(separator: ",")
        let bytes = Array(try format.compress(#"{"row":{"id":1,"name":"a"},"rest":[\#(rest)]}"#).dropLast(30))
        for var decoder in JSONModelDecoder.ofEverySource {
            decoder.stopsEarly = true
            #expect(try decoder.decode(Row.self, from: .chunks(bytes.pieces(of: 500)), at: "row").id == 1)
            decoder.stopsEarly = false
            let error = #expect(throws: JSONModelError.self) {
                try decoder.decode(Row.self, from: .chunks(bytes.pieces(of: 500)), at: "row")
            }
            #expect(error?.issues.first?.kind == .truncatedCompression(format))
        }
    }

    @Test(arguments: JSONCompression.available)
    func `truncated data is an error at its end`(_ format: JSONCompression) async throws {
        let all = read(Array(Self.lines.utf8)).rows
        let whole = try format.compressInMembers(Array(Self.lines.utf8), of: 400)
        var delivered = 0
        for length in 4..<whole.count {
            let bytes = Array(whole.prefix(length))
            let (rows, issue) = read(bytes)
            #expect(rows == Array(all.prefix(rows.count)))
            // Between two members, the data is complete.
            guard let issue, issue.kind == .truncatedCompression(format) else { continue }
            #expect(issue.location == JSONLocation(offset: length, line: 0, column: 0))
            #expect(issue.elementIndex == rows.count && rows.count >= delivered)
            #expect(
                issue.description
                    == "the data of \(format.rawValue) is incomplete, after \(length) bytes of the compressed input"
            )
            delivered = max(delivered, rows.count)
            for size in [1, 17] {
                let other = read(bytes, in: size)
                #expect(other.rows == rows && other.issue?.location == issue.location)
            }
            for verb in StreamVerb.allCases {
                let outcome = await verb.read(Row.self, [bytes], at: "", .lines, JSONModelDecoder())
                #expect(outcome.elements == rows && outcome.error == issue.description, "\(verb)")
            }
        }
        #expect(delivered > 30)
        let member = try format.compress(Self.lines)
        let cut = read(Array(member.dropLast()))
        #expect(cut.rows == all && cut.issue?.kind == .truncatedCompression(format))
        let document = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode([Int].self, from: Array(try format.compress("[1,2,3]").dropLast()))
        }
        #expect(document?.issues.first?.kind == .truncatedCompression(format))
        let partial = try JSONModelDecoder().decodePartially(
            [Int].self, from: Array(try format.compress("[1,2,3]").dropLast()))
        #expect(partial.value == [1, 2, 3] && partial.issues.map(\.kind) == [.truncatedCompression(format)])
    }

    @Test(arguments: JSONCompression.available)
    func `an error in an open token comes before that of truncated data`(_ format: JSONCompression) throws {
        let texts = [
            Array("[\"a".utf8) + [0xA8] + Array("b".utf8), Array("[\"".utf8) + [0xFF, 0x61],
            Array("[\"\(String(repeating: "a", count: 3_000))".utf8) + [0xC3, 0x28, 0x61], Array("[\"\\x1".utf8),
            Array("[\"\\u12x".utf8), Array("[\"a\nb".utf8), Array("[\"a\" \"b".utf8), Array("{\"a\":1 \"b".utf8),
            Array("[1 2".utf8), Array("{tr".utf8), Array("[tru3".utf8), Array("[\"a".utf8), Array("[\"\\u12".utf8),
            Array("[\"é".utf8.dropLast()), Array("[12".utf8), Array("[1.".utf8), Array("[tru".utf8),
            Array("{\"a\" ".utf8), Array("[".utf8), Array("\"".utf8),
        ]
        for text in texts {
            // The error of the text alone, unless the end is missing.
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().decode(JSONValue.self, from: text)
            }
            let issue = try #require(error?.issues.first)
            let isOpen = issue.kind == .unexpectedEnd
            var data: [UInt8] = []
            let compressor = try OutputCompression(format: format, level: nil).compressor()
            try text.withUnsafeBytes { bytes in try compressor.compress(bytes, .flush) { data += $0 } }
            let kind = isOpen ? .truncatedCompression(format) : issue.kind
            let offset = isOpen ? data.count : issue.location.offset
            for decoder in JSONModelDecoder.ofEverySource {
                for chunks in [[data], data.pieces(of: 1), data.pieces(of: 40)] {
                    let way: Comment =
                        "\(String(decoding: text.prefix(20), as: UTF8.self).debugDescription), \(decoder.source)"
                    let error = #expect(throws: JSONModelError.self, way) {
                        try decoder.decode(JSONValue.self, from: .chunks(chunks))
                    }
                    #expect(
                        error?.issues.first?.kind == kind && error?.issues.first?.location.offset == offset, way)
                    for framing in [JSONFraming.document, .lines, .concatenated] {
                        if framing == .document, text.first != UInt8(ascii: "[") { continue }
                        if framing == .lines, text.contains(UInt8(ascii: "\n")) { continue }
                        let error = #expect(throws: JSONModelError.self, way) {
                            try decoder.forEach(JSONValue.self, in: .chunks(chunks), framing: framing) { _ in }
                        }
                        let found = error?.issues.first
                        #expect(found?.kind == kind && found?.location.offset == offset, "\(way), \(framing)")
                    }
                }
            }
        }
    }

    @Test(arguments: JSONCompression.available)
    func `corrupt data is an error, after all elements before`(_ format: JSONCompression) throws {
        let all = read(Array(Self.lines.utf8)).rows
        let member = try format.compress(Self.lines)
        let whole = member + member
        var corruptCount = 0
        for index in 4..<whole.count {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var bytes = whole
                bytes[index] ^= change
                let (rows, issue) = read(bytes)
                // Bytes of the header may have no meaning, such as the time.
                if issue == nil { #expect(rows == all + all) }
                if index >= member.count { #expect(rows.prefix(all.count).elementsEqual(all)) }
                if case .corruptCompression(format, let why)? = issue?.kind {
                    corruptCount += 1
                    #expect(!why.isEmpty && issue?.location.offset ?? .max <= bytes.count)
                    #expect(issue?.elementIndex == rows.count)
                }
                let cut = read(bytes, in: 3)
                // Of a defect that libzstd finds late, the text before may already be no JSON.
                #expect(cut.rows == rows && (cut.issue == nil) == (issue == nil), "\(index)")
            }
        }
        #expect(corruptCount > whole.count)
        let (rows, issue) = read(member + Array("text".utf8))
        #expect(rows == all)
        #expect(issue?.kind.name == "corruptCompression", "\(issue.map { "\($0)" } ?? "no error")")
        #expect(issue?.location.offset ?? 0 >= member.count)
    }

    @Test(arguments: JSONCompression.available)
    func `a corrupt header of any block leaves the elements before`(_ format: JSONCompression) async throws {
        let all = read(Array(Self.lines.utf8)).rows
        let pieces = Self.lines.split(separator: "\n").map { Array("\($0)\n".utf8) }
        var member: [UInt8] = []
        var starts: [Int] = []
        let compressor = try OutputCompression(format: format, level: nil).compressor()
        for piece in pieces {
            try piece.withUnsafeBytes { bytes in try compressor.compress(bytes, .flush) { member += $0 } }
            starts.append(member.count)
        }
        try [UInt8]().withUnsafeBytes { bytes in try compressor.compress(bytes, .finish) { member += $0 } }
        // A block of the second member follows a complete member.
        for memberStart in [0, member.count] {
            let before = memberStart > 0 ? all : []
            for (index, start) in starts.enumerated() {
                var bytes = member + member
                // A block of the reserved type.
                bytes[memberStart + start] |= 6
                for size in [1, 2, 3, 5, 17, bytes.count] {
                    let (rows, issue) = read(bytes, in: size)
                    #expect(rows == before + all.prefix(index + 1), "\(index), \(size)")
                    guard case .corruptCompression(format, _)? = issue?.kind else {
                        Issue.record("\(index), \(size): \(issue.map { "\($0)" } ?? "no error")")
                        continue
                    }
                    if format == .zstd { #expect(issue?.location.offset == memberStart + start) }
                }
                let decoder = JSONModelDecoder()
                for verb in StreamVerb.allCases where index % 8 == 0 {
                    let outcome = await verb.read(Row.self, [bytes], at: "", .lines, decoder)
                    #expect(outcome.elements == before + all.prefix(index + 1) && outcome.error != nil, "\(verb)")
                }
            }
        }
        // The header of a member: the magic number, and reserved flags.
        for (offset, change) in [(0, 0x01), (1, 0x80), (format == .gzip ? 3 : 4, format == .gzip ? 0x80 : 0x08)] {
            var bytes = member + member
            bytes[member.count + offset] ^= UInt8(change)
            for size in [1, 3, bytes.count] {
                let (rows, issue) = read(bytes, in: size)
                guard case .corruptCompression(format, _)? = issue?.kind else {
                    Issue.record("\(offset): \(issue.map { "\($0)" } ?? "no error")")
                    continue
                }
                #expect(rows == all && issue?.elementIndex == all.count)
                if format == .zstd { #expect(issue?.location.offset == member.count) }
            }
        }
    }

    /// Text that is cut anywhere in a window of output.
    @Test(arguments: JSONCompression.available)
    func `a corrupt block after a full window leaves the text before`(_ format: JSONCompression) throws {
        for count in [21_844, 21_845, 21_846, 43_690, 43_691, 60_000] {
            let text = Array(repeating: Array("12\n".utf8), count: count).flatMap { $0 }
            var bytes: [UInt8] = []
            let compressor = try OutputCompression(format: format, level: nil).compressor()
            try text.withUnsafeBytes { text in try compressor.compress(text, .flush) { bytes += $0 } }
            let start = bytes.count
            try [UInt8]().withUnsafeBytes { end in try compressor.compress(end, .finish) { bytes += $0 } }
            bytes[start] |= 6
            var found = 0
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().forEach(Int.self, in: bytes, framing: .lines) { found += $0 == 12 ? 1 : 0 }
            }
            #expect(found == count)
            if format == .zstd { #expect(error?.issues.first?.location.offset == start) }
        }
    }

    @Test(arguments: JSONCompression.available) func `the expansion is limited`(_ format: JSONCompression) throws {
        let text = Array("[".utf8) + [UInt8](repeating: UInt8(ascii: " "), count: 5_000_000) + Array("1]".utf8)
        let bytes = try format.compress(text)
        #expect(text.count > bytes.count * 1_000)
        for var decoder in JSONModelDecoder.ofEverySource {
            func kind(_ bytes: [UInt8]) -> JSONIssue.Kind? {
                do {
                    #expect(try decoder.decode([Int].self, from: bytes) == [1])
                    return nil
                } catch { return error.issues.first?.kind }
            }
            decoder.limits.expansion = 100
            #expect(kind(bytes) == .limitExceeded(.expansion, limit: 100))
            decoder.limits.expansion = .max
            #expect(kind(bytes) == nil)
            // The first megabyte is free.
            decoder.limits.expansion = 0
            #expect(
                kind(try format.compress(Array(text.suffix(1_000_000)) + []))
                    != .limitExceeded(.expansion, limit: 0))
            decoder.limits.expansion = .max
            decoder.limits.decompressed = text.count
            #expect(kind(bytes) == nil)
            decoder.limits.decompressed = text.count - 1
            #expect(kind(bytes) == .limitExceeded(.decompressed, limit: text.count - 1))
            decoder.limits.decompressed = .max
            decoder.limits.document = text.count - 1
            #expect(kind(bytes) == .limitExceeded(.document, limit: text.count - 1))
        }
    }

    @Test(arguments: JSONCompression.available) func `all text up to a limit is read`(_ format: JSONCompression)
        throws
    {
        let bytes = try format.compress(Self.lines)
        let ends = Self.lines.utf8.enumerated().filter { $0.element == 0x0A }.map(\.offset)
        for (count, end) in ends.enumerated() {
            let decoder = JSONModelDecoder.with { $0.limits.decompressed = end + 1 }
            for size in [1, bytes.count] {
                let (rows, issue) = read(bytes, in: size, decoder)
                #expect(rows.count == count + 1)
                let isLast = end + 1 == Self.lines.utf8.count
                #expect(issue?.kind == (isLast ? nil : .limitExceeded(.decompressed, limit: end + 1)))
            }
        }
    }
}
