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

/// Interrupts a thread that waits until a file can be read.
///
/// The signal is a byte in a separate pipe, so that the bytes of the file remain for its next reader.
package final class ReadInterruption: Sendable {
    private let readEnd: FileDescriptor
    private let writeEnd: FileDescriptor

    package init() throws(Errno) {
        do { (readEnd, writeEnd) = try FileDescriptor.pipe() } catch { throw error as? Errno ?? .ioError }
        for end in [readEnd, writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        try? readEnd.close()
        try? writeEnd.close()
    }

    /// Ends the wait of the thread, and all later waits.
    package func interrupt() {
        withUnsafeBytes(of: UInt8(0)) { byte in _ = try? writeEnd.write(byte) }
    }

    /// Waits until a file has bytes, its end or an error.
    ///
    /// - Throws: `Errno.canceled` after an interruption.
    func wait(for file: FileDescriptor) throws(Errno) {
        var requests = (
            pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: readEnd.rawValue, events: Int16(POLLIN), revents: 0)
        )
        var count: CInt
        repeat {
            count = withUnsafeMutableBytes(of: &requests) {
                poll($0.bindMemory(to: pollfd.self).baseAddress, 2, -1)
            }
        } while count < 0 && errno == EINTR
        // A failure of `poll` is left to the read, which returns the error of the file.
        if count > 0, requests.1.revents != 0 { throw .canceled }
    }
}
