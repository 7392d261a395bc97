import ArgumentParser
import Foundation
import ModelInference
import Sluice
import ToolSupport

/// Infers models from files.
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Writes Swift models of JSON files, in one pass and constant memory.",
        discussion: """
            For example: sluice model repositories.json --at 'items[*]' --name Repository > Repository.swift
                         sluice model --for decoding events.jsonl --output Event.swift
                         sluice model --schema order.schema.json
            The models decode all values of the files, and encode equal values. A comment in the source shows the calls.
            With --for decoding, the models have the types that a programmer writes.
            Keys that are missing or null, dates, UUIDs, URLs, enums, unions with a tag, and dictionaries are inferred.
            """
    )

    enum Access: String, ExpressibleByArgument, CaseIterable {
        case `public`, package, `internal`, `fileprivate`
    }

    @OptionGroup var fileArguments: FileArguments

    @Option(
        help:
            "The path of the values whose model is inferred, such as items[*]; the default is the root of each value."
    )
    var at: PathArgument?

    @Option(help: "The name of the model; the default is made from the name of the first file.")
    var name: String?

    @Option(
        name: .customLong("for"),
        help:
            "The use of the models: exact encodes equal values; decoding has optionals, any date in ISO 8601 and any UUID."
    )
    var purpose = InferenceOptions.Purpose.exact

    @Flag(help: "Write the models that a JSON Schema describes. The file is the schema.")
    var schema = false

    @Option(help: "The beginning of the names of all types.")
    var prefix = ""

    @Option(help: ArgumentHelp("The path of an object whose keys are data. May be repeated.", valueName: "path"))
    var dictionary: [PathArgument] = []

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

    @OptionGroup(title: "Output options") var outputOptions: OutputOptions
    @OptionGroup(title: "Input options") var input: InputOptions

    func validate() throws {
        if schema, fileArguments.names.count > 1 { throw ValidationError("--schema reads one file.") }
        if schema, at?.path.selectsSeveral == true {
            throw ValidationError("--schema reads one schema, whose path has no wildcard.")
        }
        // No name is the prefix alone, so that the prefix may be the name of a type.
        if !prefix.isEmpty, !ModelName.isValid(prefix + "1") {
            throw ValidationError("\(prefix) is not the beginning of a type's name.")
        }
        if let name, !ModelName.isValid(prefix + name) {
            throw ValidationError("\(prefix)\(name) is not the name of a type.")
        }
    }

    func run() throws {
        let path = at?.path ?? JSONPath()
        let files = fileArguments.names
        if schema { return try writeModels(ofSchema: files[0], at: path) }
        let observer = ModelObserver(inferenceOptions(path))
        var framing = JSONFraming.document
        for file in files {
            do {
                let input = try Input(file, input, for: .document)
                if file == files[0] { framing = input.framing }
                try input.observe(by: observer)
            } catch {
                try Status.report(error, in: file)
            }
        }
        try Status.finish()
        let names = files.joined(separator: ", ")
        guard observer.hasValues else {
            if path.components.isEmpty {
                Status.add(JSONModelError(issues: [JSONIssue(kind: .emptyInput)]), in: names)
                try Status.finish()
            }
            Terminal.note("\(names): no value at \(path)")
            throw Status.invalid
        }
        for note in observer.notes { Terminal.note("\(names): \(note)") }
        let isElement = path.selectsSeveral || observer.hasOnlyArrays
        let models = InferredModels(
            observer, name: name ?? ModelName.name(ofFile: files[0], isElement: isElement))
        let source = models.source(
            of: files.map(inputName).joined(separator: ", "),
            decodedBy: call(models.rootType, inputName(files[0]), framing))
        try write(source)
    }

    private func writeModels(ofSchema file: String, at path: JSONPath) throws {
        var document: JSONValue?
        var schema: JSONValue?
        do {
            // References lead to any part of the document.
            try Input(file, input, for: .document).forEach(JSONValue.self, at: JSONPath()) { value in
                document = value
                return .stop
            }
            guard let whole = document else { throw JSONModelError(issues: [JSONIssue(kind: .emptyInput)]) }
            schema = try input.decoder().decode(JSONValue.self, from: whole, at: path)
        } catch {
            try Status.report(error, in: file)
        }
        try Status.finish()
        let title = schema?["title"]?.string.flatMap { ModelName.isValid($0) ? $0 : nil }
        let models = InferredModels(
            schema: schema ?? true, at: path, in: document,
            name: name ?? title ?? ModelName.name(ofFile: file, isElement: false), inferenceOptions(JSONPath()))
        let call = "let value = try JSONModelDecoder().decode(\(models.rootType).self, from: …)"
        try write(models.source(of: inputName(file), decodedBy: call))
    }

    private func write(_ source: String) throws {
        let output = try CommandOutput(outputOptions.path)
        output.buffer.append(contentsOf: source.utf8)
        try output.finish()
    }

    private func inferenceOptions(_ path: JSONPath) -> InferenceOptions {
        var options = InferenceOptions()
        (options.path, options.purpose, options.prefix) = (path, purpose, prefix)
        options.dictionaries = dictionary.map(\.path)
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
        file == Input.standardInput ? "standard input" : URL(fileURLWithPath: file).lastPathComponent
    }

    /// The call that decodes the first file, in a comment.
    private func call(_ type: String, _ name: String, _ framing: JSONFraming) -> String {
        let isStandardInput = fileArguments.names[0] == Input.standardInput
        let input = isStandardInput ? ".standardInput" : ".file(\(name.debugDescription))"
        let path = at.map { ", at: \($0.path.description.debugDescription)" } ?? ""
        if framing == .document, at?.path.selectsSeveral != true {
            return "let value = try JSONModelDecoder().decode(\(type).self, from: \(input)\(path))"
        }
        let framing = framing == .document ? "" : ", framing: .\(framing)"
        return "try JSONModelDecoder().forEach(\(type).self, in: \(input)\(path)\(framing)) { value in … }"
    }
}

extension InferenceOptions.Purpose: ExpressibleByArgument {}
extension InferenceOptions.Keys: ExpressibleByArgument {}
extension InferenceOptions.Nulls: ExpressibleByArgument {}
