// Foundation's essentials have no formatter of dates.
#if Foundation || canImport(Darwin)
import Foundation
import Synchronization

/// A format of dates. Its formatter costs thousands of dates to make, and one thread at a time may use it.
final class DateFormat: Sendable {
    /// The format's letters.
    let format: String
    private let formatter: Mutex<DateFormatter>

    init(_ format: String, timeZone: TimeZone) {
        self.format = format
        let formatter = DateFormatter()
        // Whatever the user's own settings are (QA1480): names in English, 24 hours where the format says so.
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.timeZone = timeZone
        formatter.isLenient = false
        formatter.dateFormat = format
        self.formatter = Mutex(formatter)
    }

    func date(_ text: String) -> Date? { formatter.withLock { $0.date(from: text) } }

    func text(_ date: Date) -> String { formatter.withLock { $0.string(from: date) } }
}
#endif
