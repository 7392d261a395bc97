import ArgumentParser
import Sluice

/// Prints the canonical form of files.
struct CanonicalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "canonical",
        abstract: "Prints JSON in the canonical form of RFC 8785.",
        discussion: """
            For example: sluice canonical document.json | sha256sum
            Equal values have equal bytes: keys are sorted, numbers are printed as ECMAScript does, and no byte follows the value.
            With --framing, each value is printed on a line. A value is in memory as a whole.
            The exit status is 0, or 1 if an input is not valid, or 2 if an input cannot be read. A number that a double does not hold,
            and a duplicate key, are not valid.
            """
    )

    @Argument(help: "The file; - is standard input.")
    var file: String

    @OptionGroup var options: InputOptions

    func run() throws {
        let isDocument = options.framing == .document
        var status = Status()
        var document: [UInt8]?
        do {
            // A document is the only one of concatenated values, so that its position is known.
            let input = Input(file, options.sourceOptions.source, isDocument ? .concatenated : options.framing)
            try input.forEach(JSONPositioned<JSONRaw>.self, at: JSONPath()) { value in
                let start = value.position.start
                if document != nil {
                    throw JSONModelError(issues: [JSONIssue(kind: .trailingContent, location: start)])
                }
                let bytes = try value.value.canonicalBytes(at: start)
                if isDocument { document = bytes } else { try StandardOutput.write(bytes + [UInt8(ascii: "\n")]) }
                return .continue
            }
            if isDocument {
                guard let document else {
                    throw JSONModelError(issues: [
                        JSONIssue(kind: .emptyInput, location: JSONLocation(line: 1, column: 1))
                    ])
                }
                try StandardOutput.write(document)
            }
        } catch {
            status.add(error, in: file)
        }
        try status.finish()
    }
}
