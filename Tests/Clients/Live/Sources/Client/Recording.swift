import Foundation

/// The frames of a terminal, as a picture that moves.
struct Recording {
    private static let (lineHeight, characterWidth, duration) = (18, 8.4, 0.12)
    private var frames: [[String]] = []

    mutating func add(_ lines: [String]) { if frames.last != lines { frames.append(lines) } }

    /// The picture in the format SVG. The last frame stays.
    var picture: String {
        let height = (frames.map(\.count).max() ?? 0) * Self.lineHeight + 24
        let columns = frames.flatMap { $0 }.map(\.count).max() ?? 0
        let width = Int(Double(columns) * Self.characterWidth) + 32
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
            font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
            <rect width="\(width)" height="\(height)" rx="8" fill="#0d1117"/>

            """
        for (index, lines) in frames.enumerated() {
            let begin = String(format: "%.2f", Double(index) * Self.duration)
            // A program that shows no motion shows the last frame.
            let isLast = index == frames.count - 1
            let (first, change) = isLast ? ("visible", "hidden") : ("hidden", "visible")
            let time = isLast ? "begin=\"0s\" dur=\"\(begin)s\"" : "begin=\"\(begin)s\" dur=\"\(Self.duration)s\""
            text += "<g fill=\"#e6edf3\" visibility=\"\(first)\">"
            text += "<set attributeName=\"visibility\" to=\"\(change)\" \(time)/>\n"
            for (row, line) in lines.enumerated() {
                let y = 26 + row * Self.lineHeight
                text += "<text x=\"16\" y=\"\(y)\" xml:space=\"preserve\">\(line)</text>\n"
            }
            text += "</g>\n"
        }
        return text + "</svg>\n"
    }
}
