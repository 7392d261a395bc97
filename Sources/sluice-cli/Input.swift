import Sluice

/// A file named on the command line, or standard input when the name is `-`.
struct Input {
    let name: String
    private let decoder = JSONModelDecoder()

    init(_ name: String) { self.name = name }

    func forEach(
        _ type: JSONRaw.Type, at path: String, _ body: (JSONRaw) throws -> JSONStreamControl
    ) throws {
        try decoder.forEach(type, at: path, contentsOf: name, body)
    }

    /// Reads the whole text and makes nothing of it.
    func validate() throws {
        _ = try decoder.decode(JSONRaw.self, contentsOf: name)
    }
}
