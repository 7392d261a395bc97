#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Whether the code of this package is instrumented by a sanitizer. Its frames are then several times as large, and its variables may be
/// in other memory than the stack.
public let isSanitized = (["__asan_init", "__tsan_init"] as [String]).contains { dlsym(nil, $0) != nil }

/// The stack of secondary threads of Darwin, which is small: half a megabyte. Instrumented code has a stack in proportion to its frames.
public let smallStack = (isSanitized ? 4 : 1) * 512 * 1_024

/// Runs a closure on a thread with a small stack, which ends at a protected page.
///
/// The memory is that of this call. A stack from the C library can be that of a thread that has ended, which can be larger.
public func onSmallStack<R>(bytes: Int = smallStack, _ body: @escaping () throws -> R) -> Result<R, any Error> {
    let job = StackJob(body)
    let memory = GuardedMemory(byteCount: bytes)
    return withExtendedLifetime(memory) {
        job.run(onStack: memory.room(bytes, at: .start))
        return job.result!
    }
}

private func runStackJob(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<AnyStackJob>.fromOpaque(argument).takeUnretainedValue().run()
    return nil
}

private class AnyStackJob {
    func run() {}

    /// Runs the job on a thread with memory for the stack, and waits for its end.
    final func run(onStack memory: UnsafeMutableRawBufferPointer) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        let isSet = pthread_attr_setstack(&attributes, memory.baseAddress!, memory.count) == 0
        precondition(isSet, "the memory cannot be a stack")
        let argument = Unmanaged<AnyStackJob>.passUnretained(self).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        let made = pthread_create(&thread, &attributes, { runStackJob($0) }, argument)
        precondition(made == 0, "a thread cannot start")
        pthread_join(thread!, nil)
        #else
        var thread = pthread_t()
        let made = pthread_create(&thread, &attributes, { runStackJob($0!) }, argument)
        precondition(made == 0, "a thread cannot start")
        pthread_join(thread, nil)
        #endif
    }
}

private final class StackJob<R>: AnyStackJob {
    private let body: () throws -> R
    private(set) var result: Result<R, any Error>?

    init(_ body: @escaping () throws -> R) { self.body = body }

    override func run() { result = Result { try body() } }
}

#if os(Linux)
/// Returns the number of bytes of the stack that a closure uses at most, on a thread whose stack is painted before.
///
/// The bytes below the deepest written byte keep the paint. The memory that the system keeps at the upper end is not counted.
public func stackUse(of size: Int = 4 << 20, _ body: @escaping () throws -> Void) throws -> Int {
    let memory = GuardedMemory(byteCount: size)
    let stack = memory.room(size, at: .start)
    let block = 4_096
    func depth(_ body: @escaping () throws -> Void) throws -> Int {
        memset(stack.baseAddress!, 0x5A, size)
        let job = StackJob(body)
        job.run(onStack: stack)
        try job.result!.get()
        // Nobody has written to the lowest block, with which the others are compared.
        precondition(stack.prefix(block).allSatisfy { $0 == 0x5A })
        var painted = block
        while painted < size, memcmp(stack.baseAddress!, stack.baseAddress! + painted, block) == 0 {
            painted += block
        }
        return size - (stack[painted...].firstIndex { $0 != 0x5A } ?? size)
    }
    defer { withExtendedLifetime(memory) {} }
    return try depth(body) - depth {}
}
#endif
