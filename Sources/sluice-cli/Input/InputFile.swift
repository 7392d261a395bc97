import Foundation
import Sluice
import SystemPackage
import ToolSupport

/// The kind and the framing of a file before it is read.
struct InputFile {
    let framing: JSONFraming
    let isRegular: Bool
    /// The open file, if its first bytes were read and cannot be read again.
    private(set) var pipe: OpenPipe?

    private static let headLength = 256 * 1024

    /// - Parameters:
    ///   - framing: The framing that the user selects; nil to find out.
    ///   - hasRanges: Whether ranges of the file are read.
    /// - Throws: An error if ranges of a pipe are to be read.
    init(_ name: String, framing: JSONFraming?, hasRanges: Bool) throws {
        var status = stat()
        let isStandardInput = name == Input.standardInput
        let exists = (isStandardInput ? fstat(0, &status) : stat(name, &status)) == 0
        isRegular = exists && status.st_mode & S_IFMT == S_IFREG
        if hasRanges, exists, !isRegular {
            let title = isStandardInput ? "standard input" : name
            let reason = "\(title) is not a regular file, of which a range could be read"
            throw JSONModelError(issues: [JSONIssue(kind: .invalidRange(reason))])
        }
        if let known = framing ?? FramingGuess.framing(ofFile: name) {
            self.framing = known
            return
        }
        guard exists, status.st_mode & S_IFMT != S_IFDIR else {
            // Reading the file is an error that names the file.
            self.framing = .document
            return
        }
        let descriptor: FileDescriptor
        do {
            descriptor =
                try isStandardInput ? .standardInput : .open(FilePath(name), .readOnly, options: .closeOnExec)
        } catch {
            self.framing = .document
            return
        }
        if isRegular {
            defer { if !isStandardInput { try? descriptor.close() } }
            let start = isStandardInput ? (try? descriptor.seek(offset: 0, from: .current)) ?? 0 : 0
            let head = [UInt8](unsafeUninitializedCapacity: Self.headLength) { buffer, count in
                count = (try? descriptor.read(fromAbsoluteOffset: start, into: .init(buffer))) ?? 0
            }
            self.framing = FramingGuess(head).framingAtEnd
        } else {
            let pipe = OpenPipe(descriptor, name: isStandardInput ? "standard input" : name)
            self.framing = pipe.guessFraming()
            self.pipe = pipe
        }
    }
}

/// A pipe or terminal whose first bytes are read before the others.
final class OpenPipe {
    private let descriptor: FileDescriptor
    private let name: String
    /// The bytes that were read to guess the framing.
    private var head: [UInt8] = []
    /// The error that followed these bytes.
    private var failure: (any Error)?
    /// Whether the end followed these bytes. A terminal has more bytes after its end.
    private var hasEnded = false

    private static let headLength = 64 * 1024

    init(_ descriptor: FileDescriptor, name: String) { (self.descriptor, self.name) = (descriptor, name) }

    deinit { if descriptor != .standardInput { try? descriptor.close() } }

    /// All bytes, which can be read once.
    var input: JSONReadingInput { JSONReadingInput(named: name, length: nil) { self.next(into:) } }

    /// Reads the next bytes, or those that were read before.
    private func next(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if head.isEmpty, let failure { throw failure }
        if head.isEmpty, hasEnded { return 0 }
        if head.isEmpty { return try read(into: buffer) }
        let count = min(buffer.count, head.count)
        buffer.copyBytes(from: head[..<count])
        head.removeFirst(count)
        return count
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            do { return try descriptor.read(into: buffer) } catch Errno.resourceTemporarilyUnavailable {
                DescriptorReadiness.wait(for: descriptor, POLLIN)
            }
        }
    }

    /// Reads the first bytes: until the framing is known, or as many as a window has.
    func guessFraming() -> JSONFraming {
        while true {
            let guess = FramingGuess(head)
            switch guess {
            case .framing(let framing): return framing
            // What a program sends line by line has the next value later.
            case .oneValue where !hasMore(): return .lines
            // The values of lines have no line breaks.
            case .oneValueOfLines where !hasMore(): return .document
            default: break
            }
            let chunk = [UInt8](unsafeUninitializedCapacity: Self.headLength - head.count) { buffer, count in
                guard !buffer.isEmpty else { return }
                do { count = try read(into: UnsafeMutableRawBufferPointer(buffer)) } catch { failure = error }
            }
            if chunk.isEmpty {
                hasEnded = head.count < Self.headLength && failure == nil
                return guess.framingAtEnd
            }
            head += chunk
        }
    }

    /// Waits a short time for the next bytes, or for the end.
    private func hasMore() -> Bool {
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 100) > 0
    }
}
