import Foundation
import ModelInference
import Sluice
import ToolSupport

/// A file from the command line, or standard input.
struct Input {
    /// The name of standard input.
    static let standardInput = "-"

    let framing: JSONFraming
    /// Whether the framing is a guess from the first bytes.
    let isGuess: Bool
    private let name: String
    private let progress: InputProgress
    private let decoder: JSONModelDecoder
    /// The open file, if its first bytes were read and cannot be read again.
    private let pipe: OpenPipe?
    private let range: InputRange?
    private let output: CommandOutput?

    /// - Parameters:
    ///   - use: The way in which the values are read.
    ///   - range: The part of the file to read; nil for all.
    ///   - isStrict: Whether a file whose name is that of JSON has one value.
    ///   - hasRanges: Whether the file is divided into ranges.
    ///   - skipsErrors: Whether invalid values are reported and skipped, in framings that divide the input into values.
    ///   - output: The output of elements while the input is read.
    init(
        _ name: String, _ options: InputOptions, for use: FramingGuess.Use, range: InputRange? = nil,
        isStrict: Bool = false, hasRanges: Bool = false, skipsErrors: Bool = false, to output: CommandOutput? = nil
    ) throws {
        (self.name, self.range, self.output) = (name, range, output)
        // The elements of the files before are printed before this one is awaited.
        output?.flushAtPause()
        let hasRanges = hasRanges || range != nil
        let file = try InputFile(
            name, framing: options.framing, for: hasRanges ? .parts : use, isStrict: isStrict,
            hasRanges: hasRanges)
        (framing, isGuess, pipe) = (file.framing, file.isGuess, file.pipe)
        progress = InputProgress(name)

        var decoder = try options.decoder()
        // The bar would be between the elements on the same terminal.
        let showsProgress = Terminal.showsProgress && output?.isTerminal != true
        // What a pipe has sent is printed before more is awaited.
        let flushed = output.flatMap { !file.isRegular || $0.isTerminal ? $0 : nil }
        if showsProgress || flushed != nil {
            decoder.progressHandler = { [progress] amount in
                flushed?.flushAtPause()
                if showsProgress { progress.update(amount) }
            }
        }
        if skipsErrors {
            decoder.elementErrors = .skip
            decoder.issueHandler = { [progress] issue in
                output?.flushAtPause()
                progress.finish()
                Status.add(JSONModelError(issues: [issue]), in: name)
            }
        }
        self.decoder = decoder
    }

    /// Calls a closure with the input.
    @discardableResult
    private func read<Result>(_ body: (any JSONInput, JSONModelDecoder) throws -> Result) throws -> Result {
        defer { progress.finish() }
        if let pipe { return try body(pipe.input, decoder) }
        let isStandardInput = name == Self.standardInput
        switch range {
        case .bytes(let bytes): return try body(.file(name, range: bytes), decoder)
        case .located(let range): return try body(.file(name, range: range), decoder)
        case nil where isStandardInput: return try body(.standardInput, decoder)
        case nil: return try body(.file(name), decoder)
        }
    }

    /// A decoder for a value in memory, with the source and the limits of the input.
    private var elementDecoder: JSONModelDecoder {
        var values = JSONModelDecoder()
        (values.source, values.limits) = (decoder.source, decoder.limits)
        return values
    }

    /// Calls a closure with each element at a path. A path without a wildcard is that of one element in each value.
    func forEach<Element: JSONConvertible & SendableMetatype>(
        _ type: Element.Type, at path: JSONPath, _ body: (Element) throws -> JSONModelDecoder.StreamControl
    ) throws {
        let isOnePart = !path.selectsSeveral
        try read { input, decoder in
            if framing == .document, isOnePart, range == nil {
                _ = try body(decoder.decode(type, from: input, at: path))
            } else if framing != .document, isOnePart, !path.components.isEmpty, decoder.elementErrors != .skip {
                try forEachPart(type, of: input, at: path, decoder, body)
            } else {
                try decoder.forEach(type, in: input, at: path, framing: framing, body)
            }
        }
    }

