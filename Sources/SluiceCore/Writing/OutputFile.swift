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

/// A file that is written under a temporary name beside its final path, and renamed when complete.
///
/// For a symbolic link, the target is replaced. A pipe, device or terminal is written to directly.
struct OutputFile {
    private let descriptor: FileDescriptor
    private let path: String

    /// Replaces the file at a path by the chunks that a closure writes.
    ///
    /// - Throws: ``JSONModelError``. A regular file is then unchanged.
    static func replace(
        _ path: String,
        _ body: ((UnsafeRawBufferPointer) throws -> Void) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        try FilePathCheck.refuseNUL(path)
        var status = stat()
        let exists = stat(path, &status) == 0
        let isRegular = exists && status.st_mode & S_IFMT == S_IFREG
        guard !exists || isRegular, let target = try target(of: path) else {
            let file = try open(path, named: path, [.truncate], mode: nil)
            return try file.closing { () throws(JSONModelError) in try file.fill(body) }
        }
        let mode = isRegular ? FilePermissions(rawValue: CModeT(status.st_mode) & 0o777) : nil
        let beside = temporary(beside: target)
        let file = try open(beside, named: path, [.create, .exclusiveCreate], mode: mode)
        do throws(JSONModelError) {
            try file.closing { () throws(JSONModelError) in
                try file.fill(body)
                // The process's file mode mask may have removed permissions.
                if let mode { fchmod(file.descriptor.rawValue, mode.rawValue) }
                try file.synchronize()
            }
            guard rename(beside, target) == 0 else { throw unwritable(Errno(rawValue: errno), path) }
        } catch {
            unlink(beside)
            throw error
        }
    }

    /// Writes the chunks of a closure to standard output.
    static func writeStandardOutput(
        _ body: ((UnsafeRawBufferPointer) throws -> Void) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        try OutputFile(descriptor: .standardOutput, path: "standard output").fill(body)
    }

    /// Resolves the symbolic links at a path, whether or not they lead to a file.
    ///
    /// - Returns: The path of the file to replace; nil if the links lead to a descriptor of the process, such as
    ///   `/dev/stdout`.
    private static func target(of path: String) throws(JSONModelError) -> String? {
        var at = path
        // The same number of links as Linux follows.
        for _ in 0...40 {
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

    private static func open(
        _ file: String, named path: String, _ options: FileDescriptor.OpenOptions, mode: FilePermissions?
    ) throws(JSONModelError) -> OutputFile {
        do {
            let descriptor = try FileDescriptor.open(
                FilePath(file), .writeOnly, options: options,
                permissions: mode ?? [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
            return OutputFile(descriptor: descriptor, path: path)
        } catch {
            throw unwritable(error, path)
        }
    }

    /// Closes the file after `body`.
    private func closing(_ body: () throws(JSONModelError) -> Void) throws(JSONModelError) {
        do throws(JSONModelError) { try body() } catch {
            try? descriptor.close()
            throw error
        }
        // Some file systems report only now that the disk is full.
        do { try descriptor.close() } catch { throw Self.unwritable(error, path) }
    }

    private func fill(
        _ body: ((UnsafeRawBufferPointer) throws -> Void) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        try body { bytes in
            var rest = bytes
            while !rest.isEmpty {
                do {
                    rest = UnsafeRawBufferPointer(rebasing: rest[try descriptor.write(rest)...])
                } catch Errno.resourceTemporarilyUnavailable {
                    DescriptorReadiness.wait(for: descriptor, POLLOUT)
                } catch {
                    throw Self.unwritable(error, path)
                }
            }
        }
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

    private static func unwritable(_ error: any Error, _ path: String) -> JSONModelError {
        let number = error as? Errno
        return JSONModelError(
            .unwritable(errno: number?.rawValue ?? 0, "\(path): \(number?.description ?? "\(error)")"))
    }
}
