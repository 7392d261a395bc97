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

/// A file that is written beside the one that it replaces, and takes its place when it is complete.
///
/// Of a symbolic link, the target is replaced. What is no regular file (a pipe, a device, a terminal) is written to as it is.
struct OutputFile {
    private let descriptor: FileDescriptor
    private let path: String

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
                // The process's mask has taken from them.
                if let mode { fchmod(file.descriptor.rawValue, mode.rawValue) }
                try file.synchronize()
            }
            guard rename(beside, target) == 0 else { throw unwritable(Errno(rawValue: errno), path) }
        } catch {
            unlink(beside)
            throw error
        }
    }

    static func writeStandardOutput(
        _ body: ((UnsafeRawBufferPointer) throws -> Void) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        try OutputFile(descriptor: .standardOutput, path: "standard output").fill(body)
    }

    /// Resolves the symbolic links at a path, whether they lead to a file or not.
    ///
    /// - Returns: the path of the file that is replaced; nil if they lead to a descriptor of the process, as `/dev/stdout`
    ///   does.
    private static func target(of path: String) throws(JSONModelError) -> String? {
        var at = path
        // As many as Linux follows.
        for _ in 0...40 {
            if isDescriptor(at) { return nil }
            guard let link = try readLink(at) else { return at }
            // An absolute target takes the place of the whole path.
            at = FilePath(at).removingLastComponent().pushing(FilePath(link)).string
        }
        throw unwritable(Errno.tooManySymbolicLinkLevels, path)
    }

    /// Whether a path names a descriptor of the process. Such a link need not have the form of a path.
    private static func isDescriptor(_ path: String) -> Bool {
        let path = FilePath(path).lexicallyNormalized().string
        return path == "/dev/stdout" || path == "/dev/stderr" || path.hasPrefix("/dev/fd/")
            || path.hasPrefix("/proc/")
    }

    /// The target of a symbolic link; nil if the path has no link.
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

    /// A new name in the folder of a file. The file's own name is no part of it, and may be as long as names can be.
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
        // Some file systems tell only now that there is no room.
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
                    Readiness.wait(for: descriptor, POLLOUT)
                } catch {
                    throw Self.unwritable(error, path)
                }
            }
        }
    }

    /// Writes the file to its medium, so that a machine that stops after the renaming does not leave half of it.
    private func synchronize() throws(JSONModelError) {
        while fsync(descriptor.rawValue) != 0 {
            let error = Errno(rawValue: errno)
            // Not every file system can.
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
