import ToolSupport

/// The results of the demonstration, as a table and bar charts for the terminal.
struct Report {
    var measurements: [Measurement] = []
    var skipped: [(contender: Contender, reason: String)] = []

    /// Whether all contenders decoded the same records.
    var agrees: Bool { Set(measurements.map(\.digest)).count <= 1 }

    func text(width: Int) -> String {
        var lines = table()
        for (contender, reason) in skipped {
            lines.append("  \(contender.title) skipped: \(reason).")
        }
        lines += ["", "  Speed in MB/s, longer is better"]
        lines += bars(width: width) { $0.megabytesPerSecond }
        lines += ["", "  Peak memory in MB, shorter is better"]
        lines += bars(width: width) { Double($0.peakMemory) / 1e6 }
        lines.append("")
        if let first = measurements.first {
            lines.append(
                agrees
                    ? "  All decoded the same \(first.models.grouped) models: digest \(first.digest)."
                    : "  THE DIGESTS DIFFER: " + measurements.map(\.digest).joined(separator: ", "))
        }
        return lines.joined(separator: "\n")
    }

    private func table() -> [String] {
        let head = ["", "models", "time", "MB/s", "peak memory", "for decoding"]
        let rows = measurements.map { measurement in
            [
                measurement.contender.title,
                measurement.models.grouped,
                Amount.duration(measurement.seconds),
                Amount.decimal(measurement.megabytesPerSecond, 0),
                Amount.megabytes(measurement.peakMemory),
                Amount.megabytes(measurement.peakMemory - min(measurement.startMemory, measurement.peakMemory)),
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        let ruleWidth = widths.reduce(0, +) + 2 * (widths.count - 1)
        let rule = "  " + String(repeating: Terminal.isUnicode ? "─" : "-", count: ruleWidth)
        let lines = ([head] + rows).map { row in
            let cells = row.indices.map { column in
                column == 0 ? row[0].padded(to: widths[0]) : row[column].leftPadded(to: widths[column])
            }
            return "  " + cells.joined(separator: "  ")
        }
        return [lines[0], rule] + lines.dropFirst()
    }

    private func bars(width: Int, value: (Measurement) -> Double) -> [String] {
        let longest = measurements.map(value).max() ?? 1
        let titleWidth = measurements.map(\.contender.title.count).max() ?? 0
        let room = max(10, min(60, width - titleWidth - 14))
        return measurements.map { measurement in
            let amount = value(measurement)
            let bar = Bar.text(amount / longest, width: room)
            return "  \(measurement.contender.title.padded(to: titleWidth))  \(bar) \(Amount.decimal(amount, 0))"
        }
    }
}
