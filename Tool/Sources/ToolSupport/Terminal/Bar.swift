/// A horizontal bar of characters: block elements if the locale uses UTF-8, otherwise number signs.
package enum Bar {
    /// Returns the characters of a bar.
    ///
    /// - Parameters:
    ///   - share: The filled share of the width, from 0 to 1.
    ///   - width: The width in characters.
    ///   - track: Whether the rest of the width is shown as well.
    package static func text(_ share: Double, width: Int, track: Bool = false) -> String {
        let share = min(max(share, 0), 1)
        guard Terminal.isUnicode else {
            let full = Int((share * Double(width)).rounded())
            let rest = track ? String(repeating: ".", count: width - full) : ""
            let bar = String(repeating: "#", count: full) + rest
            return track ? "[\(bar)]" : bar
        }
        let eighths = Int((share * Double(width * 8)).rounded())
        var bar = String(repeating: "█", count: eighths / 8)
        if eighths % 8 > 0 { bar.append(parts[eighths % 8 - 1]) }
        return track ? bar + String(repeating: "░", count: width - (eighths + 7) / 8) : bar
    }

    private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
