/// A horizontal bar made of characters: eighths of a block where the locale has them, number signs elsewhere.
enum Bar {
    /// - Parameters:
    ///   - share: how much of the width is filled, 0 to 1.
    ///   - track: whether the rest of the width is shown too.
    static func text(_ share: Double, width: Int, track: Bool = false) -> String {
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
