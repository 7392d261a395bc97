#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Text in another encoding, as UTF-8.
enum Transcoding {
    /// - Throws: an issue of the kind `wrongEncoding` where the bytes are no text of that encoding.
    static func utf8(of data: Data, in encoding: String.Encoding) throws(JSONModelError) -> [UInt8] {
        let text =
            switch encoding {
            case .utf16: units(data, UInt16.self, as: UTF16.self, isBigEndian: nil)
            case .utf16BigEndian: units(data, UInt16.self, as: UTF16.self, isBigEndian: true)
            case .utf16LittleEndian: units(data, UInt16.self, as: UTF16.self, isBigEndian: false)
            case .utf32: units(data, UInt32.self, as: UTF32.self, isBigEndian: nil)
            case .utf32BigEndian: units(data, UInt32.self, as: UTF32.self, isBigEndian: true)
            case .utf32LittleEndian: units(data, UInt32.self, as: UTF32.self, isBigEndian: false)
            case .isoLatin1: latin1(data)
            default: String(data: data, encoding: encoding)
            }
        guard let text else { throw JSONModelError(issues: [JSONIssue(kind: .wrongEncoding("\(encoding)"))]) }
        return Array(text.utf8)
    }

    /// Text of units of two or four bytes, in the order that its byte order mark says, or else `isBigEndian`, or else
    /// its first unit.
    ///
    /// Foundation takes text without a mark as being in this machine's order, whatever its bytes say.
    private static func units<Unit: FixedWidthInteger & UnsignedInteger, Encoding: Unicode.Encoding>(
        _ data: Data, _: Unit.Type, as encoding: Encoding.Type, isBigEndian: Bool?
    ) -> String? where Encoding.CodeUnit == Unit {
        let size = Unit.bitWidth / 8
        guard data.count % size == 0 else { return nil }
        var units = data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: size).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: Unit.self)
            }
        }
        guard let first = units.first else { return "" }
        let mark: Unit = 0xFEFF
        let isBig =
            isBigEndian ?? (first == mark.bigEndian || first != mark.littleEndian && isASCII(first.bigEndian))
        for place in units.indices {
            units[place] = isBig ? Unit(bigEndian: units[place]) : Unit(littleEndian: units[place])
        }
        return String(validating: units.first == mark ? units[1...] : units[...], as: encoding)
    }

    /// What a JSON text begins with.
    private static func isASCII(_ unit: some UnsignedInteger) -> Bool { unit < 0x80 }

    /// Each byte is the character of its number.
    private static func latin1(_ data: Data) -> String {
        String(String.UnicodeScalarView(data.map { Unicode.Scalar($0) }))
    }
}
