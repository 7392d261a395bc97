import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The processor time of the current thread, which neither waiting nor other threads and processes change.
public enum ThreadTime {
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// The time of a call, but at least 5 ms, below which a ratio of two times means nothing.
    public static func measure<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Duration {
        let start = now
        try body()
        return max(now - start, .milliseconds(5))
    }
}

/// Checks that the time of a call is linear in a count. Eight times the count takes 64 times as long if the time is quadratic.
public func expectLinearTime<E: Error>(
    upTo count: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: (_ count: Int) throws(E) -> Void
) throws(E) {
    // The first call may read files and fill caches.
    try body(10)
    // Other load may delay one measurement, but not each.
    var times: [String] = []
    while times.count < 3 {
        let short = try ThreadTime.measure { () throws(E) in try body(count / 8) }
        let long = try ThreadTime.measure { () throws(E) in try body(count) }
        if long < short * 24 { return }
        times.append("\(short) for an eighth, \(long)")
    }
    Issue.record("The time is not linear: \(times.joined(separator: "; "))", sourceLocation: sourceLocation)
}
