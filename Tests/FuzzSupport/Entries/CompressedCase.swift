import Sluice
import SluiceCore
import Synchronization
import TestSupport

/// A case of compressed text: in several members, with faults, or any bytes after a magic number.
struct CompressedCase {
    private let options: StreamReading.Options
    private let text: [UInt8]
    /// The compressed text; nil if this build does not compress.
    private let compressed: [UInt8]?
    /// Whether the compressed text is complete and without faults.
    private let isIntact: Bool
    private let size: Int

    init(_ bytes: inout FuzzBytes) {
        let format = bytes.pick(JSONCompression.allCases)
        let kind = bytes.below(4)
        options = StreamReading.Options(framing: bytes.pick(JSONFraming.allCases))
        var random = bytes.random()
        size = 1 + bytes.below(64)
        let memberSize = 1 + bytes.below(128)
        text = bytes.rest
        isIntact = kind < 2
        guard format.isAvailable else {
            compressed = nil
            return
        }
        if kind == 3 {
            compressed = (format == .gzip ? [0x1F, 0x8B, 8] : [0x28, 0xB5, 0x2F, 0xFD]) + text
            return
        }
        var data = text.pieces(of: kind == 0 ? max(text.count, 1) : memberSize).flatMap {
            Self.compress($0, format)
        }
        if kind == 2 { Self.mutate(&data, &random) }
        compressed = data
    }

    private static func compress(_ text: [UInt8], _ format: JSONCompression) -> [UInt8] {
        let output = Mutex<[UInt8]>([])
        let destination = JSONDestination.writing { bytes in
            output.withLock { $0 += bytes }
            return bytes.count
        }
        do { try text.withUnsafeBytes { try destination.compressed(with: format).write($0) } } catch {
            preconditionFailure("\(error)")
        }
        return output.withLock { $0 }
    }

    private static func mutate(_ data: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0...random.below(3) where !data.isEmpty {
            let index = random.below(data.count)
            switch random.below(4) {
            case 0: data[index] ^= UInt8(1 << random.below(8))
            case 1: data.removeSubrange(index..<data.count)
            case 2: data.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
            default: data += data[index..<data.count]
            }
        }
    }

    func findings() -> [Finding] {
        guard let compressed else { return [] }
        let whole = StreamReading(compressed, options)
        if isIntact, !compressed.isEmpty {
            // Text that follows an error is not decompressed for its excerpt.
            let whole = StreamReading(compressed, options, hasExcerpts: false)
            let plain = StreamReading(text, options, hasExcerpts: false)
            // Text that begins like compressed data is compressed data.
            let isPlain = text.first.map { $0 != 0x1F && $0 != 0x28 && ($0 & 0xF0 != 0x50 || $0 == 0x5B) } ?? true
            if isPlain, let difference = whole.difference(from: plain) {
                return [finding("compressed text differs from the text", difference)]
            }
        }
        for source in JSONModelDecoder.Source.allCases {
            let one = options.with(source)
            let pieces = StreamReading(.chunks(compressed.pieces(of: size)), one)
            if hasZstdDefect(pieces) || hasZstdDefect(whole) { continue }
            if let difference = pieces.difference(from: whole) {
                return [finding("a cut of compressed data changes the elements", "\(source): \(difference)")]
            }
            if let difference = StreamReading(compressed, one).difference(from: whole) {
                return [finding("sources of compressed data disagree", "\(source): \(difference)")]
            }
        }
        do {
            let file = try withFile(holding: compressed) { StreamReading(.file($0), options) }
            return file.difference(from: whole).map { [finding("a compressed file differs", $0)] } ?? []
        } catch {
            return [finding("the file cannot be written", "\(error)")]
        }
    }

    /// Whether libzstd has found a defect. Before a defect, libzstd makes more text of small pieces than of large ones.
    private func hasZstdDefect(_ reading: StreamReading) -> Bool {
        reading.issues.contains { $0.contains("corruptCompression(SluiceCore.JSONCompression.zstd") }
    }

    private func finding(_ kind: String, _ difference: String) -> Finding {
        Finding(kind: kind, detail: "\(options), pieces of \(size): \(difference)\n\(compressed ?? [])")
    }
}
