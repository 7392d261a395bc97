import SluiceCore
import SluiceStreams
import TestSupport

/// The ways to read the elements of an input.
enum StreamVerb: CaseIterable {
    case forEach, cursor, feed, elements, chunkElements

    /// The elements, and the error after them.
    struct Outcome<Element: Equatable>: Equatable, CustomStringConvertible {
        var elements: [Element] = []
        var error: String?
        var summary: String?

        var description: String { "\(elements) \(error ?? "no error")" }
    }

    /// Reads chunks.
    func read<Element: JSONConvertible & Equatable>(
        _ type: Element.Type, _ chunks: [[UInt8]], at path: JSONPath, _ framing: JSONFraming,
        _ decoder: JSONModelDecoder
    ) async -> Outcome<Element> {
        var outcome = Outcome<Element>()
        do {
            switch self {
            case .forEach:
                try decoder.forEach(type, in: .chunks(chunks), at: path, framing: framing) {
                    outcome.elements.append($0)
                }
            case .cursor:
                var cursor = decoder.cursor(of: type, in: .chunks(chunks), at: path, framing: framing)
                while let element = try cursor.next() { outcome.elements.append(element) }
                outcome.summary = cursor.summary.description
            case .feed:
                var feed = decoder.feed(of: type, at: path, framing: framing)
                for chunk in chunks { outcome.elements += try feed.push(chunk) }
                outcome.elements += try feed.finish()
                // The error after elements is thrown by the next call.
                outcome.elements += try feed.finish()
                outcome.summary = feed.summary.description
            case .elements:
                let elements = decoder.elements(of: type, in: chunks.flatMap { $0 }, at: path, framing: framing)
                for try await element in elements { outcome.elements.append(element) }
            case .chunkElements:
                let stream = AsyncStream { continuation in
                    for chunk in chunks { continuation.yield(chunk) }
                    continuation.finish()
                }
                for try await element in decoder.elements(of: type, in: stream, at: path, framing: framing) {
                    outcome.elements.append(element)
                }
            }
        } catch let error as JSONModelError {
            outcome.error = error.issues.map(\.description).joined(separator: "; ")
        } catch { outcome.error = "\(error)" }
        return outcome
    }

    /// Reads an input in every verb, with every source, cut into chunks of every size. All outcomes must be equal.
    static func readAll<Element: JSONConvertible & Equatable>(
        _ type: Element.Type = Element.self, _ text: String, at path: JSONPath = JSONPath(), _ framing: JSONFraming,
        with decoder: JSONModelDecoder = JSONModelDecoder(), different: (String) -> Void
    ) async -> Outcome<Element> {
        await readAll(type, bytes: Array(text.utf8), at: path, framing, with: decoder, different: different)
    }

    /// Reads bytes in every verb, with every source, cut into chunks of every size. All outcomes must be equal.
    static func readAll<Element: JSONConvertible & Equatable>(
        _ type: Element.Type = Element.self, bytes: [UInt8], at path: JSONPath = JSONPath(), _ framing: JSONFraming,
        with decoder: JSONModelDecoder = JSONModelDecoder(), different: (String) -> Void
    ) async -> Outcome<Element> {
        var first: Outcome<Element>?
        for source in JSONModelDecoder.Source.allCases {
            var decoder = decoder
            decoder.source = source
            for size in Array(1...min(max(bytes.count, 1), 40)) + [max(bytes.count, 1)] {
                // Empty chunks change nothing.
                let chunks = bytes.pieces(of: size).flatMap { [$0, []] }
                for verb in allCases {
                    var outcome = await verb.read(type, chunks, at: path, framing, decoder)
                    outcome.summary = nil
                    if let first, first != outcome {
                        different("\(verb), \(source), chunks of \(size): \(outcome), not \(first)")
                    }
                    first = first ?? outcome
                }
            }
        }
        return first!
    }
}
