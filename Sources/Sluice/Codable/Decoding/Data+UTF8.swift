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
        guard let encoding else { return try withUnsafeBytes(body) }
        let text: [UInt8]
        do { text = try Transcoding.utf8(of: self, in: encoding) } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The given data was not valid JSON.", underlyingError: error))
        }
        return try text.withUnsafeBytes(body)
    }

    /// The encoding if that is not UTF-8 (RFC 4627, section 3).
    private var encoding: String.Encoding? {
        let start = prefix(4)
        // ASCII.
        if start.allSatisfy({ $0 > 0 && $0 < 0x80 }) { return nil }
        let bytes = Array(start) + Array(repeating: 1, count: 4 - start.count)
        let isShort = start.count < 4
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0, 0, 0xFE, 0xFF): return .utf32BigEndian
        case (0xFF, 0xFE, 0, 0): return .utf32LittleEndian
        case (0xFE, 0xFF, _, _): return .utf16BigEndian
        case (0xFF, 0xFE, _, _): return .utf16LittleEndian
        case (0, 0, 0, 1...) where !isShort: return .utf32BigEndian
        case (1..., 0, 0, 0) where !isShort: return .utf32LittleEndian
        case (0, 1..., 0, 1...) where !isShort, (0, 1..., _, _) where start.count == 2: return .utf16BigEndian
        case (1..., 0, 1..., 0) where !isShort, (1..., 0, _, _) where start.count == 2: return .utf16LittleEndian
        default: return nil
        }
    }
}
