import ArgumentParser
import Foundation
import ModelInference
import Sluice

/// Infers models from files.
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Writes Swift models of JSON files, in one pass and constant memory.",
        discussion: """
            For example: sluice model repositories.json --at 'items[*]' --name Repository > Repository.swift
                         sluice model --framing lines events.jsonl --output Event.swift
            The models decode all values of the files, and encode equal values. A comment in the source shows the calls.
            Keys that are missing or null, dates, UUIDs, URLs, enums, unions with a tag, and dictionaries are inferred.
            """
    )

    enum Access: String, ExpressibleByArgument, CaseIterable {
        case `public`, package, `internal`, `fileprivate`
    }

    @Argument(help: "The files, whose values have the same models; - is standard input.")
    var files: [String]

    @OptionGroup var options: InputOptions

    @Option(
        help:
            "The path of the values whose model is inferred, such as items[*]; the default is the root of each value."
    )
    var at: String?

    @Option(help: "The name of the model; the default is made from the name of the first file.")
    var name: String?

    @Option(help: "The access level of the models.")
    var access: Access?

    @Option(
        help: ArgumentHelp(
            "The protocols of the models, such as 'Hashable, Sendable'; none for no protocols.",
            valueName: "protocols"))
    var conform = "Sendable"

    @Option(help: "The key strategy of the models.")
    var keys = InferenceOptions.Keys.automatic

    @Option(help: "The null strategy of the encoder that reproduces the values.")
    var nulls = InferenceOptions.Nulls.automatic

    @Option(help: "A key that may be the tag of a union, before type, kind and others. May be repeated.")
    var tag: [String] = []

    @Flag(inversion: .prefixedNo, help: "Make dates of text in ISO 8601, if the text can be reproduced.")
    var dates = true

    @Flag(inversion: .prefixedNo, help: "Make UUIDs of text in uppercase.")
    var uuids = true

    @Flag(inversion: .prefixedNo, help: "Make URLs of absolute URLs.")
    var urls = true

    @Flag(inversion: .prefixedNo, help: "Make enums of few strings that repeat.")
    var enums = true

    @Flag(inversion: .prefixedNo, help: "Make unions of objects whose keys depend on a tag.")
    var unions = true

    @Flag(inversion: .prefixedNo, help: "Make dictionaries of objects whose keys are data.")
    var dictionaries = true

    @Option(name: [.short, .long], help: ArgumentHelp("The output file; - is standard output.", valueName: "file"))
    var output = "-"

    func validate() throws {
        do { _ = try at.map { try JSONPath(parsing: $0) } } catch { throw ValidationError("\(error)") }
        if let name, !ModelName.isValid(name) { throw ValidationError("\(name) is not the name of a type.") }
    }

    func run() throws {
        let path = try at.map { try JSONPath(parsing: $0) } ?? JSONPath()
        let observer = ModelObserver(inferenceOptions(path))
        var status = Status()
        for file in files {
            do {
                try Input(file, options).observe(by: observer)
            } catch {
                status.add(error, in: file)
            }
        }
        try status.finish()
        guard observer.hasValues else {
            let names = files.joined(separator: ", ")
            if path.components.isEmpty {
                status.add(JSONModelError(issues: [JSONIssue(kind: .emptyInput)]), in: names)
                try status.finish()
            }
            Terminal.note("\(names): no value at \(path)")
            throw Status.invalid
        }
        for note in observer.notes { Terminal.note("\(files.joined(separator: ", ")): \(note)") }
        let selectsSeveral = path.components.contains { $0 == .anyIndex || $0 == .anyKey }
        let isElement = selectsSeveral || observer.hasOnlyArrays
        let models = InferredModels(
            observer, name: name ?? ModelName.name(ofFile: files[0], isElement: isElement))
        let source = models.source(
            of: files.map(inputName).joined(separator: ", "), decodedBy: call(models.rootType))
        if output == "-" {
            try StandardOutput.write(source.utf8)
            return
        }
        do { try Data(source.utf8).write(to: URL(fileURLWithPath: output)) } catch {
            Terminal.note("\(output): \(error.localizedDescription)")
            throw Status.failure
        }
    }

    private func inferenceOptions(_ path: JSONPath) -> InferenceOptions {
        var options = InferenceOptions()
        options.path = path
        options.access = access?.rawValue ?? ""
        options.conformances =
            conform == "none" ? [] : conform.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        (options.keys, options.nulls) = (keys, nulls)
        options.tags.insert(contentsOf: tag, at: 0)
        (options.infersDates, options.infersUUIDs, options.infersURLs) = (dates, uuids, urls)
        (options.infersEnums, options.infersUnions, options.infersDictionaries) = (enums, unions, dictionaries)
        return options
    }

    private func inputName(_ file: String) -> String {
        file == "-" ? "standard input" : URL(fileURLWithPath: file).lastPathComponent
    }

    /// The call that decodes the first file, in a comment.
    private func call(_ type: String) -> String {
        let input = files[0] == "-" ? ".standardInput" : ".file(\"\(inputName(files[0]))\")"
        if options.framing == .document, at?.contains("*") != true {
            let path = at.map { ", at: \"\($0)\"" } ?? ""
            return "let value = try JSONModelDecoder().decode(\(type).self, from: \(input)\(path))"
        }
        let path = at.map { ", at: \"\($0)\"" } ?? ""
        let framing = options.framing == .document ? "" : ", framing: .\(options.framing)"
        return "try JSONModelDecoder().forEach(\(type).self, in: \(input)\(path)\(framing)) { value in … }"
    }
}

extension InferenceOptions.Keys: ExpressibleByArgument {}
extension InferenceOptions.Nulls: ExpressibleByArgument {}
