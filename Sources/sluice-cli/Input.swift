import Sluice

/// A file named on the command line, or standard input when the name is `-`.
struct Input {
    let name: String
    private let decoder = JSONModelDecoder()

    init(_ name: String) { self.name = name }

    private var isStandardInput: Bool { name == "-" }

    /// Gives the verbatim text of each element at a path to `body`.
    func forEach(at path: JSONPath, _ body: (JSONRaw) throws -> JSONStreamControl) throws {
        if isStandardInput {
            try decoder.forEach(JSONRaw.self, in: .standardInput, at: path, body)
        } else {
            try decoder.forEach(JSONRaw.self, in: .file(name), at: path, body)
        }
    }

    /// Reads the whole text and makes nothing of it.
    func validate() throws {
        if isStandardInput {
            try decoder.validate(.standardInput)
        } else {
            try decoder.validate(.file(name))
        }
    }
}
