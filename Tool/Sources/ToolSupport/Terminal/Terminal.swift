import Foundation
import SystemPackage

/// The properties of the terminal, and functions that write to standard error.
package enum Terminal {
    /// Whether standard error is a terminal on which a line can be overwritten.
    package static let showsProgress = isatty(2) == 1 && environment["TERM"] != "dumb"

    /// Whether standard output is a terminal.
    package static let isOutput = isatty(1) == 1

    /// Whether standard output is a terminal that shows colors, unless the variable `NO_COLOR` is set.
    package static let hasColors =
        isOutput && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty

    /// Whether the locale uses UTF-8, so that block characters can be shown.
    package static let isUnicode: Bool = {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = (locale ?? "").lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }()

    /// The width of the terminal in columns, or 80 without a terminal.
    package static let width: Int = {
        var size = winsize()
        for descriptor: Int32 in [1, 2] where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return environment["COLUMNS"].flatMap { Int($0) }.map { max($0, 40) } ?? 80
    }()

    /// Writes a line to standard error, after flushing standard output.
    package static func note(_ line: String) {
        fflush(nil)
        write(line + "\n")
    }

    /// Shows the current operation until `clearHint()` is called. Without a terminal, this function does nothing.
    package static func hint(_ text: String) {
        if showsProgress { write(text) }
    }

    package static func clearHint() { hint("\r\u{1B}[K") }

    /// Writes text to standard error. Without a reader, the text is lost: Foundation's `FileHandle` would end the process.
    package static func write(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
