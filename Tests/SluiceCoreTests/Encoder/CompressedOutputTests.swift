import Foundation
import SluiceStreams
import SystemPackage
import TestSupport
import Testing

@testable import SluiceCore

/// Compressed files are read by the decoder and by the tools of the system.
@Suite(.tags(.encoding, .files)) struct CompressedOutputTests {
    typealias Row = FramingTests.Row

    private static let rows = (0..<8_000).map { Row(id: $0, name: $0 % 3 == 0 ? nil : "row\n\($0)") }

    private func withPath(_ body: (String) throws -> Void) rethrows {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)").path
        defer { unlink(path) }
        try body(path)
    }

    @Test(arguments: JSONCompression.available) func `values are written compressed`(_ format: JSONCompression)
        throws
    {
        let encoder = JSONModelEncoder()
        let text = try encoder.encode(Self.rows)
        for level in [nil, -100, 0, 1, 9, 100] {
            try withPath { path in
                try encoder.write(Self.rows, to: .file(path).compressed(with: format, level: level))
                let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
                if level ?? 1 > 0 { #expect(bytes.count < text.count / 2) }
                #expect(try JSONModelDecoder().decode([Row].self, from: .file(path)) == Self.rows)
                if let plain = try output(of: format.rawValue, ["-dc"], input: bytes) { #expect(plain == text) }
            }
        }
        try withPath { path in
            try encoder.write(elements: Self.rows.lazy, to: .file(path).compressed(with: format))
            #expect(try JSONModelDecoder().decode([Row].self, from: .file(path)) == Self.rows)
        }
    }

    @Test(arguments: JSONCompression.available, JSONFraming.allCases)
    func `elements are written compressed in every framing`(_ format: JSONCompression, _ framing: JSONFraming)
        throws
    {
        try withPath { path in
            for rows in [[], Array(Self.rows.prefix(1)), Self.rows] {
                var writer = try JSONModelEncoder().writer(
                    to: .file(path).compressed(with: format), framing: framing)
                for row in rows { try writer.write(row) }
                try writer.finish()
                let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                #expect(
                    JSONCompression.allCases.contains {
                        Array(bytes).starts(with: $0 == .gzip ? [0x1F, 0x8B] : [0x28, 0xB5])
                    })
                var read: [Row] = []
                try JSONModelDecoder().forEach(Row.self, in: .file(path), framing: framing) { read.append($0) }
                #expect(read == rows)
            }
        }
    }

    @Test(arguments: JSONCompression.available)
    func `data is appended as a further member`(_ format: JSONCompression) throws {
        try withPath { path in
            for part in [Self.rows.prefix(5), Self.rows.suffix(5)] {
                var writer = try JSONModelEncoder().writer(
                    to: .appending(to: path).compressed(with: format), framing: .lines)
                for row in part { try writer.write(row) }
                try writer.finish()
            }
            var read: [Row] = []
            try JSONModelDecoder().forEach(Row.self, in: .file(path), framing: .lines) { read.append($0) }
            #expect(read == Self.rows.prefix(5) + Self.rows.suffix(5))
        }
    }

    @Test(arguments: JSONCompression.available)
    func `flushed elements can be read before the end`(_ format: JSONCompression) throws {
        try withPath { path in
            var writer = try JSONModelEncoder().writer(
                to: .appending(to: path).compressed(with: format), framing: .lines)
            for row in Self.rows.prefix(7) { try writer.write(row) }
            try writer.flush()
            var read: [Row] = []
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().forEach(Row.self, in: .file(path), framing: .lines) { read.append($0) }
            }
            #expect(read == Array(Self.rows.prefix(7)))
            #expect(error?.issues.first?.kind == .truncatedCompression(format))
            try writer.finish()
        }
    }

    @Test(arguments: JSONCompression.available)
    func `text that hardly gets shorter is written completely`(_ format: JSONCompression) throws {
        var random = SeededRandom(seed: 151)
        let letters = (65..<129).map { Character(UnicodeScalar(UInt8($0 < 92 ? $0 : $0 - 35))) }
        for length in [60_000, 90_000, 120_000, 131_072, 250_000] {
            let text = String((0..<length).map { _ in random.pick(letters) })
            try withPath { path in
                try JSONModelEncoder().write([text], to: .file(path).compressed(with: format))
                #expect(try JSONModelDecoder().decode([String].self, from: .file(path)) == [text])
            }
            try withPath { path in
                var writer = try JSONModelEncoder().writer(
                    to: .appending(to: path).compressed(with: format), framing: .lines)
                try writer.write(text)
                try writer.flush()
                var read: [String] = []
                #expect(throws: JSONModelError.self) {
                    try JSONModelDecoder().forEach(String.self, in: .file(path), framing: .lines) {
                        read.append($0)
                    }
                }
                #expect(read == [text])
                try writer.finish()
            }
        }
    }

    @Test(arguments: JSONCompression.available)
    func `no element is complete on a full disk`(_ format: JSONCompression) throws {
        let error = #expect(throws: JSONModelError.self) {
            var writer = try JSONModelEncoder().writer(
                to: .writing { _ in throw Errno.noSpace }.compressed(with: format), framing: .lines)
            for row in Self.rows { try writer.write(row) }
            try writer.finish()
        }
        guard case .unwritable(ENOSPC, _)? = error?.issues.first?.kind else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
        }
        #expect(error?.issues.first?.elementIndex == 0)
    }
}