    /// Calls a closure with the part of each value at a path, or null for a value without the part, the first of which is reported.
    ///
    /// - Throws: The error of the first value, if no value has the part.
    private func forEachPart<Part: JSONConvertible & SendableMetatype>(
        _ type: Part.Type, of input: any JSONInput, at path: JSONPath, _ decoder: JSONModelDecoder,
        _ body: (Part) throws -> JSONModelDecoder.StreamControl
    ) throws {
        let null = try elementDecoder.decode(type, from: "null")
        try withoutActuallyEscaping(body) { body in
            let receiver = PartReceiver(null: null, note: noteMissingPart, receive: body)
            var decoder = decoder
            decoder.elementErrors = .skip
            decoder.issueHandler = { receiver.receive($0) }
            try decoder.forEach(type, in: input, at: path, framing: framing) {
                (part) throws -> JSONModelDecoder.StreamControl in try receiver.receive(part)
            }
            try receiver.finish()
        }
    }

    private func noteMissingPart(_ issue: JSONIssue) {
        output?.flushAtPause()
        progress.finish()
        let location = "\(name):\(issue.location.line):\(issue.location.column)"
        Terminal.note("\(location): \(issue.message): null is printed for such values (--skip-errors skips them)")
    }

    /// Calls a closure with each value and the location of its start. A document has one value, which is passed on at the end.
    func forEachPositioned(_ body: (JSONRaw, JSONLocation) throws -> Void) throws {
        let isDocument = framing == .document
        var document: (value: JSONRaw, start: JSONLocation)?
        try read { input, decoder in
            // A document is the only one of concatenated values, so that its position is known.
            try decoder.forEach(
                JSONPositioned<JSONRaw>.self, in: input, framing: isDocument ? .concatenated : framing
            ) { (element: JSONPositioned<JSONRaw>) in
                let start = element.position.start
                guard isDocument else { return try body(element.value, start) }
                if document != nil {
                    throw JSONModelError(issues: [JSONIssue(kind: .trailingContent, location: start)])
                }
                document = (element.value, start)
            }
        }
        guard isDocument else { return }
        guard let document else {
            throw JSONModelError(issues: [JSONIssue(kind: .emptyInput, location: JSONLocation(line: 1, column: 1))])
        }
        try body(document.value, document.start)
    }

    /// Divides the elements at a path of the file into ranges.
    func ranges(at path: JSONPath, parts: Int) throws -> [JSONFileRange] {
        defer { progress.finish() }
        // Another reader of the file begins at its start.
        let file = name == Self.standardInput ? "/dev/stdin" : name
        return try decoder.ranges(of: .file(file), at: path, framing: framing, parts: parts)
    }

    /// Passes the tokens of each value to an observer. A document is read in constant memory, and one value of other framings is in
    /// memory.
    func observe(by observer: ModelObserver) throws {
        try forEachValue { input, decoder in try observer.observe(input, with: decoder) }
    }

    /// Prints the values of each path on a line.
    func printPaths(by printer: PathPrinter) throws {
        try forEachValue { input, decoder in try printer.print(input, with: decoder) }
    }

    /// Calls a closure with each value: a document that is read in constant memory, or a value in memory.
    private func forEachValue(_ body: (any JSONInput, JSONModelDecoder) throws -> Void) throws {
        if framing == .document { return try read(body) }
        let values = elementDecoder
        try read { input, decoder in
            try decoder.forEach(JSONRaw.self, in: input, framing: framing) { (value: JSONRaw) in
                try body(value, values)
            }
        }
    }

    /// Checks whether the input is valid JSON.
    ///
    /// - Returns: The numbers of values, of which the invalid ones were skipped; nil for a document.
    func validate() throws -> JSONStreamSummary? {
        let summary: JSONStreamSummary? = try read { input, decoder in
            if framing != .document { return try decoder.validateValues(input, framing: framing) }
            try decoder.validate(input)
            return nil
        }
        if isGuess, let summary, summary.elements + summary.skipped == 0 {
            throw JSONModelError(issues: [JSONIssue(kind: .emptyInput)])
        }
        return summary
    }
}
