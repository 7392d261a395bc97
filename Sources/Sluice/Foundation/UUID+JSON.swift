#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension UUID: JSONConvertible {
    /// The shape of a string of 36 characters, such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in upper or lower case.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "a UUID") { scalar in
            guard let value = scalar.withUTF8({ UUID($0) }) else { throw JSONModelError.ConversionFailure.mismatch }
            guard let value else {
                let text = scalar.withUTF8 { quoted($0) } ?? ""
                throw JSONModelError.ConversionFailure.invalid(
                    "\(text) is not like E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
            }
            return value
        } write: {
            .string($0.uuidString)
        } text: {
            $0.write(to: &$1)
        }
        .schema(["type": "string", "format": "uuid"])
    }

    private func write(to out: inout OutputBuffer) {
        out.reserve(64)
        out.byte(UInt8(ascii: "\""))
        withUnsafeBytes(of: uuid) { bytes in
            var start = 0
            for end in [4, 6, 8, 10, 16] {
                if start > 0 { out.byte(UInt8(ascii: "-")) }
                out.hexadecimal(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
        }
        out.byte(UInt8(ascii: "\""))
    }

    /// Parses the form of 36 characters without creating a string.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 36 else { return nil }
        var value: UInt128 = 0
        for at in 0..<36 {
            let byte = text[at]
            if at == 8 || at == 13 || at == 18 || at == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            let letter = (byte | 0x20) &- UInt8(ascii: "a")
            guard digit < 10 || letter < 6 else { return nil }
            value = value << 4 | UInt128(digit < 10 ? digit : letter + 10)
        }
        // Both types have 16 bytes. The first byte is the first one in the text.
        self.init(uuid: unsafeBitCast(value.bigEndian, to: uuid_t.self))
    }
}

extension UUID: JSONDictionaryKey {
    /// Creates a UUID from a key of 36 characters, or returns nil.
    @_documentation(visibility: internal) public init?(jsonKey: String) {
        var text = jsonKey
        guard let value = text.withUTF8({ UUID($0) }) else { return nil }
        self = value
    }

    /// The 36 characters of the UUID, in uppercase.
    @_documentation(visibility: internal) public var jsonKey: String { uuidString }
}

extension UUID: PatternedKey {
    package static var keyPatterns: [String] { ["[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"] }
}
