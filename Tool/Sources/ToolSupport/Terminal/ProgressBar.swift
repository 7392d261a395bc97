/// The progress of a long operation, on standard error.
///
/// On a terminal, a bar is updated on one line. Otherwise, a line is written after each quarter.
package struct ProgressBar {
    private let title: String
    private let bytes: UInt64
    private let start: ContinuousClock.Instant
    private var drawn: ContinuousClock.Instant?
    private var quarter = 0

    /// Creates a progress bar.
    ///
    /// - Parameters:
    ///   - title: The name of the operation.
    ///   - bytes: The number of bytes that the operation reads or writes, for the rate.
    ///   - start: The time at which the operation began.
    package init(title: String, bytes: UInt64, start: ContinuousClock.Instant = .now) {
        self.title = title
        self.bytes = bytes
        self.start = start
    }

    /// Shows the completed fraction of the operation. The cost allows a thousand calls per second.
    package mutating func update(_ fraction: Double) {
        let now = ContinuousClock.now
        let share = min(max(fraction, 0), 1)
        if Terminal.showsProgress {
            if let drawn, now - drawn < .milliseconds(80) { return }
            drawn = now
            Terminal.write("\r" + line(share, at: now) + "\u{1B}[K")
        } else if Int(share * 4) > quarter {
            quarter = Int(share * 4)
            Terminal.write(line(share, at: now) + "\n")
        }
    }

    /// Shows the number of bytes that were read of an input of unknown length. Without a terminal, this function does nothing.
    package mutating func update(bytes: UInt64) {
        let now = ContinuousClock.now
        guard Terminal.showsProgress, drawn.map({ now - $0 >= .milliseconds(80) }) ?? true else { return }
        drawn = now
        let seconds = start.duration(to: now) / .seconds(1)
        let rate = seconds > 0 ? Int(Double(bytes) / 1e6 / seconds) : 0
        Terminal.write("\r  " + title.padded(to: 24) + " \(Amount.megabytes(bytes))  \(rate.grouped) MB/s\u{1B}[K")
    }

    /// Removes the bar from the terminal. Lines that were written without a terminal remain.
    package func finish() {
        if Terminal.showsProgress { Terminal.write("\r\u{1B}[K") }
    }

    private func line(_ share: Double, at now: ContinuousClock.Instant) -> String {
        let percent = "\(Int(share * 100))".leftPadded(to: 3) + " %"
        let seconds = start.duration(to: now) / .seconds(1)
        let rate = seconds > 0 ? Int(share * Double(bytes) / 1e6 / seconds) : 0
        let head = "  " + title.padded(to: 24) + " "
        let tail = " \(percent)  \(rate.grouped) MB/s"
        guard Terminal.showsProgress else { return head + tail }
        let width = max(8, min(48, Terminal.width - head.count - tail.count - 4))
        return head + Bar.text(share, width: width, track: true) + tail
    }
}
