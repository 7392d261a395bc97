import ArgumentParser
import Foundation
import Sluice
import ToolSupport

/// The files of a command.
struct FileArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The files; - is standard input, which is also read without a file.", valueName: "file"),
        completion: .file())
    private var named: [String] = []

    /// The names of the files. The name of standard input is `-`.
    var names: [String] { named.isEmpty ? [Input.standardInput] : named }

    /// Whether files are named.
    var areNamed: Bool { !named.isEmpty }
}

/// The options of commands that read files.
struct InputOptions: ParsableArguments {
    enum Framing: String, ExpressibleByArgument, CaseIterable {
        case document, lines
        case textSequence = "text-sequence"
        case concatenated
        case serverSentEvents = "server-sent-events"
        case dataLines = "data-lines"

        var framing: JSONFraming {
            switch self {
            case .document: .document
            case .lines: .lines
            case .textSequence: .textSequence
            case .concatenated: .concatenated
            case .serverSentEvents: .serverSentEvents
            case .dataLines: .dataLines
            }
        }
    }

    /// A number of threads, or `auto`.
    struct Workers: ExpressibleByArgument {
        let workers: JSONWorkers

        init?(argument: String) {
            if argument == "auto" {
                workers = .automatic
            } else if let count = Int(argument), count > 0 {
                workers = .exactly(count)
            } else {
                return nil
            }
        }
    }

    @Option(
        name: .customLong("framing"),
        help:
            "The form in which the files hold their values. The default is that of the file's extension, such as .jsonl, .json-seq or .sse, or of its first bytes."
    )
    private var name: Framing?

    @Option(help: ArgumentHelp("The maximum length of a string, such as 100MB.", valueName: "size"))
    private var maxString: SizeArgument?

    @Option(help: ArgumentHelp("The maximum number of nested objects and arrays.", valueName: "levels"))
    private var maxDepth: Int?

    @Option(
        help: ArgumentHelp(
            "The number of threads that read lines, or the elements of one array; auto for all cores.",
            valueName: "number"))
    private var workers: Workers?

    /// The framing that the user selects.
    var framing: JSONFraming? { name?.framing }

    /// Whether the user selects a number of threads.
    var hasWorkers: Bool { workers != nil }

    func validate() throws {
        if let maxDepth, !(1...JSONLimits.maximumDepth).contains(maxDepth) {
            throw ValidationError("--max-depth must be 1 to \(JSONLimits.maximumDepth).")
        }
        _ = try source()
    }

    /// Returns a decoder with the options.
    func decoder() throws -> JSONModelDecoder {
        var decoder = JSONModelDecoder()
        decoder.source = try source()
        if let maxString { decoder.limits.string = Int(clamping: maxString.bytes) }
        if let maxDepth { decoder.limits.depth = maxDepth }
        if let workers { decoder.workers = workers.workers }
        return decoder
    }

    /// Returns the source of the tokens that the variable `SLUICE_SOURCE` names. The variable is for tests and measurements.
    private func source() throws -> JSONModelDecoder.Source {
        guard let name = ProcessInfo.processInfo.environment["SLUICE_SOURCE"], !name.isEmpty else {
            return .scanner
        }
        guard let source = JSONModelDecoder.Source.allCases.first(where: { "\($0)" == name }) else {
            throw ValidationError("SLUICE_SOURCE: this tool has no source \(name).")
        }
        return source
    }
}

extension SizeArgument: ExpressibleByArgument {}

/// A path of JSON from the command line.
struct PathArgument: ExpressibleByArgument {
    let path: JSONPath

    init?(argument: String) {
        guard let path = try? JSONPath(parsing: argument) else { return nil }
        self.path = path
    }
}
