import Foundation

/// The memory of this process and of the machine, for measurements.
public enum ProcessMemory {
    /// The peak resident memory of this process, in bytes.
    ///
    /// On Linux the value is from `/proc`, because `getrusage` starts with the peak of the parent process.
    public static var peak: UInt64 {
        if let kilobytes = field("VmHWM:", of: "/proc/self/status") { return kilobytes * 1024 }
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        #if canImport(Darwin)
        return UInt64(usage.ru_maxrss)
        #else
        return UInt64(usage.ru_maxrss) * 1024
        #endif
    }

    /// The memory that is available without swapping, in bytes, or the whole memory if the system does not state it.
    public static var available: UInt64 {
        if let kilobytes = field("MemAvailable:", of: "/proc/meminfo") { return kilobytes * 1024 }
        return ProcessInfo.processInfo.physicalMemory
    }

    /// Returns the number in a line of a file, such as 1234 in `VmHWM:    1234 kB`.
    private static func field(_ name: String, of path: String) -> UInt64? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { UInt64($0) }
    }
}
