import CKernels
import SluiceCore
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

/// A file that is written under a temporary name beside its final path, and renamed when complete, or is written directly.
///
/// For a symbolic link, the target is replaced. A pipe, device or terminal is written to directly. A replacement that is not committed
/// leaves its path unchanged.
package final class OutputFile {
    private let descriptor: FileDescriptor
    /// Replaces the writes to the descriptor, in tests of failing writes.
    private let substitute: ByteWriting?
    /// The path for messages.
    private let path: String
    /// The temporary and the final path, and the permissions of the replaced file; nil for a file that is written directly.
    private let replacement: (temporary: String, target: String, mode: FilePermissions?)?
    private let ownsDescriptor: Bool
    private let kind: Kind
    private var isOpen = true
    /// The error of completing the file, which cannot be repeated.
    private var failure: JSONModelError?
    private var compressor: (any Compressor)?
    /// Whether the compressor has ended its data.
    private var isCompressionEnded = false
    /// The number of bytes of text that can be read from the file.
    private(set) var count = 0
    /// The number of bytes of text that the caller does not pass again after an error: the written bytes, and the bytes in the
    /// compressor.
    private(set) var acceptedCount = 0
    /// Compressed bytes that could not be written yet.
    private var unwritten: [UInt8] = []

    private enum Kind {
        case regular
        /// A pipe or socket, whose reader may end before the writer.
        case pipe
        case other

        init(of descriptor: FileDescriptor) {
            var status = stat()
            guard fstat(descriptor.rawValue, &status) == 0 else {
                self = .other
                return
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: self = .regular
            case S_IFIFO, S_IFSOCK: self = .pipe
            default: self = .other
            }
        }
    }

    /// Begins the replacement of the file at a path.
    package convenience init(
        _ path: String, inPlace: Bool = false
    ) throws(JSONModelError) {
        try FilePathCheck.rejectNUL(path)
        var status = stat()
        let exists = stat(path, &status) == 0
        let isRegular = exists && status.st_mode & S_IFMT == S_IFREG
        guard !exists || isRegular, !inPlace, let target = try Self.target(of: path).map(Self.absolute)
        else {
            try self.init(
                path, named: path, inPlace ? [.create, .truncate] : [.truncate], replacing: nil)
            return
        }
        let mode = isRegular ? FilePermissions(rawValue: CModeT(status.st_mode) & 0o777) : nil
        let beside = Self.temporary(beside: target)
        do throws(JSONModelError) {
            try self.init(
                beside, named: path, [.create, .exclusiveCreate], mode: mode, replacing: (beside, target, mode))
        } catch {
            // The file may be writable, and its folder is not.
            throw isRegular && access(path, W_OK) == 0 ? Self.suggestingContents(error) : error
        }
    }

    /// Whether the path is unchanged until the file is committed.
    var isReplacement: Bool { replacement != nil }

    /// The length of a regular file; nil for another one.
    var regularLength: Int? {
        var status = stat()
        return kind == .regular && fstat(descriptor.rawValue, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Whether a reader reads this file.
    func isSame(as reader: FileReader) -> Bool {
        var status = stat()
        return fstat(descriptor.rawValue, &status) == 0
            && reader.isFile(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    }

    /// Shortens a file to which bytes are appended.
    func truncate(to length: Int) throws(JSONModelError) {
        if ftruncate(descriptor.rawValue, off_t(length)) != 0 {
            throw Self.unwritable(Errno(rawValue: errno), path)
        }
    }

    /// Opens the file at a path, to which bytes are appended. A missing file is created.
    static func appending(to path: String) throws(JSONModelError) -> OutputFile {
        try FilePathCheck.rejectNUL(path)
        return try OutputFile(path, named: path, [.create, .append], replacing: nil)
    }

    package static var standardOutput: OutputFile {
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
        // The signal of standard output, whose reader is gone, ends a program as its user expects.
        kind = ownsDescriptor ? Kind(of: descriptor) : .other
    }

    /// Creates a file whose bytes a closure writes.
    init(named name: String, writing write: @escaping ByteWriting) {
        descriptor = FileDescriptor(rawValue: -1)
        substitute = write
        path = name
        replacement = nil
        ownsDescriptor = false
        kind = .other
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
    package func write(_ bytes: UnsafeRawBufferPointer) throws(JSONModelError) {
        guard let compressor else {
            return try writeAll(bytes) { written in
                count += written
                acceptedCount += written
            }
        }
        try writeUnwritten()
        try compressor.compress(bytes, .none) { piece throws(JSONModelError) in unwritten += piece }
        acceptedCount += bytes.count
        try writeUnwritten()
    }

    /// Writes the bytes that the compressor keeps.
    func flush() throws(JSONModelError) {
        try endCompression(.flush)
    }

    private func endCompression(_ end: CompressionEnd) throws(JSONModelError) {
        guard let compressor else { return }
        if !isCompressionEnded {
            try compressor.compress(UnsafeRawBufferPointer(start: nil, count: 0), end) {
                piece throws(JSONModelError) in unwritten += piece
            }
            isCompressionEnded = end == .finish
        }
        try writeUnwritten()
        count = acceptedCount
    }

    /// Writes compressed bytes. After an error, the next call continues with the bytes that are left.
    private func writeUnwritten() throws(JSONModelError) {
        if unwritten.isEmpty { return }
        var written = 0
        defer { unwritten.removeFirst(written) }
        // `withUnsafeBytes` has no typed throws.
        try unwritten.withUnsafeBytes { bytes in
            Result { () throws(JSONModelError) in try writeAll(bytes) { written += $0 } }
        }.get()
    }

    /// Passes bytes to the system.
    ///
    /// - Parameter report: Receives the number of bytes of each write.
    private func writeAll(_ bytes: UnsafeRawBufferPointer, _ report: (Int) -> Void) throws(JSONModelError) {
        var rest = bytes
        while !rest.isEmpty {
            do {
                let written = try substitute?(rest) ?? write(rest)
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

    /// Passes bytes to the system once. Some systems do not accept more than 2 GB.
    private func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(1 << 30))
        guard kind == .pipe, let start = bytes.baseAddress else {
            return try descriptor.write(bytes, retryOnInterrupt: false)
        }
        let count = sluice_write_without_signal(descriptor.rawValue, start, bytes.count)
        if count < 0 { throw Errno(rawValue: errno) }
        return count
    }

    /// Completes the file: the path then has the bytes that were written. After an error of writing the last bytes, the call can be
    /// repeated.
    package func commit() throws(JSONModelError) {
        if let failure { throw failure }
        if !isOpen { return }
        try endCompression(.finish)
        guard ownsDescriptor else {
            isOpen = false
            return
        }
        // The process's file mode mask may have removed permissions.
        if let mode = replacement?.mode { fchmod(descriptor.rawValue, mode.rawValue) }
        if replacement != nil {
            // The system reports a failure once. A second call would succeed without the bytes.
            do throws(JSONModelError) { try synchronize() } catch {
                failure = error
                throw error
            }
        }
        isOpen = false
        do throws(JSONModelError) { try complete() } catch {
            if let replacement { unlink(replacement.temporary) }
            failure = error
            throw error
        }
    }

    private func complete() throws(JSONModelError) {
        // Some file systems report only now that the disk is full.
        do { try descriptor.close() } catch { throw Self.unwritable(error, path) }
        guard let replacement else { return }
        if rename(replacement.temporary, replacement.target) != 0 {
            let error = Errno(rawValue: errno)
            let unwritable = Self.unwritable(error, path)
            throw error == .resourceBusy ? Self.suggestingContents(unwritable) : unwritable
        }
        Self.synchronizeFolder(of: replacement.target)
    }

    /// Writes the entry of a file in its folder to the medium, so that a crash does not bring the old file back.
    ///
    /// A failure is not an error of the file, which has been replaced: folders need not be readable, and some file systems do not support
    /// the call.
    private static func synchronizeFolder(of file: String) {
        let folder = FilePath(file).removingLastComponent()
        guard
            let descriptor = try? FileDescriptor.open(
                folder.isEmpty ? "." : folder, .readOnly, options: [.directory, .closeOnExec])
        else { return }
        while fsync(descriptor.rawValue) != 0, errno == EINTR {}
        try? descriptor.close()
    }

    private static func suggestingContents(_ error: JSONModelError) -> JSONModelError {
        var error = error
        for index in error.issues.indices {
            error.issues[index].hint =
                "to overwrite the contents of the file, use .file(path, inPlace: true)"
        }
        return error
    }

    /// The greatest number of symbolic links that are followed, as on Linux.
    private static let maximumLinkCount = 40

    /// Resolves the symbolic links at a path, whether or not they lead to a file.
    ///
    /// - Returns: The path of the file to replace; nil if the links lead to a descriptor of the process, such as
    ///   `/dev/stdout`.
    private static func target(of path: String) throws(JSONModelError) -> String? {
        var at = path
        for _ in 0...maximumLinkCount {
            if isDescriptor(at) { return nil }
            guard let link = try readLink(at) else { return at }
            // An absolute target replaces the whole path.
            at = FilePath(at).removingLastComponent().pushing(FilePath(link)).string
        }
        throw unwritable(Errno.tooManySymbolicLinkLevels, path)
    }

    /// Whether a path names a descriptor of the process. Such a link need not contain a path. `/dev/stdout` and `/dev/stderr` are links to
    /// these paths.
    private static func isDescriptor(_ path: String) -> Bool {
        let path = FilePath(path).lexicallyNormalized().string
        return path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/")
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

    /// Returns a path that stays valid if the process changes its working directory.
    private static func absolute(_ path: String) -> String {
        guard FilePath(path).isRelative, let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        guard let directory = String(validatingCString: directory) else { return path }
        return FilePath(directory).pushing(FilePath(path)).string
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
