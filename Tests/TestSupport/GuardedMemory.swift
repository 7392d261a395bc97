import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Memory between two pages that can neither be read nor written. An access beyond the memory ends the process.
public final class GuardedMemory {
    /// The end of the memory at which bytes are placed.
    public enum Place: CaseIterable, Sendable {
        /// Directly behind the first protected page.
        case start
        /// Directly before the second protected page.
        case end
    }

    private let mapping: UnsafeMutableRawPointer
    private let mappingSize: Int
    private let memory: UnsafeMutableRawBufferPointer

    /// Reserves memory of at least a number of bytes.
    public init(byteCount: Int) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let size = max(1, (byteCount + page - 1) / page) * page
        mappingSize = size + 2 * page
        #if canImport(Darwin)
        let flags = MAP_PRIVATE | MAP_ANON
        #else
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        #endif
        mapping = mmap(nil, mappingSize, PROT_NONE, flags, -1, 0)
        precondition(mapping != MAP_FAILED, "no memory can be mapped")
        let isReadable = mprotect(mapping + page, size, PROT_READ | PROT_WRITE) == 0
        precondition(isReadable, "the memory cannot be made readable")
        memory = UnsafeMutableRawBufferPointer(start: mapping + page, count: size)
    }

    deinit { munmap(mapping, mappingSize) }

    /// Returns memory for a number of bytes at one end.
    public func room(_ byteCount: Int, at place: Place) -> UnsafeMutableRawBufferPointer {
        precondition(byteCount <= memory.count, "the memory is too small")
        let start = place == .start ? 0 : memory.count - byteCount
        return UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + byteCount])
    }

    /// Copies bytes to one end.
    ///
    /// - Parameter filler: The value of the nearest bytes on the other side, which can be read and must not have an effect.
    public func hold(_ bytes: ArraySlice<UInt8>, at place: Place, filler: UInt8) -> UnsafeRawBufferPointer {
        let room = room(bytes.count, at: place)
        room.copyBytes(from: bytes)
        let others = min(128, memory.count - bytes.count)
        let start = place == .start ? bytes.count : memory.count - bytes.count - others
        for index in start..<start + others { memory[index] = filler }
        return UnsafeRawBufferPointer(room)
    }

    /// Calls a closure with a copy of bytes that ends directly before a protected page, or some bytes before it.
    public static func withCopy<R>(
        of bytes: [UInt8], distance: Int = 0, _ body: (UnsafePointer<UInt8>) throws -> R
    ) rethrows -> R {
        let memory = GuardedMemory(byteCount: bytes.count + distance)
        return try withExtendedLifetime(memory) {
            let room = memory.room(bytes.count + distance, at: .end)
            room.copyBytes(from: bytes)
            return try body(UnsafePointer(room.baseAddress!.assumingMemoryBound(to: UInt8.self)))
        }
    }
}
