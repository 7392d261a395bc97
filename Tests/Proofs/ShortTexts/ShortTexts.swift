import SluiceCore

/// The comparison of every text of a few symbols: the verdict and the offset of the error, by every source and by ``TextAutomaton``.
public struct ShortTexts: Sendable {
    /// The symbols. `false` behaves like `true`, and is left out.
    public static let symbols: [[UInt8]] =
        ["{", "}", "[", "]", ",", ":", "\"", "\\", "u", "0", "1", "-", "+", ".", "e", "true", "null", " "]
        .map { Array($0.utf8) } + [[0xC3], [0x01]]

    /// The greatest number of symbols of a text that is also validated in two chunks, divided at every byte.
    public var cutLength: Int
    /// The greatest number of symbols after the one with which no text is a document.
    public var rejectedLength: Int
    /// The number of texts, of documents among them, and of validations.
    public private(set) var texts = 0, documents = 0, validations = 0
    /// The descriptions of the first differences.
    public private(set) var differences: [String] = []

    private let decoders = JSONModelDecoder.Source.allCases.map { source in
        var decoder = JSONModelDecoder()
        decoder.source = source
        return decoder
    }
    private var text: [UInt8] = []

    public init(cutLength: Int, rejectedLength: Int = .max) {
        self.cutLength = cutLength
        self.rejectedLength = rejectedLength
    }

    /// Judges all texts that begin with symbols and have at most a number of symbols.
    ///
    /// - Parameters:
    ///   - prefix: The indexes of the first symbols.
    ///   - length: The greatest number of symbols of a text.
    public mutating func judge(beginningWith prefix: [Int], upTo length: Int) {
        text = []
        var automaton = TextAutomaton()
        var length = length
        for (count, index) in prefix.enumerated() {
            let hadFailed = automaton.hasFailed
            append(index, to: &automaton)
            if automaton.hasFailed, !hadFailed { length = bound(length, count + 1) }
        }
        if prefix.count <= length { judge(automaton, symbols: prefix.count, length) }
    }

    /// Returns the greatest number of symbols of a text that was rejected with a symbol.
    private func bound(_ length: Int, _ symbols: Int) -> Int {
        length - symbols > rejectedLength ? symbols + rejectedLength : length
    }

    private mutating func append(_ index: Int, to automaton: inout TextAutomaton) {
        for byte in Self.symbols[index] {
            text.append(byte)
            automaton.append(byte)
        }
    }

    private mutating func judge(_ automaton: TextAutomaton, symbols: Int, _ length: Int) {
        compare(automaton.errorOffset, symbols)
        guard symbols < length else { return }
        let count = text.count
        for index in Self.symbols.indices {
            var longer = automaton
            append(index, to: &longer)
            let isRejected = longer.hasFailed && !automaton.hasFailed
            judge(longer, symbols: symbols + 1, isRejected ? bound(length, symbols + 1) : length)
            text.removeLast(text.count - count)
        }
    }

    private mutating func compare(_ expected: Int?, _ symbols: Int) {
        let text = text
        texts += 1
        documents += expected == nil ? 1 : 0
        for decoder in decoders {
            validations += 1
            check(expected, decoder, nil) { () throws(JSONModelError) in try decoder.validate(text) }
            guard symbols <= cutLength, text.count > 1 else { continue }
            for cut in 1..<text.count {
                validations += 1
                let chunks = [Array(text[..<cut]), Array(text[cut...])]
                check(expected, decoder, cut) { () throws(JSONModelError) in try decoder.validate(.chunks(chunks)) }
            }
        }
    }

    private mutating func check(
        _ expected: Int?, _ decoder: JSONModelDecoder, _ cut: Int?, _ validate: () throws(JSONModelError) -> Void
    ) {
        var found: Int?
        do throws(JSONModelError) { try validate() } catch { found = error.issues[0].location.offset }
        guard found != expected, differences.count < 20 else { return }
        let place = cut.map { ", divided at \($0)" } ?? ""
        let name = { (offset: Int?) in offset.map { "an error at offset \($0)" } ?? "a document" }
        let spelling = String(decoding: text, as: UTF8.self).debugDescription
        differences.append(
            "\(spelling) \(text), \(decoder.source)\(place): \(name(found)), not \(name(expected))")
    }
}
