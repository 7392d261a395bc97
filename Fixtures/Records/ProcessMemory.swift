import Foundation

/// The memory of this process and of the machine, for those who measure how records are read.
public enum ProcessMemory {
    /// The highest resident memory so far, in bytes.
    ///
    /// On Linux from `/proc`: `getrusage` there starts with the peak of the parent that the process was forked
    /// from.
    public static var peak: UInt64 {
        if let kilobytes = field("VmHWM:", of: "/proc/self/status") { return kilobytes * 1024 }
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        return UInt64(usage.ru_maxrss)
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return UInt64(usage.ru_maxrss) * 1024
        #endif
    }

    /// What the machine can give without swapping, in bytes; all of its memory where it does not say.
    public static var available: UInt64 {
        if let kilobytes = field("MemAvailable:", of: "/proc/meminfo") { return kilobytes * 1024 }
        return ProcessInfo.processInfo.physicalMemory
    }

    /// A line such as `VmHWM:    1234 kB`.
    private static func field(_ name: String, of path: String) -> UInt64? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { UInt64($0) }
    }
}
