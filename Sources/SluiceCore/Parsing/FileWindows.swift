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

/// A file that is read in windows, each larger than the token that it cuts.
///
/// The windows of a regular file are full. Those of a pipe, a socket or a terminal hold one read each, so that an element
/// arrives when its bytes do.
struct FileWindows {
    private let descriptor: FileDescriptor
    private let name: String
    private let isRegular: Bool

    private init(_ descriptor: FileDescriptor, name: String) {
        self.descriptor = descriptor
        self.name = name
        var status = stat()
        isRegular = fstat(descriptor.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    static var standardInput: FileWindows { FileWindows(.standardInput, name: "standard input") }

    /// Opens a file for the time of `body`.
    static func read<R>(_ path: String, _ body: (FileWindows) throws(JSONModelError) -> R) throws(JSONModelError)
        -> R
    {
        try FilePathCheck.refuseNUL(path)
        let descriptor: FileDescriptor
        do { descriptor = try FileDescriptor.open(FilePath(path), .readOnly) } catch {
            throw unreadable(error, path, offset: 0)
        }
        defer { try? descriptor.close() }
        return try body(FileWindows(descriptor, name: path))
    }

    /// Gives the whole file to `source`, or as much as it wants.
    func feed<Source: TokenSource & ~Copyable>(_ source: inout Source) throws(JSONModelError) {
        do { try feedAll(&source) } catch {
            // Of what is no file, the rest may be long in coming: the excerpt ends with the byte at fault, whatever has come.
            guard isRegular else { throw source.refusal?.shortError ?? error }
            throw source.completed(error) { next(Excerpt.reach + 2) }
        }
    }

    /// The next bytes, up to a number of them, or nil.
    private func next(_ count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled =
                (try? descriptor.read(into: UnsafeMutableRawBufferPointer(buffer), retryOnInterrupt: true)) ?? 0
        }
        return bytes.isEmpty ? nil : bytes
    }

    private func feedAll<Source: TokenSource & ~Copyable>(_ source: inout Source) throws(JSONModelError) {
        let smallest = 65_536
        var window = UnsafeMutableRawBufferPointer.allocate(byteCount: smallest, alignment: 64)
        defer { window.deallocate() }
        while !source.isStopped {
            // A token that stays open is lexed again in each window: doubling keeps that linear.
            let wanted = max(smallest, source.openLength)
            if wanted > window.count || wanted * 4 < window.count {
                window.deallocate()
                window = .allocate(byteCount: max(smallest, wanted), alignment: 64)
            }
            let filled = try fill(window, at: source.offset)
            if filled == 0 { break }
            let bytes = UnsafeRawBufferPointer(rebasing: window[..<filled])
            try source.feed(bytes.assumingMemoryBound(to: UInt8.self))
        }
        try source.finish()
    }

    /// Reads into the window: as much as it holds of a regular file, otherwise as much as one read gives.
    ///
    /// - Returns: 0 at the end.
    private func fill(_ window: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONModelError) -> Int {
        var filled = 0
        while filled < window.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: window[filled...])
            do {
                let count = try descriptor.read(into: rest, retryOnInterrupt: true)
                filled += count
                if count == 0 || !isRegular { break }
            } catch Errno.resourceTemporarilyUnavailable {
                Readiness.wait(for: descriptor, POLLIN)
            } catch {
                // What was read before is good, and is given first: the error comes back at the next read.
                if filled > 0 { break }
                throw Self.unreadable(error, name, offset: offset)
            }
        }
        return filled
    }

    private static func unreadable(_ error: any Error, _ name: String, offset: Int) -> JSONModelError {
        let number = error as? Errno
        return JSONModelError(
            .unreadable(errno: number?.rawValue ?? 0, "\(name): \(number?.description ?? "\(error)")"),
            offset: offset)
    }
}

/// Waiting for a descriptor that does not block.
enum Readiness {
    /// Waits until a descriptor is ready, or has an error that the next call on it returns.
    static func wait(for descriptor: FileDescriptor, _ events: some BinaryInteger) {
        var request = pollfd(fd: descriptor.rawValue, events: Int16(events), revents: 0)
        _ = poll(&request, 1, -1)
    }
}

/// Paths of files, before the system gets them.
enum FilePathCheck {
    /// Refuses a path with a NUL character, which the system would take for the path's end.
    static func refuseNUL(_ path: String) throws(JSONModelError) {
        guard path.utf8.contains(0) else { return }
        let shown = path.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\\0")
        throw JSONModelError(.invalidPath("the path of a file cannot hold a NUL character: \"\(shown)\""))
    }
}
