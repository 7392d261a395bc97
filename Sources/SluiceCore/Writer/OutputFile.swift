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

/// Writes bytes, or the first of them, as the system call `write` does. Returns the number of bytes written.
package typealias ByteWriting = @Sendable (UnsafeRawBufferPointer) throws -> Int

/// A file that is written under a temporary name beside its final path, and renamed when complete.
///
/// For a symbolic link, the target is replaced. A pipe, device or terminal is written to directly. A file that is not committed
/// leaves its path unchanged.
final class OutputFile {
    private let descriptor: FileDescriptor
    /// Replaces the writes to the descriptor, in tests of failing writes.
    private let substitute: ByteWriting?
    /// The path for messages.
    private let path: String
    /// The temporary and the final path, and the permissions of the replaced file; nil for a file that is written directly.
    private let replacement: (temporary: String, target: String, mode: FilePermissions?)?
    private let ownsDescriptor: Bool
    private var isOpen = true
    private var compressor: (any Compressor)?
    /// The number of bytes of text that can be read from the file.
    private(set) var count = 0
    /// The number of bytes of text that the caller does not pass again after an error: the written bytes, and the bytes in the
    /// compressor.
    private(set) var acceptedCount = 0
    /// Compressed bytes that could not be written yet.
    private var unwritten: [UInt8] = []

    /// Begins the replacement of the file at a path.
    convenience init(_ path: String) throws(JSONModelError) {
        try FilePathCheck.rejectNUL(path)
        var status = stat()
        let exists = stat(path, &status) == 0
        let isRegular = exists && status.st_mode & S_IFMT == S_IFREG
        guard !exists || isRegular, let target = try Self.target(of: path) else {
            try self.init(path, named: path, [.truncate], replacing: nil)
            return
        }
        let mode = isRegular ? FilePermissions(rawValue: CModeT(status.st_mode) & 0o777) : nil
        let beside = Self.temporary(beside: target)
        try self.init(
            beside, named: path, [.create, .exclusiveCreate], mode: mode, replacing: (beside, target, mode))
    }

    /// Opens the file at a path, to which bytes are appended. A missing file is created.
    static func appending(to path: String) throws(JSONModelError) -> OutputFile {
        try FilePathCheck.rejectNUL(path)
        return try OutputFile(path, named: path, [.create, .append], replacing: nil)
    }

    static var standardOutput: OutputFile {
        OutputFile(.standardOutput, path: "standard output", replacement: nil, ownsDescriptor: false)
    }

    private convenience init(
        _ file: String, named path: String, _ options: FileDescriptor.OpenOptions, mode: FilePermissions? = nil,
        replacing replacement: (temporary: String, target: String, mode: FilePermissions?)?
    ) throws(JSONModelError) {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(
                FilePath(file), .writeOnly, options: options.union(.closeOnExec),
                permissions: mode ?? [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
        } catch {
            throw Self.unwritable(error, path)
        }
        self.init(descriptor, path: path, replacement: replacement, ownsDescriptor: true)
    }

    private init(
        _ descriptor: FileDescriptor, path: String,
        replacement: (temporary: String, target: String, mode: FilePermissions?)?, ownsDescriptor: Bool
    ) {
        self.descriptor = descriptor
        substitute = nil
        self.path = path
        self.replacement = replacement
        self.ownsDescriptor = ownsDescriptor
    }

    /// Creates a file whose bytes a closure writes.
    init(named name: String, writing write: @escaping ByteWriting) {
        descriptor = FileDescriptor(rawValue: -1)
        substitute = write
        path = name
        replacement = nil
        ownsDescriptor = false
    }

    /// Discards a file that was not committed.
    deinit {
        if isOpen, ownsDescriptor { try? descriptor.close() }
        if isOpen, let replacement { unlink(replacement.temporary) }
    }

    /// Compresses the bytes that are written from now on.
    func compress(_ compression: OutputCompression) throws(JSONModelError) {
        compressor = try compression.compressor()
    }

    /// Writes text. After an error, ``acceptedCount`` and ``count`` are the numbers of accepted and written bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(JSONModelError) {
        guard let compressor else {
            return try pass(bytes) { written in
                count += written
                acceptedCount += written
            }
        }
        try passUnwritten()
        try compressor.compress(bytes, .none) { piece throws(JSONModelError) in unwritten += piece }
        acceptedCount += bytes.count
        try passUnwritten()
    }

    /// Writes the bytes that the compressor keeps.
    func flush() throws(JSONModelError) {
        try endCompression(.flush)
    }

