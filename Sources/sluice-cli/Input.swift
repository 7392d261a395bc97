import ArgumentParser
import ModelInference
import Sluice

/// The option that selects the source of the tokens.
struct SourceOptions: ParsableArguments {
    enum Name: String, ExpressibleByArgument, CaseIterable {
        case scanner, yajl
    }

    @Option(name: .customLong("source"), help: "The source of the tokens.")
    private var name = Name.scanner

    /// The source of the tokens, which this tool has.
    var source: JSONModelDecoder.Source { known ?? .scanner }

    private var known: JSONModelDecoder.Source? {
        JSONModelDecoder.Source.allCases.first { "\($0)" == name.rawValue }
    }

    mutating func validate() throws {
        if known == nil { throw ValidationError("This tool was built without \(name.rawValue).") }
    }
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

    @OptionGroup var sourceOptions: SourceOptions

    @Option(name: .customLong("framing"), help: "The form in which the files hold their values.")
    private var name = Framing.document

    var framing: JSONFraming { name.framing }
}

/// A file from the command line, or standard input if the name is `-`.
struct Input {
    private let name: String
    private let framing: JSONFraming
    private let progress: InputProgress
    private let decoder: JSONModelDecoder

    init(_ name: String, _ source: JSONModelDecoder.Source, _ framing: JSONFraming) {
        self.name = name
        self.framing = framing
        progress = InputProgress(name)
        var decoder = JSONModelDecoder()
        decoder.source = source
        if Terminal.showsProgress { decoder.progressHandler = { [progress] in progress.update($0) } }
        self.decoder = decoder
    }

    init(_ name: String, _ options: InputOptions) {
        self.init(name, options.sourceOptions.source, options.framing)
    }

    private var isStandardInput: Bool { name == "-" }

    /// Calls a closure with each element at a path.
    func forEach<Element: JSONConvertible>(
        _ type: Element.Type, at path: JSONPath, _ body: (Element) throws -> JSONModelDecoder.StreamControl
    ) throws {
        defer { progress.finish() }
        if isStandardInput {
            try decoder.forEach(type, in: .standardInput, at: path, framing: framing, body)
        } else {
            try decoder.forEach(type, in: .file(name), at: path, framing: framing, body)
        }
    }

    /// Divides the elements at a path of the file into ranges.
    func ranges(at path: JSONPath, parts: Int) throws -> [JSONFileRange] {
        defer { progress.finish() }
        return try decoder.ranges(of: .file(name), at: path, framing: framing, parts: parts)
    }

    /// Passes the tokens of each value to an observer. A document is read in constant memory, and one value of other framings is in
    /// memory.
    func observe(by observer: ModelObserver) throws {
        guard framing != .document else {
            defer { progress.finish() }
            return isStandardInput
                ? try observer.observe(.standardInput, with: decoder)
                : try observer.observe(.file(name), with: decoder)
        }
        var values = JSONModelDecoder()
        (values.source, values.limits) = (decoder.source, decoder.limits)
        try forEach(JSONRaw.self, at: JSONPath()) { value in
            try observer.observe(value.bytes, with: values)
            return .continue
        }
    }

    /// Checks whether the input is valid JSON.
    func validate() throws {
        defer { progress.finish() }
        if isStandardInput {
            try decoder.validate(.standardInput, framing: framing)
        } else {
            try decoder.validate(.file(name), framing: framing)
        }
    }
}
