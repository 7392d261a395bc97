import Sluice
import SystemPackage

/// A file named on the command line, or standard input when the name is `-`.
struct Input {
    let name: String
    private let decoder = JSONModelDecoder()

    init(_ name: String) { self.name = name }

    private var isStandardInput: Bool { name == "-" }

    /// Gives the verbatim text of each element at a path to `body`.
    func forEach(at path: String, _ body: (JSONRaw) throws -> JSONStreamControl) throws {
        if isStandardInput {
            try decoder.forEachInStandardInput(JSONRaw.self, at: path, body)
        } else {
            try decoder.forEach(JSONRaw.self, at: path, contentsOf: name, body)
        }
    }

    /// Reads the whole text and makes nothing of it.
    ///
    /// A file takes the memory of an array's longest element at most. Standard input and pipes cannot be looked at
    /// before they are read, and are held.
    func validate() throws {
        switch firstByte {
        case UInt8(ascii: "{"): _ = try decoder.decode(Ignored.self, contentsOf: name)
        case UInt8(ascii: "["): try forEach(at: "[*]") { _ in .continue }
        default:
            if isStandardInput {
                _ = try decoder.decodeStandardInput(JSONRaw.self)
            } else {
                _ = try decoder.decode(JSONRaw.self, contentsOf: name)
            }
        }
    }

    /// The first byte of a file that is no white space; nil where it cannot be told.
    private var firstByte: UInt8? {
        guard !isStandardInput, let file = try? FileDescriptor.open(name, .readOnly) else { return nil }
        defer { try? file.close() }
        // What is read of a pipe is gone.
        guard (try? file.seek(offset: 0, from: .current)) != nil else { return nil }
        var start = [UInt8](repeating: 0, count: 4096)
        guard let count = try? start.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
        return start[..<count].first { !" \t\r\n".utf8.contains($0) }
    }
}

/// A model of no keys: every member of its object is checked and passed over.
private struct Ignored: JSONModel {
    static let plan = ModelPlan<Ignored>()
}
