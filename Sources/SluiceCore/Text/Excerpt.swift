/// The excerpt of a syntax error: the line up to the byte at fault, that byte, and some bytes after it on the same line.
///
/// The bytes after the error may arrive with later chunks. The excerpt collects these bytes, so that an error has the same
/// excerpt however the input is divided into chunks.
struct Excerpt {
    /// The number of bytes shown after the byte at fault.
    static let reach = 30
    private static let lineFeed = UInt8(ascii: "\n")

    /// The shown part of the line before the byte at fault.
    private let lead: String
    /// The bytes from the byte at fault on.
    private var bytes: [UInt8] = []
    /// The offset after the collected bytes.
    private var end: Int
    /// The number of bytes to collect: one more than shown, to detect whether the line continues.
    private let wanted: Int

    /// Creates an excerpt without the byte at fault, which is collected first.
    ///
    /// - Parameters:
    ///   - lead: The shown part of the line before the byte at fault.
    ///   - offset: The offset of the byte at fault.
    ///   - limit: The greatest length of the input.
    init(lead: String, at offset: Int, limit: Int) {
        self.lead = lead
        end = offset
        wanted = min(Self.reach + 2, max(limit - offset, 1))
    }

    /// Whether the excerpt needs more bytes.
    var wantsMore: Bool { bytes.count < wanted && !bytes.contains(Self.lineFeed) }

    /// Collects missing bytes from a part of the input that begins at an offset.
    mutating func take(_ part: some RandomAccessCollection<UInt8>, at offset: Int) {
        guard wantsMore, offset <= end else { return }
        let new = part.dropFirst(end - offset).prefix(wanted - bytes.count)
        bytes += new
        end += new.count
    }

    /// Collects bytes that follow the collected ones, if they are missing.
    mutating func append(_ part: UnsafeBufferPointer<UInt8>) { take(part, at: end) }

    /// The byte at fault; nil at the end of the input.
    var first: UInt8? { bytes.first }

    /// Whether the byte at fault begins a byte order mark.
    var beginsWithMark: Bool { bytes.starts(with: Encoding.byteOrderMark) }

    /// Whether the byte at fault and the next bytes may begin a byte order mark.
    var mayBeginWithMark: Bool { wantsMore && !bytes.isEmpty && Encoding.byteOrderMark.starts(with: bytes) }

    /// The excerpt with its caret.
    var text: String {
        var shown = bytes.prefix { $0 != Self.lineFeed }
        if shown.isEmpty { shown = bytes.prefix(1) }
        let isCut = shown.count > 1 + Self.reach
        if isCut {
            shown = shown.prefix(1 + Self.reach)
            shown = shown.dropLast(Self.lengthOfCutCharacter(shown))
        } else {
            while shown.count > 1, shown.last!.isBlank { shown = shown.dropLast() }
        }
        return text(of: shown, isCut: isCut)
    }

    /// The letters from the byte at fault on, after a sign.
    var word: String { String(decoding: letters, as: UTF8.self) }

    /// Whether the next bytes may continue the word.
    var isWordOpen: Bool { wantsMore && letters.endIndex == bytes.endIndex }

    private var letters: ArraySlice<UInt8> {
        bytes.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }.prefix {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
        }
    }

    /// The excerpt without the bytes after the byte at fault.
    var shortText: String { text(of: bytes.prefix(1), isCut: false) }

    private func text(of shown: ArraySlice<UInt8>, isCut: Bool) -> String {
        let line = Self.plain(shown)
        if lead.isEmpty, line.isEmpty { return "" }
        return "\(lead)\(line)\(isCut ? "…" : "")\n\(String(repeating: " ", count: lead.count))^"
    }

    /// Returns text with spaces in place of control characters and the ends of lines.
    static func plain(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // Most excerpts are the text itself.
        if bytes.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            default: line.append(scalar)
            }
        }
        return String(line)
    }

    /// Returns the number of bytes at the end that belong to an incomplete character.
    static func lengthOfCutCharacter(_ bytes: ArraySlice<UInt8>) -> Int {
        for (length, byte) in zip(1...3, bytes.reversed()) where byte & 0xC0 != 0x80 {
            let needed = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            return length < needed && length < bytes.count ? length : 0
        }
        return 0
    }
}
