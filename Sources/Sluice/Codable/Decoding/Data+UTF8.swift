#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Data {
    /// Calls a closure with the JSON as UTF-8. Like Foundation, recognizes UTF-16 and UTF-32 by a byte order mark, or by the zeros
    /// of the first characters.
    ///
    /// - Throws: `DecodingError` if the bytes are not valid in their encoding.
    func withUTF8JSON<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        // Most JSON begins with two characters of ASCII, for which one access to the bytes is enough.
        let result = try withUnsafeBytes { bytes in Self.isUTF8(bytes) ? try body(bytes) : nil }
        if let result { return result }
        guard let (encoding, mark) = encoding else { return try withUnsafeBytes(body) }
        let text: [UInt8]
        do { text = try Transcoding.utf8(of: dropFirst(mark), in: encoding) } catch {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [], debugDescription: "The given data was not valid JSON.", underlyingError: error))
        }
        return try text.withUnsafeBytes(body)
    }

    /// Whether the first bytes show that the encoding is UTF-8.
    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= 4 && bytes[..<4].allSatisfy { $0 > 0 && $0 < 0x80 }
    }

    /// The encoding if that is not UTF-8 (RFC 4627, section 3), and the length of its byte order mark.
    private var encoding: (String.Encoding, mark: Int)? {
        let start = prefix(4)
        let bytes = Array(start) + Array(repeating: 1, count: 4 - start.count)
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0, 0, 0xFE, 0xFF): return (.utf32BigEndian, 4)
        // Foundation takes the second sequence for the mark of UTF-32 in little-endian order.
        case (0xFF, 0xFE, 0, 0), (0xFE, 0xFF, 0, 0): return (.utf32LittleEndian, 4)
        case (0xFE, 0xFF, _, _): return (.utf16BigEndian, 2)
        case (0xFF, 0xFE, _, _): return (.utf16LittleEndian, 2)
        default: break
        }
        switch start.map({ $0 == 0 }) {
        case [true, true, true, false]: return (.utf32BigEndian, 0)
        case [false, true, true, true]: return (.utf32LittleEndian, 0)
        case [true, false, true, false], [true, false]: return (.utf16BigEndian, 0)
        case [false, true, false, true], [false, true]: return (.utf16LittleEndian, 0)
        default: return nil
        }
    }
}
