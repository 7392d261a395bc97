import Sluice
import SluiceCore
import TestSupport

/// The elements of an input with their positions, and the end of the stream.
struct StreamReading {
    var elements: [JSONPositioned<JSONValue>] = []
    /// Every fact of the thrown issues, and of the reported ones.
    var issues: [String] = []

    /// The options of a reading.
    struct Options: CustomStringConvertible {
        var path = JSONPath()
        var framing = JSONFraming.document
        var skipsElements = false
        var source = JSONModelDecoder().source
        /// The bytes that each of three threads decodes at a time; nil without threads.
        var batchSize: Int?

        var description: String {
            "\(framing) at '\(path)', \(source)\(skipsElements ? ", skipping" : ""), batches of \(batchSize ?? 0)"
        }

        init(_ bytes: inout FuzzBytes) {
            framing = bytes.pick(JSONFraming.allCases)
            let choice = bytes.below(16)
            path = ["", "[*]", "a[*]", "*", "[*].a"][choice % 5]
            skipsElements = choice < 5
        }

        init(framing: JSONFraming) { self.framing = framing }

        func with(_ source: JSONModelDecoder.Source, batchSize: Int? = nil) -> Options {
            var options = self
            (options.source, options.batchSize) = (source, batchSize)
            return options
        }

        var decoder: JSONModelDecoder {
            var decoder = JSONModelDecoder(from: source)
            if skipsElements { decoder.elementErrors = .skip }
            if let batchSize {
                decoder.workers = .exactly(3)
                decoder.workers.batchSize = batchSize
            }
            return decoder
        }
    }

    /// - Parameter hasExcerpts: Whether the facts of an issue include its excerpt.
    init(_ input: some JSONInput, _ options: Options, hasExcerpts: Bool = true) {
        let log = IssueLog()
        var decoder = options.decoder
        decoder.issueHandler = { log.add($0) }
        func text(_ issue: JSONIssue) -> String {
            var issue = issue
            if !hasExcerpts { issue.excerpt = "" }
            return FuzzResult.text(issue)
        }
        do throws(JSONModelError) {
            try decoder.forEach(
                JSONPositioned<JSONValue>.self, in: input, at: options.path, framing: options.framing
            ) { elements.append($0) }
        } catch {
            issues = error.issues.map(text)
        }
        issues += log.issues.map { "reported: \(text($0))" }
    }

    /// The first difference from another reading.
    ///
    /// - Parameter first: The number of elements of the other reading before the checkpoint of this one.
    func difference(from whole: StreamReading, after first: Int = 0) -> String? {
        let expected = Array(whole.elements.dropFirst(first))
        if elements.count != expected.count {
            return "\(elements.count) and not \(expected.count) elements, \(issues) and not \(whole.issues)"
        }
        for (element, other) in zip(elements, expected) where element != other {
            return "\(element.value) at \(element.position), and not \(other.value) at \(other.position)"
        }
        return issues == whole.issues ? nil : "\(issues)\nand not\n\(whole.issues)"
    }
}
