import ArgumentParser
import Sluice

/// Prints the canonical form of files.
struct CanonicalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "canonical",
        abstract: "Prints JSON in the canonical form of RFC 8785.",
        discussion: """
            For example: sluice canonical document.json | sha256sum
            Equal values have equal bytes: keys are sorted, numbers are printed as ECMAScript does, and no byte follows the value. \
            In lines and other framings, each value is printed on a line. A value is in memory as a whole.
            The exit status is 0, or 1 if an input is not valid, or 2 if an input cannot be read. A number that a double does not hold, \
            and a duplicate key, are not valid.
            """
    )

    @Argument(help: "The file; - is standard input, which is also read without a file.", completion: .file())
    var file = Input.standardInput

    @OptionGroup(title: "Output options") var output: OutputOptions
    @OptionGroup(title: "Input options") var input: InputOptions

    func run() throws {
        let output = try CommandOutput(output.path)
        do {
            let input = try Input(file, input, for: .values, to: output)
            var count = 0
            try input.forEachPositioned { value, start in
                let bytes = try value.canonicalBytes(at: start)
                // No byte follows the only value of a document.
                if count > 0 { output.buffer.append(UInt8(ascii: "\n")) }
                count += 1
                output.buffer.append(contentsOf: bytes)
                try output.flushIfLong()
            }
            let isDocument = input.framing == .document || input.isGuess && count == 1
            if !isDocument, count > 0 { output.buffer.append(UInt8(ascii: "\n")) }
        } catch {
            output.flushAtPause()
            try Status.report(error, in: file)
        }
        try output.finish()
        try Status.finish()
    }
}
