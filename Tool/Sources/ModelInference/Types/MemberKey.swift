/// Properties of a key in JSON.
enum MemberKey {
    /// Whether a key looks like data and not like a name: a number, a UUID, a date, many hexadecimal digits, a path or an address.
    static func isData(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        // The keys of JSON-LD begin with an at sign.
        if bytes.dropFirst().contains(UInt8(ascii: "@")) || isPath(key) { return true }
        guard let first = bytes.first, bytes.contains(where: \.isDigit) else { return false }
        // A number, a date, a time or a version.
        if bytes.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }) { return true }
        if first == UInt8(ascii: "-"), bytes.dropFirst().allSatisfy(\.isDigit) { return true }
        let digits = bytes.filter(\.isDigit).count
        let isHyphenated = bytes.allSatisfy { $0.isHexadecimal || $0 == UInt8(ascii: "-") }
        guard isHyphenated else { return false }
        return bytes.count == 10 && digits == 8 && bytes[4] == UInt8(ascii: "-") || bytes.count >= 16
    }

    /// Whether a key is a path, a template, or a type of media.
    static func isPath(_ key: String) -> Bool { key.utf8.contains { "/{}".utf8.contains($0) } }
}
