import Foundation
import Sluice
import SystemPackage
import ToolSupport

/// The kind and the framing of a file before it is read.
struct InputFile {
    let framing: JSONFraming
    /// Whether the framing is a guess from the first bytes.
    private(set) var isGuess = false
    let isRegular: Bool
    /// The open file, if its first bytes were read and cannot be read again.
    private(set) var pipe: OpenPipe?

    /// The length of the pieces in which the first bytes are read.
    fileprivate static let pieceLength = 64 * 1024

    /// - Parameters:
    ///   - framing: The framing that the user selects; nil to find out.
    ///   - use: The way in which the values are read.
    ///   - isStrict: Whether a file whose name is that of JSON has one value.
    ///   - hasRanges: Whether ranges of the file are read.
    /// - Throws: An error if ranges of a pipe are to be read.
    init(
        _ name: String, framing: JSONFraming?, for use: FramingGuess.Use, isStrict: Bool, hasRanges: Bool
    ) throws {
        var status = stat()
        let isStandardInput = name == Input.standardInput
        let exists = (isStandardInput ? fstat(0, &status) : stat(name, &status)) == 0
        isRegular = exists && status.st_mode & S_IFMT == S_IFREG
        if hasRanges, exists, !isRegular {
            let title = isStandardInput ? "standard input" : name
            let reason = "\(title) is not a regular file, of which a range could be read"
            throw JSONModelError(issues: [JSONIssue(kind: .invalidRange(reason))])
        }
        if let known = framing ?? FramingGuess.framing(ofFile: name, isStrict: isStrict) {
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
        isGuess = true
        if isRegular {
            defer { if !isStandardInput { try? descriptor.close() } }
            var offset = isStandardInput ? (try? descriptor.seek(offset: 0, from: .current)) ?? 0 : 0
            self.framing = FramingGuess.framing(for: use) {
                let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { buffer, count in
                    count = (try? descriptor.read(fromAbsoluteOffset: offset, into: .init(buffer))) ?? 0
                }
                offset += Int64(piece.count)
                return piece
            }
        } else {
            let pipe = OpenPipe(descriptor, name: isStandardInput ? "standard input" : name)
            self.framing = FramingGuess.framing(for: use) { pipe.readPiece() }
            self.pipe = pipe
        }
    }
}

/// A pipe or terminal whose first bytes are read before the others.
final class OpenPipe {
    private let descriptor: FileDescriptor
    private let name: String
    /// The bytes that were read to guess the framing.
    private var head: ArraySlice<UInt8> = []
    /// The error that followed these bytes.
    private var failure: (any Error)?
    /// Whether the end followed these bytes. A terminal has more bytes after its end.
    private var hasEnded = false

    init(_ descriptor: FileDescriptor, name: String) { (self.descriptor, self.name) = (descriptor, name) }

    deinit { if descriptor != .standardInput { try? descriptor.close() } }

    /// All bytes, which can be read once.
    var input: JSONReadingInput { JSONReadingInput(named: name, length: nil) { self.next(into:) } }

    /// Reads the next bytes, or those that were read before.
    private func next(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if head.isEmpty, let failure { throw failure }
        if head.isEmpty, hasEnded { return 0 }
        if head.isEmpty { return try read(into: buffer) }
        let part = head.prefix(buffer.count)
        buffer.copyBytes(from: part)
        head = part.count < head.count ? head.dropFirst(part.count) : []
        return part.count
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            do { return try descriptor.read(into: buffer) } catch Errno.resourceTemporarilyUnavailable {
                DescriptorReadiness.wait(for: descriptor, POLLIN)
            }
        }
    }

    /// Reads bytes to guess the framing, and keeps them. The result is empty at the end, or after an error.
    func readPiece() -> [UInt8] {
        let piece = [UInt8](unsafeUninitializedCapacity: InputFile.pieceLength) { buffer, count in
            do { count = try read(into: UnsafeMutableRawBufferPointer(buffer)) } catch { failure = error }
        }
        hasEnded = piece.isEmpty && failure == nil
        head += piece
        return piece
    }
}
