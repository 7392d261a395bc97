import CKernels

/// The stack of the calling thread, whose end is an error where calls recurse: in the initializers of `Decodable` types, in hooks and
/// transforms, and when the runtime releases a value of many levels.
///
/// A part of the stack is kept free for calls that do not recurse. The size of this reserve is that of `thread_stack.c`.
@usableFromInline package enum ThreadStack {
    /// A number that no other running thread has.
    package static var threadID: UInt { UInt(sluice_thread_id()) }

    /// The number of bytes of stack that recursive calls may still use. `Int.max` if the bounds of the stack are unknown.
    static var free: Int { Int(clamping: sluice_free_stack()) }

    /// Whether only the reserve is left.
    @inline(__always)
    @inlinable package static var isUsedUp: Bool { sluice_free_stack() == 0 }

    /// The bytes of stack with which the runtime releases one level of a value, at most.
    ///
    /// Measured on Linux: 80 to 130 bytes for each object or array in release builds, 100 to 200 in debug builds.
    private static var releasedLevelSize: Int { 256 }

    /// The number of levels of a value that can be released.
    static var releasableLevels: Int { free / releasedLevelSize }
}
