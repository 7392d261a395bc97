import Foundation
import SystemPackage

/// A file that is written under another name, and receives its name when it is complete.
///
/// An interrupted run leaves no file that appears complete, and a command may write the file that it reads. Only a regular file is
/// replaced: bytes are written directly to a device, a pipe or the target of a link.
package final class OutputFile {
    private let path: String
    private let target: String
    private let file: FileDescriptor
    private var isOpen = true

    /// - Throws: `Errno`
    package init(_ path: String) throws {
        var status = stat()
        let exists = lstat(path, &status) == 0
        let isReplaced = !exists || status.st_mode & S_IFMT == S_IFREG
        (self.path, target) = (path, isReplaced ? path + ".partial" : path)
        file = try FileDescriptor.open(
            FilePath(target), .writeOnly, options: [.create, .truncate],
            permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite])
        // A replaced file keeps its permissions.
        if exists, isReplaced { fchmod(file.rawValue, status.st_mode & 0o777) }
    }

    deinit { discard() }

    /// - Throws: `Errno`
    package func write(_ bytes: some Sequence<UInt8>) throws { _ = try file.writeAll(bytes) }

    /// Gives the file its name.
    ///
    /// - Throws: `Errno`
    package func finish() throws {
        guard isOpen else { return }
        isOpen = false
        do {
            try file.close()
            if target != path, rename(target, path) != 0 { throw Errno(rawValue: errno) }
        } catch {
            if target != path { unlink(target) }
            throw error
        }
    }

    /// Removes the incomplete file.
    package func discard() {
        guard isOpen else { return }
        isOpen = false
        try? file.close()
        if target != path { unlink(target) }
    }
}
