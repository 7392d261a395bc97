import Foundation

/// What is known of the terminal that the tool writes to.
enum Terminal {
    /// Whether a person watches standard error, so that a line may be drawn over.
    static let showsProgress = isatty(2) == 1 && environment["TERM"] != "dumb"

    /// Whether block characters and dots can be shown: the locale says so.
    static let isUnicode: Bool = {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = (locale ?? "").lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }()

    /// The columns of the terminal, or 80 where there is none.
    static let width: Int = {
        var size = winsize()
        for descriptor: Int32 in [1, 2] where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return environment["COLUMNS"].flatMap { Int($0) }.map { max($0, 40) } ?? 80
    }()

    /// Writes a line to standard error, after what is still held back for standard output.
    static func note(_ line: String) {
        fflush(nil)
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Writes an error to standard error, the name of its file in front.
    static func note(_ file: String, error: any Error) {
        note("\(file): \(error)")
    }

    /// Says what is under way, on a terminal only; `clearHint` takes it away.
    static func hint(_ text: String) {
        if showsProgress { FileHandle.standardError.write(Data(text.utf8)) }
    }

    static func clearHint() { hint("\r\u{1B}[K") }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
}
