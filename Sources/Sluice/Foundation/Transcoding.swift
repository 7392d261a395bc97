#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The conversion of other encodings to UTF-8.
enum Transcoding {
    /// Converts text to UTF-8.
    ///
    /// - Throws: An error of the kind `wrongEncoding` if the bytes are not valid in the encoding.
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

    /// Decodes text in code units of two or four bytes, or returns nil if the text is not valid.
    ///
    /// Foundation decodes text without a byte order mark in the byte order of the machine. This function determines the
    /// order from the first unit.
    ///
    /// - Parameter isBigEndian: Whether the encoding is big-endian. If nil, the byte order mark determines the order, or
    ///   else the first unit.
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
        for index in units.indices {
            units[index] = isBig ? Unit(bigEndian: units[index]) : Unit(littleEndian: units[index])
        }
        return String(validating: units.first == mark ? units[1...] : units[...], as: encoding)
    }

    /// Whether a unit can be the first character of JSON.
    private static func isASCII(_ unit: some UnsignedInteger) -> Bool { unit < 0x80 }

    /// Decodes Latin-1, in which each byte is the number of a Unicode scalar.
    private static func latin1(_ data: Data) -> String {
        String(String.UnicodeScalarView(data.map { Unicode.Scalar($0) }))
    }
}
