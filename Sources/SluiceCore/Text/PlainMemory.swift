#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Memory of `malloc`, for small blocks that many values need.
///
/// `UnsafeMutablePointer.allocate` requests aligned memory from the system, which glibc does not take from the thread's cache.
@usableFromInline
enum PlainMemory {
    /// The alignment of the memory of `malloc` on all platforms with 64 bits.
    private static var alignment: Int { 16 }

    /// Returns uninitialized memory for a number of values, at least one.
    @inlinable
    static func allocate<Value>(_ count: Int) -> UnsafeMutablePointer<Value> {
        let size = max(count, 1) * MemoryLayout<Value>.stride
        return allocate(size: size, alignment: MemoryLayout<Value>.alignment).assumingMemoryBound(to: Value.self)
    }

    @usableFromInline
    static func allocate(size: Int, alignment: Int) -> UnsafeMutableRawPointer {
        if alignment > Self.alignment { return .allocate(byteCount: size, alignment: alignment) }
        guard let block = malloc(size) else { fatalError("No memory is left for \(size) bytes.") }
        return block
    }

    /// Frees memory for values of an alignment, which were destroyed.
    static func deallocate(_ memory: UnsafeMutableRawPointer, alignment: Int) {
        if alignment > Self.alignment { memory.deallocate() } else { free(memory) }
    }
}
