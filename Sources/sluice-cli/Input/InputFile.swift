import Foundation
import Sluice
import SystemPackage
import ToolSupport

/// The kind and the framing of a file before it is read.
struct InputFile {
    let framing: JSONFraming
    let isRegular: Bool
    /// The open file, if its first bytes were read and cannot be read again.
    private(set) var pipe: PipeInput?

    private static let headLength = 256 * 1024

    /// - Parameter framing: The framing that the user selects; nil to find out.
    init(_ name: String, framing: JSONFraming?) throws {
        var status = stat()
        let isStandardInput = name == Input.standardInput
        let exists = (isStandardInput ? fstat(0, &status) : stat(name, &status)) == 0
        isRegular = exists && status.st_mode & S_IFMT == S_IFREG
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
            let pipe = PipeInput(descriptor, name: isStandardInput ? "standard input" : name)
            self.framing = pipe.guessFraming()
            self.pipe = pipe
        }
    }
}

/// A pipe or terminal that is read once, in chunks as they arrive.
final class PipeInput: Sequence, IteratorProtocol {
    private let descriptor: FileDescriptor
    private let name: String
    /// The bytes that were read to guess the framing.
    private var head: [UInt8] = []
    private var byteCount = 0
    private var failure: JSONModelError?

    private static let chunkLength = 64 * 1024

    init(_ descriptor: FileDescriptor, name: String) { (self.descriptor, self.name) = (descriptor, name) }

    deinit { if descriptor != .standardInput { try? descriptor.close() } }

    /// Returns the next chunk. An error of reading ends the chunks.
    func next() -> [UInt8]? {
        if !head.isEmpty {
            defer { head = [] }
            return head
        }
        let chunk = read()
        return chunk.isEmpty ? nil : chunk
    }

    /// Throws the error that has ended the chunks.
    func checkEnd() throws { if let failure { throw failure } }

    private func read() -> [UInt8] {
        var error: Errno?
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkLength) { buffer, count in
            do { count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer)) } catch let failure {
                error = failure as? Errno
            }
        }
        if let error {
            let kind = JSONIssue.Kind.unreadable(errno: error.rawValue, "\(name): \(error.description)")
            failure = JSONModelError(issues: [
                JSONIssue(kind: kind, location: JSONLocation(offset: byteCount, line: 1, column: 1))
            ])
        }
        byteCount += chunk.count
        return chunk
    }

    /// Reads the first bytes: until the framing is known, or as many as a chunk has.
    func guessFraming() -> JSONFraming {
        while true {
            let guess = FramingGuess(head)
            switch guess {
            case .framing(let framing): return framing
            // What a program sends line by line has the next value later.
            case .oneValue where !hasMore(): return .lines
            default: break
            }
            let chunk = head.count < Self.chunkLength ? read() : []
            if chunk.isEmpty { return guess.framingAtEnd }
            head += chunk
        }
    }

    /// Waits a short time for the next bytes, or for the end.
    private func hasMore() -> Bool {
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 100) > 0
    }
}
