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
/// What is no plain file (a pipe, a device, a link) is written to as it is.
struct OutputFile {
    private let descriptor: FileDescriptor
    private let path: String

    static func replace(
        _ path: String,
        _ body: ((UnsafeRawBufferPointer) throws -> Void) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        var status = stat()
        let exists = lstat(path, &status) == 0
        let isPlain = exists && status.st_mode & S_IFMT == S_IFREG
        if exists, !isPlain {
            let file = try open(path, named: path, [.truncate], mode: nil)
            try file.fill(body)
            return
        }
        let mode = isPlain ? FilePermissions(rawValue: CModeT(status.st_mode) & 0o777) : nil
        let beside = "\(path).\(UInt32.random(in: 0...UInt32.max)).tmp"
        let file = try open(beside, named: path, [.create, .exclusiveCreate], mode: mode)
        do throws(JSONModelError) {
            try file.fill(body)
            guard rename(beside, path) == 0 else { throw unwritable(Errno(rawValue: errno), path) }
        } catch {
            unlink(beside)
            throw error
        }
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

    private func fill(
        _ body: ((UnsafeRawBufferPointer) throws -> Void) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        var isOpen = true
        defer { if isOpen { try? descriptor.close() } }
        try body { bytes in
            do { try descriptor.writeAll(bytes) } catch { throw Self.unwritable(error, path) }
        }
        // Some file systems tell only now that there is no room.
        isOpen = false
        do { try descriptor.close() } catch { throw Self.unwritable(error, path) }
    }

    private static func unwritable(_ error: any Error, _ path: String) -> JSONModelError {
        let number = error as? Errno
        return JSONModelError(
            .unwritable(errno: number?.rawValue ?? 0, "\(path): \(number?.description ?? "\(error)")"))
    }
}
