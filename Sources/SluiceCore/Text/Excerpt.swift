/// The excerpt of an error in the text: the line up to the byte at fault, that byte, and some of what follows in the line.
///
/// What follows may come with later chunks. The excerpt takes it from there, so that an error has the same excerpt however
/// the text is cut.
struct Excerpt {
    /// The number of bytes behind the byte at fault that are shown.
    static let reach = 30
    private static let lineFeed = UInt8(ascii: "\n")

    /// The line before the byte at fault, as it is shown.
    private let lead: String
    /// The bytes from the one at fault on.
    private var bytes: [UInt8] = []
    /// The offset behind them.
    private var end: Int
    /// The number of bytes that are looked at: one more than are shown, to tell whether the line goes on.
    private let wanted: Int

    /// - Parameters:
    ///   - lead: the line before the byte at fault, as it is shown.
    ///   - offset: that of the byte at fault.
    ///   - limit: the offset at which the text may be no longer.
    init(lead: String, at offset: Int, limit: Int) {
        self.lead = lead
        end = offset
        wanted = min(Self.reach + 2, max(limit - offset, 1))
    }

    /// Whether more of the text would be shown.
    var wantsMore: Bool { bytes.count < wanted && !bytes.contains(Self.lineFeed) }

    /// Takes what it lacks from a part of the text that begins at an offset.
    mutating func take(_ part: some RandomAccessCollection<UInt8>, at offset: Int) {
        guard wantsMore, offset <= end, offset + part.count > end else { return }
        let new = part.dropFirst(end - offset).prefix(wanted - bytes.count)
        bytes += new
        end += new.count
    }

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

    /// The same without what follows the byte at fault.
    var shortText: String { text(of: bytes.prefix(1), isCut: false) }

    private func text(of shown: ArraySlice<UInt8>, isCut: Bool) -> String {
        var line = String.UnicodeScalarView()
        for scalar in String(decoding: shown, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            default: line.append(scalar)
            }
        }
        if lead.isEmpty, line.isEmpty { return "" }
        return "\(lead)\(String(line))\(isCut ? "…" : "")\n\(String(repeating: " ", count: lead.count))^"
    }

    /// The number of bytes at the end that begin a character and do not end it.
    private static func lengthOfCutCharacter(_ bytes: ArraySlice<UInt8>) -> Int {
        for (length, byte) in zip(1...3, bytes.reversed()) where byte & 0xC0 != 0x80 {
            let needed = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            return length < needed && length < bytes.count ? length : 0
        }
        return 0
    }
}
