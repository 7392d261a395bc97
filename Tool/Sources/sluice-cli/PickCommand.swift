import ArgumentParser
import Foundation
import Sluice
import ToolSupport

/// Prints the value or the elements at a path.
struct PickCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pick",
        abstract: "Prints the value at a path, or each element at a path with a wildcard.",
        discussion: """
            For example: sluice pick version package.json
                         sluice pick 'items[*]' huge.json --only id,owner.login --csv
                         tail -f events.jsonl | sluice pick -r message
            A path without a wildcard, such as a.b or a[0], is that of one value, which is in memory; an array is printed as one \
            value. With a wildcard, such as items[*] or users.*, each element is printed, in constant memory; [*] are the elements of \
            a top-level array, and $ is the whole value. In lines and other framings, the path applies to each value, and null is printed \
            for a value without a part at the path.
            Files that are compressed with gzip or zstd are decompressed.
            With --where, the elements with an equal member are printed. The value is a string or JSON: id=42 accepts 42 and "42", and \
            id='"42"' the string alone. Numbers are equal if their digits are, and a missing member is null.
            The exit status is 0, or 1 if an input is not valid or has no value at the path, or 2 if an input cannot be read. Elements \
            before an error are printed.
            """
    )

    @Argument(help: "The path, such as a.b, a[0], items[*], users.* or $.")
    var path: String

    @OptionGroup var files: FileArguments

    @OptionGroup(title: "Output options") var elements: ElementOptions
    @OptionGroup(title: "Output options") var output: OutputOptions

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "A member and its value in the elements to print, such as type=push; may be repeated, and all must be equal.",
            valueName: "key=value"))
    var conditions: [ElementCondition] = []

    @Option(help: "The maximum number of elements.")
    var limit: Int?

    @Option(help: "The number of elements to leave out before the first.")
    var skip = 0

    @Option(
        help: ArgumentHelp(
            "The part of the file to read, such as 0-4096, or an object that `sluice ranges` prints.",
            valueName: "start-end"))
    var range: InputRange?

    @Flag(help: "In lines, text sequences and events, report and skip values that are invalid or lack the path.")
    var skipErrors = false

    @OptionGroup(title: "Input options") var input: InputOptions

    func validate() throws {
        _ = try parsedPath()
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        if skip < 0 { throw ValidationError("--skip must be 0 or more.") }
        if range != nil, files.names.count != 1 || files.names == [Input.standardInput] {
            throw ValidationError("--range is a part of one file.")
        }
        if !files.areNamed, isatty(0) == 1, FileManager.default.fileExists(atPath: path) {
            throw ValidationError("'\(path)' is a file. Its value is: sluice pick '$' \(path)")
        }
    }

    private func parsedPath() throws -> JSONPath {
        do { return try JSONPath(parsing: path) } catch {
            if let elements = JQPath.elements(ofLast: path) {
                throw ValidationError(
                    "'\(path)': an index is 0 or more. The last element of an array is: sluice pick '\(elements)' | tail -n 1"
                )
            }
            guard let known = JQPath.path(of: path) else { throw ValidationError("\(error)") }
            throw ValidationError("'\(path)' is a path of jq. Here it is '\(known)'.")
        }
    }

    func run() throws {
        let path = try parsedPath()
        let output = try CommandOutput(output.path)
        let decoder = try input.decoder()
        var printer = ElementPrinter(elements, to: output, limits: decoder.limits)
        var number = 0
        var received = 0
        let last = ElementCount.last(limit: limit, skip: skip)
        func receive(_ print: () throws -> Void) throws -> JSONModelDecoder.StreamControl {
            number += 1
            if number > skip, elements.form != .count { try print() }
            return number == last ? .stop : .continue
        }
        for file in files.names where number < last {
            do {
                let use: FramingGuess.Use = input.hasWorkers ? .parts : skipErrors ? .document : .values
                let input = try Input(
                    file, input, for: use, range: range, skipsErrors: skipErrors, to: output)
                received = 0
                if printer.needsValues, conditions.isEmpty {
                    try input.forEach(JSONValue.self, at: path) { value in
                        received += 1
                        return try receive { try printer.print(value) }
                    }
                } else {
                    try input.forEach(JSONRaw.self, at: path) { text in
                        received += 1
                        guard try conditions.allSatisfy({ try $0.accepts(text, with: decoder) }) else {
                            return .continue
                        }
                        return try receive { try printer.print(text) }
                    }
                }
                // An array or object at a wildcard that ends the path exists, and is empty.
                if received == 0, path.components.dropLast().contains(where: \.isWildcard) {
                    Terminal.note("\(file): no value exists at the path \(path)")
                }
            } catch {
                output.flushAtPause()
                try Status.report(error, in: file)
            }
        }
        if elements.form == .count, Status.hasFailed {
            // The number of the elements before an error is not the number of elements.
        } else if elements.form == .count {
            output.buffer.append(contentsOf: "\(max(number - skip, 0))\n".utf8)
        } else {
            printer.finish()
        }
        try output.finish()
        try Status.finish()
    }
}

extension ElementCondition: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
