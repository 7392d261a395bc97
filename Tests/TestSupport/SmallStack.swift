import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs a closure on a thread with a small stack: half a megabyte by default, as secondary threads of Darwin have.
public func onSmallStack<R>(bytes: Int = 512 * 1_024, _ body: @escaping () throws -> R) -> Result<R, any Error> {
    let job = StackJob(body)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, bytes)
    let argument = Unmanaged<AnyStackJob>.passUnretained(job).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    let made = pthread_create(&thread, &attributes, { runStackJob($0) }, argument)
    pthread_join(thread!, nil)
    #else
    var thread = pthread_t()
    let made = pthread_create(&thread, &attributes, { runStackJob($0!) }, argument)
    pthread_join(thread, nil)
    #endif
    #expect(made == 0)
    return withExtendedLifetime(job) { job.result! }
}

private func runStackJob(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<AnyStackJob>.fromOpaque(argument).takeUnretainedValue().run()
    return nil
}

private class AnyStackJob {
    func run() {}
}

private final class StackJob<R>: AnyStackJob {
    private let body: () throws -> R
    private(set) var result: Result<R, any Error>?

    init(_ body: @escaping () throws -> R) { self.body = body }

    override func run() { result = Result { try body() } }
}
