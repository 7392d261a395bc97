import Sluice

/// A file from the command line, or standard input if the name is `-`.
struct Input {
    let name: String
    private let decoder = JSONModelDecoder()

    init(_ name: String) { self.name = name }

    private var isStandardInput: Bool { name == "-" }

    /// Calls a closure with the bytes of each element at a path.
    func forEach(at path: JSONPath, _ body: (JSONRaw) throws -> JSONStreamControl) throws {
        if isStandardInput {
            try decoder.forEach(JSONRaw.self, in: .standardInput, at: path, body)
        } else {
            try decoder.forEach(JSONRaw.self, in: .file(name), at: path, body)
        }
    }

    /// Checks whether the input is valid JSON.
    func validate() throws {
        if isStandardInput {
            try decoder.validate(.standardInput)
        } else {
            try decoder.validate(.file(name))
        }
    }
}
