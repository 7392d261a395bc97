import Foundation
import Sluice
import Synchronization

/// The progress bar of a file that takes longer than a second to read.
final class InputProgress: Sendable {
    private let name: String
    private let start = ContinuousClock.now
    private let bar = Mutex<ProgressBar?>(nil)

    init(_ name: String) { self.name = name }

    func update(_ progress: JSONProgress) {
        guard let total = progress.totalBytes, let fraction = progress.fraction,
            start.duration(to: .now) > .seconds(1)
        else { return }
        bar.withLock { bar in
            if bar == nil { bar = ProgressBar(title: name, bytes: UInt64(total), start: start) }
            bar?.update(fraction)
        }
    }

    /// Removes the bar.
    func finish() {
        bar.withLock { bar in
            bar?.finish()
            bar = nil
        }
    }
}
