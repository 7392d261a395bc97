import CKernels

/// The number of threads that decode the elements of a stream.
public struct JSONWorkers: Sendable, Hashable {
    /// The number of threads; nil for one per core.
    private let requested: Int?
    /// The bytes that a thread decodes at a time. Decoding this much takes much longer than waking a thread.
    var batchSize = 1 << 17

    private init(_ requested: Int?) { self.requested = requested }

    /// One thread for each core on which the process may run.
    public static let automatic = JSONWorkers(nil)

    /// A number of threads, of which the calling thread is one. A number less than 1 stands for 1.
    public static func exactly(_ count: Int) -> JSONWorkers { JSONWorkers(max(count, 1)) }

    /// The number of threads on this machine.
    public var count: Int { requested ?? Int(sluice_core_count()) }
}
