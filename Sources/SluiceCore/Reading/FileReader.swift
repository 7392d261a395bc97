import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Reads bytes into memory, as the system call `read` does.
package typealias ByteReading = (UnsafeMutableRawBufferPointer) throws -> Int

/// A file that is read in windows, each at least as large as the open token.
///
/// The windows of a regular file are full. The windows of a pipe, socket or terminal hold the bytes of one read, so that an
/// element arrives with its bytes.
package final class FileReader {
    private let descriptor: FileDescriptor
    /// The path for messages.
    package let name: String
    private let ownsDescriptor: Bool
    /// The reader that owns the descriptor, if this one reads the file again.
    private var owner: FileReader?
    /// The number of bytes by which the reads have moved the position in the file.
    private var readCount = 0
    /// Replaces the reads of the descriptor.
    private let substitute: ByteReading?
    let isRegular: Bool
    /// Ends a wait for the bytes of a file that is not regular. Nil if the calling thread waits in the read.
    package var interruption: ReadInterruption?
    /// Whether the bytes after the last window may arrive late, as in a pipe that has no more bytes at present.
    private(set) var mayWait = false
    /// The length of the file in bytes; nil for a file that is not regular.
    package let length: Int?
    private var window = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// The number of bytes read.
    private(set) var offset = 0
    /// The offset at which reading ends, if the file does not end before.
    private var end = Int.max
    /// Whether the file, which is read from an offset of its text, is compressed. It is then read from its start.
    package private(set) var isCompressed = false
    /// The text before the offset from which the file is read.
    package private(set) var sample = TextSample()
    /// The error that ended the file.
    private var failure: (any Error)?
    private static var smallestWindow: Int { 65_536 }

    /// Opens the file at a path.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first byte of text to read. A compressed file is read from its start.
    ///   - interruption: Ends the waits for the bytes of the file.
    package convenience init(
        _ path: String, at offset: Int = 0, interruption: ReadInterruption? = nil
    ) throws(JSONModelError) {
        try FilePathCheck.rejectNUL(path)
        // On Linux, a FIFO is opened before a process writes to it, and the wait for its first bytes can be interrupted. POSIX
        // does not specify whether that wait ends at once.
        #if os(Linux) || os(Android)
        let options: FileDescriptor.OpenOptions = interruption == nil ? .closeOnExec : [.closeOnExec, .nonBlocking]
        #else
        let options: FileDescriptor.OpenOptions = .closeOnExec
        #endif
        let descriptor: FileDescriptor
        do { descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: options) } catch {
            throw Self.unreadable(error, path, offset: 0)
        }
        self.init(descriptor, name: path, ownsDescriptor: true)
        self.interruption = interruption
        guard offset > 0 else { return }
        do { try start(at: offset) } catch { throw Self.unreadable(error, path, offset: offset) }
    }

    private func start(at offset: Int) throws {
        let head = try bytes(at: 0, count: TextSample.length)
        if JSONCompression.isCompressed(head) {
            isCompressed = true
            return
        }
        let first = max(offset - TextSample.length, 0)
        sample = TextSample(
            head: Array(head.prefix(offset)), tail: try bytes(at: first, count: offset - first), offset: offset)
        try descriptor.seek(offset: Int64(offset), from: .start)
        self.offset = offset
    }

    /// Reads only the bytes of a range. Called before the first window.
    package func restrict(to range: Range<Int>) throws(JSONModelError) {
        do { try start(at: range.lowerBound) } catch {
            throw Self.unreadable(error, name, offset: range.lowerBound)
        }
        end = range.upperBound
    }

    /// Reads bytes at an offset, or as many as the file has. The next window is unchanged.
    package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        // The library would write the count to the storage that all empty arrays share, which the thread sanitizer reports.
        if count == 0 { return [] }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled..<count])
                let read = try descriptor.read(fromAbsoluteOffset: Int64(offset + filled), into: rest)
                if read == 0 { break }
                filled += read
            }
        }
    }

    private init(_ descriptor: FileDescriptor, name: String, ownsDescriptor: Bool) {
        self.descriptor = descriptor
        self.name = name
        self.ownsDescriptor = ownsDescriptor
        substitute = nil
        var status = stat()
        isRegular = fstat(descriptor.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        length = isRegular ? Int(status.st_size) : nil
    }

    /// Returns a reader of the same regular file, from the byte at which this reader began. This reader is not used again.
    func again() throws(JSONModelError) -> FileReader {
        let reader = FileReader(descriptor, name: name, ownsDescriptor: false)
        reader.owner = self
        // Not to the start of the file: some systems open `/dev/fd/3` at the position of the descriptor.
        do { try descriptor.seek(offset: -Int64(readCount), from: .current) } catch {
            throw Self.unreadable(error, name, offset: 0)
        }
        readCount = 0
        return reader
    }

    /// Creates a reader whose bytes a closure reads.
    ///
    /// - Parameters:
    ///   - length: The length of a regular file; nil for a file that is not regular.
    ///   - read: Reads bytes. Returns 0 at the end, and throws `Errno`.
    init(named name: String, length: Int?, reading read: @escaping ByteReading) {
        descriptor = FileDescriptor(rawValue: -1)
        self.name = name
        ownsDescriptor = false
        substitute = read
        isRegular = length != nil
        self.length = length
    }

    /// Whether a file is the one that is read.
    package func isFile(device: UInt64, number: UInt64) -> Bool {
        var status = stat()
        return fstat(descriptor.rawValue, &status) == 0
            && (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)) == (device, number)
    }

    /// Whether opening or reading the file at a path may wait for another process or a person.
    package static func mayBlock(_ path: String) -> Bool {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    static var standardInput: FileReader {
        FileReader(.standardInput, name: "standard input", ownsDescriptor: false)
    }

    deinit {
        window.deallocate()
        if ownsDescriptor { try? descriptor.close() }
    }

    /// Reads the next window, whose memory is valid until the next call.
    ///
    /// - Parameter openLength: The length of the open token. Each window repeats the lexing of this token, so that windows of
    ///   twice its length keep the total linear.
    /// - Returns: nil at the end of the file.
    package func nextWindow(openLength: Int) throws(JSONModelError) -> UnsafeBufferPointer<UInt8>? {
        let wanted = max(Self.smallestWindow, openLength)
        if wanted > window.count || wanted * 4 < window.count {
            window.deallocate()
            window = .allocate(byteCount: wanted, alignment: 64)
        }
        let filled = try fill()
        offset += filled
        // A pipe may hold exactly the bytes of a window.
        mayWait = !isRegular && (filled < Self.smallestWindow || !hasBytes)
        if filled == 0 { return nil }
        return UnsafeRawBufferPointer(rebasing: window[..<filled]).assumingMemoryBound(to: UInt8.self)
    }

    /// Whether the next read does not wait, or this is unknown.
    private var hasBytes: Bool { substitute != nil || DescriptorReadiness.isReady(descriptor, POLLIN) }

    /// Returns up to `count` next bytes, or nil at the end.
    func next(_ count: Int) -> [UInt8]? {
        if failure != nil { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = (try? read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Reads bytes once. A read that a signal interrupts is repeated.
    private func read(into bytes: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            do {
                if let substitute { return try substitute(bytes) }
                try interruption?.wait(for: descriptor)
                let count = try descriptor.read(into: bytes, retryOnInterrupt: false)
                readCount += count
                return count
            } catch Errno.interrupted {}
        }
    }

    /// Reads into the window: until it is full for a regular file, otherwise the bytes of one read.
    ///
    /// - Returns: The number of bytes read. 0 at the end of the file.
    private func fill() throws(JSONModelError) -> Int {
        var filled = 0
        let room = min(window.count, end - offset)
        while filled < room, failure == nil {
            let rest = UnsafeMutableRawBufferPointer(rebasing: window[filled..<room])
            do {
                let count = try read(into: rest)
                filled += count
                if count == 0 || !isRegular { break }
            } catch Errno.resourceTemporarilyUnavailable {
                // With an interruption, the next read waits.
                if interruption == nil { DescriptorReadiness.wait(for: descriptor, POLLIN) }
            } catch {
                // The bytes before the error are delivered first. The next window throws the error, which another read might not
                // repeat.
                failure = error
                break
            }
        }
        if filled == 0, room > 0, let failure { throw Self.unreadable(failure, name, offset: offset) }
        return filled
    }

    package static func unreadable(_ error: any Error, _ name: String, offset: Int) -> JSONModelError {
        let number = error as? Errno
        return JSONModelError(
            .unreadable(errno: number?.rawValue ?? 0, "\(name): \(number?.description ?? "\(error)")"),
            offset: offset)
    }
}

/// Waits for a descriptor that does not block.
package enum DescriptorReadiness {
    /// Waits until a descriptor is ready, or has an error that its next call returns.
    package static func wait(for descriptor: FileDescriptor, _ events: some BinaryInteger) {
        // A closure that reads or writes has no descriptor.
        if descriptor.rawValue < 0 { return }
        var request = pollfd(fd: descriptor.rawValue, events: Int16(events), revents: 0)
        _ = poll(&request, 1, -1)
    }

    /// Whether a descriptor is ready, has an error that its next call returns, or cannot be polled.
    static func isReady(_ descriptor: FileDescriptor, _ events: some BinaryInteger) -> Bool {
        var request = pollfd(fd: descriptor.rawValue, events: Int16(events), revents: 0)
        return poll(&request, 1, 0) != 0
    }
}

/// Checks of file paths before they are passed to the system.
package enum FilePathCheck {
    /// Rejects a path with a NUL character, which the system would treat as the end of the path.
    package static func rejectNUL(_ path: String) throws(JSONModelError) {
        guard path.utf8.contains(0) else { return }
        let shown = path.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\\0")
        throw JSONModelError(.invalidPath("the path of a file cannot hold a NUL character: \"\(shown)\""))
    }
}
