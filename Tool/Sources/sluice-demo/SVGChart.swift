import ToolSupport

/// The report as an SVG chart with two panels, for speed and peak memory.
struct SVGChart {
    let report: Report
    let subtitle: String

    private let width = 760.0
    private let margin = 32.0
    private let barsLeft = 220.0
    private let barHeight = 26.0
    private let rowHeight = 38.0

    /// The SVG document.
    var text: String {
        var body: [String] = []
        var y = 44.0
        body.append(label("Sluice", x: margin, y: y, style: "title"))
        y += 24
        body.append(label(subtitle, x: margin, y: y, style: "note"))
        y += 40
        y = panel("Speed", unit: "MB/s", "longer is better", top: y, into: &body) { $0.megabytesPerSecond }
        y = panel("Peak memory", unit: "MB", "shorter is better", top: y + 22, into: &body) {
            Double($0.peakMemory) / 1e6
        }
        for (contender, reason) in report.skipped {
            y += 22
            body.append(label("\(contender.title) skipped: \(reason).", x: margin, y: y, style: "note"))
        }
        return document(body, height: y + 24)
    }

    /// Draws a panel and returns the y coordinate of its end.
    private func panel(
        _ title: String, unit: String, _ hint: String, top: Double, into body: inout [String],
        value: (Measurement) -> Double
    ) -> Double {
        let room = width - barsLeft - margin - 100
        let longest = report.measurements.map(value).max() ?? 1
        body.append(label(title, x: margin, y: top, style: "panel"))
        body.append(label("\(unit), \(hint)", x: barsLeft, y: top, style: "note"))
        var y = top + 18
        for measurement in report.measurements {
            let amount = value(measurement)
            let length = max(2, room * amount / longest)
            let middle = y + barHeight / 2 + 5
            body.append(label(measurement.contender.title, x: margin, y: middle, style: "name"))
            body.append(
                """
                <rect x="\(number(barsLeft))" y="\(number(y))" width="\(number(length))" \
                height="\(number(barHeight))" rx="3" fill="\(color(measurement.contender))"/>
                """)
            let caption = "\(Amount.decimal(amount, 0)) \(unit)"
            body.append(label(caption, x: barsLeft + length + 8, y: middle, style: "value"))
            y += rowHeight
        }
        return y
    }

    private func document(_ body: [String], height: Double) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
        width="\(number(width))" height="\(number(height))" role="img" aria-label="\(escaped(subtitle))">
        <style>
        text { font-family: system-ui, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif; fill: #1f2933; }
        .title { font-size: 24px; font-weight: 700; }
        .panel { font-size: 16px; font-weight: 600; }
        .name, .value { font-size: 14px; }
        .value { font-weight: 600; }
        .note { font-size: 13px; fill: #616e7c; }
        </style>
        <rect width="100%" height="100%" fill="#ffffff"/>
        \(body.joined(separator: "\n"))
        </svg>

        """
    }

    private func label(_ text: String, x: Double, y: Double, style: String) -> String {
        #"<text class="\#(style)" x="\#(number(x))" y="\#(number(y))">\#(escaped(text))</text>"#
    }

    private func color(_ contender: Contender) -> String {
        switch contender {
        case .scanned: "#087f5b"
        case .streamed: "#0b7285"
        case .collected: "#3bc9db"
        case .foundation: "#adb5bd"
        }
    }

    /// Formats a coordinate with one decimal and without grouping.
    private func number(_ value: Double) -> String {
        "\((value * 10).rounded() / 10)"
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
