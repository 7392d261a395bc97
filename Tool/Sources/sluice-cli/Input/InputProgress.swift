import Foundation
import Sluice
import Synchronization
import ToolSupport

/// The progress of a file that takes longer than a second to read: a bar, or the number of bytes if the length is unknown.
final class InputProgress: Sendable {
    private let name: String
    private let start = ContinuousClock.now
    private let bar = Mutex<ProgressBar?>(nil)

    init(_ name: String) { self.name = name }

    func update(_ progress: JSONProgress) {
        guard start.duration(to: .now) > .seconds(1) else { return }
        bar.withLock { bar in
            if bar == nil {
                bar = ProgressBar(title: name, bytes: UInt64(progress.totalBytes ?? 0), start: start)
            }
            if let fraction = progress.fraction {
                bar?.update(fraction)
            } else {
                bar?.update(bytes: UInt64(progress.bytes))
            }
        }
    }

    /// Removes the bar. Another update shows it again.
    func finish() {
        bar.withLock { bar in
            bar?.finish()
            bar = nil
        }
    }
}