    private func endCompression(_ end: CompressionEnd) throws(JSONModelError) {
        guard let compressor else { return }
        try compressor.compress(UnsafeRawBufferPointer(start: nil, count: 0), end) { piece throws(JSONModelError) in
            unwritten += piece
        }
        try passUnwritten()
        count = acceptedCount
    }

    /// Writes compressed bytes. After an error, the next call continues with the bytes that are left.
    private func passUnwritten() throws(JSONModelError) {
        if unwritten.isEmpty { return }
        var written = 0
        defer { unwritten.removeFirst(written) }
        // `withUnsafeBytes` has no typed throws.
        try unwritten.withUnsafeBytes { bytes in
            Result { () throws(JSONModelError) in try pass(bytes) { written += $0 } }
        }.get()
    }

    /// Passes bytes to the system.
    ///
    /// - Parameter report: Receives the number of bytes of each write.
    private func pass(_ bytes: UnsafeRawBufferPointer, _ report: (Int) -> Void) throws(JSONModelError) {
        var rest = bytes
        while !rest.isEmpty {
            do {
                let written = try substitute?(rest) ?? descriptor.write(rest, retryOnInterrupt: false)
                report(written)
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            } catch Errno.interrupted {
                // A write that a signal interrupts is repeated.
            } catch Errno.resourceTemporarilyUnavailable {
                DescriptorReadiness.wait(for: descriptor, POLLOUT)
            } catch {
                throw Self.unwritable(error, path)
            }
        }
    }

    /// Completes the file: the path then has the bytes that were written.
    func commit() throws(JSONModelError) {
        try endCompression(.finish)
        guard ownsDescriptor else { return }
        if let replacement {
            // The process's file mode mask may have removed permissions.
            if let mode = replacement.mode { fchmod(descriptor.rawValue, mode.rawValue) }
            try synchronize()
        }
        isOpen = false
        // Some file systems report only now that the disk is full.
        do { try descriptor.close() } catch {
            if let replacement { unlink(replacement.temporary) }
            throw Self.unwritable(error, path)
        }
        guard let replacement, rename(replacement.temporary, replacement.target) != 0 else { return }
        let error = Errno(rawValue: errno)
        unlink(replacement.temporary)
        throw Self.unwritable(error, path)
    }

    /// The greatest number of symbolic links that are followed, as on Linux.
    private static let greatestLinkCount = 40

    /// Resolves the symbolic links at a path, whether or not they lead to a file.
    ///
    /// - Returns: The path of the file to replace; nil if the links lead to a descriptor of the process, such as
    ///   `/dev/stdout`.
    private static func target(of path: String) throws(JSONModelError) -> String? {
        var at = path
        for _ in 0...greatestLinkCount {
            if isDescriptor(at) { return nil }
            guard let link = try readLink(at) else { return at }
            // An absolute target replaces the whole path.
            at = FilePath(at).removingLastComponent().pushing(FilePath(link)).string
        }
        throw unwritable(Errno.tooManySymbolicLinkLevels, path)
    }

    /// Whether a path names a descriptor of the process. Such a link need not contain a path.
    private static func isDescriptor(_ path: String) -> Bool {
        let path = FilePath(path).lexicallyNormalized().string
        return path == "/dev/stdout" || path == "/dev/stderr" || path.hasPrefix("/dev/fd/")
            || path.hasPrefix("/proc/")
    }

    /// Returns the target of a symbolic link, or nil if the path is not a link.
    private static func readLink(_ path: String) throws(JSONModelError) -> String? {
        let capacity = Int(PATH_MAX)
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { memory, count in
            let base = UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped)
            count = max(readlink(path, base.assumingMemoryBound(to: CChar.self), capacity), 0)
        }
        if bytes.isEmpty { return nil }
        guard let target = String(validating: bytes, as: UTF8.self) else {
            throw unwritable(Errno.illegalByteSequence, path)
        }
        return target
    }

    /// Returns a new path in the folder of a file. The new name does not contain the name of the file, which may have the maximum
    /// length.
    private static func temporary(beside file: String) -> String {
        let name = ".sluice-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).tmp"
        return FilePath(file).removingLastComponent().appending(name).string
    }

    /// Writes the file to its medium, so that a crash after the renaming does not leave an incomplete file.
    private func synchronize() throws(JSONModelError) {
        while fsync(descriptor.rawValue) != 0 {
            let error = Errno(rawValue: errno)
            // Some file systems do not support the call.
            if error == .invalidArgument || error == .notSupported { return }
            if error != .interrupted { throw Self.unwritable(error, path) }
        }
    }

    static func unwritable(_ error: any Error, _ path: String) -> JSONModelError {
        let number = error as? Errno
        return JSONModelError(
            .unwritable(errno: number?.rawValue ?? 0, "\(path): \(number?.description ?? "\(error)")"))
    }
}
