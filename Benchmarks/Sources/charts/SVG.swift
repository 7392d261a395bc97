import Foundation

/// The colors of a drawing, for a light or a dark page.
struct Theme {
    let text: String
    let quiet: String
    let grid: String
    /// The colors in the order of `Chart.Color`.
    let series: [String]

    static let light = Theme(
        text: "#1f2328", quiet: "#59636e", grid: "#d1d9e0", series: ["#d9402a", "#f2a093", "#8c959f", "#0969da"])
    static let dark = Theme(
        text: "#f0f6fc", quiet: "#9198a1", grid: "#3d444d", series: ["#ff6a4d", "#9c4a3c", "#7d8590", "#4493f8"])

    func color(_ series: Chart.Series) -> String { self.series[series.color.rawValue] }
}

/// The drawing of a chart as SVG.
struct SVG {
    private let chart: Chart
    private let theme: Theme
    private var body = ""
    private var height = 0.0

    private static let width = 760.0
    private static let left = 190.0
    private static let right = 90.0

    /// Returns the text of the drawing.
    static func text(of chart: Chart, _ theme: Theme) -> String {
        var svg = SVG(chart: chart, theme: theme)
        svg.draw()
        return svg.text
    }

    private init(chart: Chart, theme: Theme) { (self.chart, self.theme) = (chart, theme) }

    private var text: String {
        let font = "-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(height))" width="\(Int(Self.width))" \
            height="\(Int(height))" role="img" aria-label="\(escaped(chart.title))" font-family="\(font)" font-size="13">
            \(body)</svg>

            """
    }

    private mutating func draw() {
        label(chart.title, x: 0, y: 20, size: 16, weight: "600")
        label(chart.unit, x: 0, y: 40, color: theme.quiet)
        drawLegend(y: 62)
        switch chart.form {
        case .bars: drawBars(top: 84)
        case .lines(let positions): drawLines(top: 84, positions)
        }
        label(chart.conditions.machine, x: 0, y: height + 18, size: 11, color: theme.quiet)
        label(
            "\(chart.conditions.command) · \(chart.conditions.date)", x: 0, y: height + 34, size: 11,
            color: theme.quiet)
        height += 44
    }

    private mutating func drawLegend(y: Double) {
        var x = 0.0
        for series in chart.series {
            rectangle(x: x, y: y - 10, width: 12, height: 12, color: theme.color(series))
            label(series.name, x: x + 18, y: y)
            x += 18 + Double(series.name.count) * 7.2 + 24
        }
    }

    // MARK: Bars

    private mutating func drawBars(top: Double) {
        let greatest = chart.groups.flatMap(\.values).compactMap { $0 }.max() ?? 1
        let scale = (Self.width - Self.left - Self.right) / greatest
        var y = top
        for group in chart.groups {
            let bars = zip(chart.series, group.values).compactMap { series, value in value.map { (series, $0) } }
            let middle = y + Double(bars.count) * 17 / 2
            label(group.label, x: Self.left - 12, y: middle + 3, anchor: "end")
            for (series, value) in bars {
                rectangle(x: Self.left, y: y, width: max(1, value * scale), height: 14, color: theme.color(series))
                label(chart.text(of: value), x: Self.left + value * scale + 6, y: y + 11, size: 12)
                y += 17
            }
            y += 12
        }
        line(x1: Self.left, y1: top - 4, x2: Self.left, y2: y - 8)
        height = y
    }

    // MARK: Lines

    private mutating func drawLines(top: Double, _ positions: [Double]) {
        let values = chart.groups.flatMap(\.values).compactMap { $0 }
        guard let least = values.min(), let greatest = values.max(), let first = positions.first,
            let last = positions.last
        else { return }
        let (low, high) = (floor(log10(least)), ceil(log10(greatest)))
        let (left, bottom) = (70.0, top + 260)
        func x(_ position: Double) -> Double {
            left + 30 + (log10(position) - log10(first)) / (log10(last) - log10(first))
                * (Self.width - left - Self.right - 50)
        }
        func y(_ value: Double) -> Double { bottom - (log10(value) - low) / (high - low) * (bottom - top) }
        for power in Int(low)...Int(high) {
            let value = pow(10, Double(power))
            line(x1: left, y1: y(value), x2: Self.width - Self.right, y2: y(value))
            label(chart.text(of: value), x: left - 8, y: y(value) + 4, color: theme.quiet, anchor: "end")
        }
        for (group, position) in zip(chart.groups, positions) {
            label(group.label, x: x(position), y: bottom + 20, color: theme.quiet, anchor: "middle")
        }
        for (index, series) in chart.series.enumerated() {
            let points = zip(positions, chart.groups).compactMap { position, group in
                group.values[index].map { (x: x(position), y: y($0), value: $0) }
            }
            let path = points.map { "\($0.x.text(decimals: 1)),\($0.y.text(decimals: 1))" }.joined(separator: " ")
            body +=
                #"<polyline points="\#(path)" fill="none" stroke="\#(theme.color(series))" stroke-width="2.5"/>"#
                + "\n"
            for point in points {
                body +=
                    #"<circle cx="\#(point.x.text(decimals: 1))" cy="\#(point.y.text(decimals: 1))" r="4" "#
                    + #"fill="\#(theme.color(series))"/>"# + "\n"
                label(chart.text(of: point.value), x: point.x, y: point.y - 9, size: 12, anchor: "middle")
            }
        }
        height = bottom + 34
    }

    // MARK: Elements

    private mutating func label(
        _ text: String, x: Double, y: Double, size: Int = 13, weight: String? = nil, color: String? = nil,
        anchor: String? = nil
    ) {
        body += #"<text x="\#(x.text(decimals: 1))" y="\#(y.text(decimals: 1))" fill="\#(color ?? theme.text)""#
        if size != 13 { body += #" font-size="\#(size)""# }
        if let weight { body += #" font-weight="\#(weight)""# }
        if let anchor { body += #" text-anchor="\#(anchor)""# }
        body += ">\(escaped(text))</text>\n"
    }

    private mutating func rectangle(x: Double, y: Double, width: Double, height: Double, color: String) {
        body +=
            #"<rect x="\#(x.text(decimals: 1))" y="\#(y.text(decimals: 1))" width="\#(width.text(decimals: 1))" "#
            + #"height="\#(height.text(decimals: 1))" fill="\#(color)"/>"# + "\n"
    }

    private mutating func line(x1: Double, y1: Double, x2: Double, y2: Double) {
        body +=
            #"<line x1="\#(x1.text(decimals: 1))" y1="\#(y1.text(decimals: 1))" x2="\#(x2.text(decimals: 1))" "#
            + #"y2="\#(y2.text(decimals: 1))" stroke="\#(theme.grid)"/>"# + "\n"
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
