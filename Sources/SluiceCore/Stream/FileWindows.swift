import SystemPackage

/// A file that is read in windows, each larger than the token that it cuts.
struct FileWindows {
    private let descriptor: FileDescriptor
    private let name: String

    static var standardInput: FileWindows { FileWindows(descriptor: .standardInput, name: "standard input") }

    /// Opens a file for the time of `body`.
    static func read<R>(_ path: String, _ body: (FileWindows) throws(JSONModelError) -> R) throws(JSONModelError)
        -> R
    {
        let descriptor: FileDescriptor
        do { descriptor = try FileDescriptor.open(FilePath(path), .readOnly) } catch {
            throw unreadable(error, path, offset: 0)
        }
        defer { try? descriptor.close() }
        return try body(FileWindows(descriptor: descriptor, name: path))
    }

    /// Gives the whole file to `source`, or as much as it wants.
    func feed<Source: TokenSource & ~Copyable>(_ source: inout Source) throws(JSONModelError) {
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

    /// Reads until the window is full or the file ends, so that pipes fill it too.
    private func fill(_ window: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONModelError) -> Int {
        var filled = 0
        while filled < window.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: window[filled...])
            do {
                let count = try descriptor.read(into: rest, retryOnInterrupt: true)
                if count == 0 { break }
                filled += count
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
