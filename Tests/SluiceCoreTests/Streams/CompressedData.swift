import Foundation
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

extension JSONCompression {
    /// The formats that this build can read and write.
    static var available: [JSONCompression] { allCases.filter(\.isAvailable) }

    /// Returns compressed bytes, in one member.
    func compress(_ bytes: [UInt8]) throws -> [UInt8] {
        var compressed: [UInt8] = []
        try bytes.withUnsafeBytes { bytes in
            try OutputCompression(format: self, level: nil).compressor().compress(bytes, .finish) {
                compressed += $0
            }
        }
        return compressed
    }

    func compress(_ text: String) throws -> [UInt8] { try compress(Array(text.utf8)) }

    /// Returns bytes that are compressed in several members, with what may stand between or after them.
    func compressInMembers(_ bytes: [UInt8], of size: Int) throws -> [UInt8] {
        var compressed: [UInt8] = []
        for piece in bytes.pieces(of: size) {
            if self == .zstd { compressed += [0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3] }
            compressed += try compress(piece) + compress([UInt8]())
        }
        return compressed + (self == .gzip ? [0, 0, 0] : [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0])
    }
}

/// Runs a program of the system with standard input.
///
/// - Returns: Standard output, or nil if the program is not installed or failed.
func output(of program: String, _ arguments: [String], input: [UInt8]) throws -> [UInt8]? {
    guard
        let path = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map({ (folder: String) -> String in
            "\(folder)/\(program)"
        }).first(where: { FileManager.default.isExecutableFile(atPath: $0) })
    else { return nil }
    return try withFile(holding: input) { file in
        // `Process` leaks memory on Linux, which the leak sanitizer reports.
        let command = ([path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        guard let pipe = popen("\(command) < '\(file)'", "r") else { return nil }
        let result = pipe.readToEnd()
        return pclose(pipe) == 0 ? result : nil
    }
}
