import Foundation

/// How far a long step is: a bar that is drawn over on a terminal, a line every quarter of the way elsewhere.
///
/// It all goes to standard error, so that standard output stays clean.
struct ProgressBar {
    private let title: String
    private let bytes: UInt64
    private let start = ContinuousClock.now
    private var drawn: ContinuousClock.Instant?
    private var quarter = 0

    /// - Parameter bytes: what the whole step reads or writes, for the rate.
    init(title: String, bytes: UInt64) {
        self.title = title
        self.bytes = bytes
    }

    /// Shows that this fraction of the step is done. Cheap enough to call a thousand times a second.
    mutating func update(_ fraction: Double) {
        let now = ContinuousClock.now
        let share = min(max(fraction, 0), 1)
        if Terminal.showsProgress {
            if let drawn, now - drawn < .milliseconds(80) { return }
            drawn = now
            write("\r" + line(share, at: now) + "\u{1B}[K")
        } else if Int(share * 4) > quarter {
            quarter = Int(share * 4)
            write(line(share, at: now) + "\n")
        }
    }

    /// Takes the bar away; the lines written where there is no terminal stay.
    func finish() {
        if Terminal.showsProgress { write("\r\u{1B}[K") }
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

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
