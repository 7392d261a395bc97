import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs a closure on a thread with half a megabyte of stack, as secondary threads of Darwin have.
func onSmallStack(_ body: @escaping () throws -> Void) -> Result<Void, any Error> {
    final class Job {
        let body: () throws -> Void
        var result: Result<Void, any Error> = .success(())
        init(_ body: @escaping () throws -> Void) { self.body = body }
    }
    let job = Job(body)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 512 * 1_024)
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let made = pthread_create(
        &thread, &attributes,
        { argument in
            #if canImport(Darwin)
            let job = Unmanaged<Job>.fromOpaque(argument).takeUnretainedValue()
            #else
            let job = Unmanaged<Job>.fromOpaque(argument!).takeUnretainedValue()
            #endif
            job.result = Result { try job.body() }
            return nil
        }, Unmanaged.passUnretained(job).toOpaque())
    #expect(made == 0)
    #if canImport(Darwin)
    pthread_join(thread!, nil)
    #else
    pthread_join(thread, nil)
    #endif
    return withExtendedLifetime(job) { job.result }
}
