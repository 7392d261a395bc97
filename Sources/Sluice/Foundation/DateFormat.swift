// FoundationEssentials has no `DateFormatter`.
#if Foundation || canImport(Darwin)
import Foundation
import SluiceCore

/// A date format and its formatter.
///
/// Creating a formatter takes as long as formatting thousands of dates, so the formatter is created once. A lock
/// protects the formatter, because only one thread at a time may use it.
final class DateFormat: Sendable {
    /// The Unicode pattern of the format.
    let format: String
    private let formatter: Lock<DateFormatter>

    init(_ format: String, timeZone: TimeZone) {
        self.format = format
        let formatter = DateFormatter()
        // This locale makes the result independent of the user's settings (QA1480): names are English, and the format
        // alone decides between 12 and 24 hours.
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.timeZone = timeZone
        formatter.isLenient = false
        formatter.dateFormat = format
        self.formatter = Lock(formatter)
    }

    func date(_ text: String) -> Date? { formatter.withLock { $0.date(from: text) } }

    func text(_ date: Date) -> String { formatter.withLock { $0.string(from: date) } }
}
#endif
