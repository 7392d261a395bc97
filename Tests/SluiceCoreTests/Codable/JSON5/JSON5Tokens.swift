import Testing

@testable import SluiceCodable
@testable import SluiceCore

/// The tokens of JSON5 as text, one by one, from the tape of the JSON.
struct JSON5Tokens {
    private(set) var tokens: [String] = []
    /// The numbers, as the conversions of their tokens see them.
    private(set) var doubles: [Double?] = []
    private(set) var integers: [Int128?] = []
    private(set) var nonFinite: [Double] = []
    /// The positions of the numbers that are marked as hexadecimal.
    private(set) var hexadecimal: [Int] = []
    /// The line, the column and the excerpt of each value.
    private(set) var locations: [String] = []

    init(_ json5: JSON5Normalizer) throws {
        try json5.json.withUnsafeBytes { json in
            let bytes = json.assumingMemoryBound(to: UInt8.self)
            var decoder = JSONModelDecoder()
            decoder.source = .scanner
            decoder.limits.depth = JSONLimits.maximumDepth
            var recorder = TapeRecorder(
                Tape(input: bytes, capacity: 16), recordsLocations: true, keepsRepeatedKeys: true)
            try decoder.record(.bytes(json), into: &recorder)
            let tape = recorder.finish()
            json5.markNumbers(on: tape)
            take(tape, json5)
        }
    }

    private mutating func take(_ tape: Tape, _ json5: JSON5Normalizer) {
        let view = tape.view
        var ends: [(index: Int, bracket: String)] = []
        var index = Tape.root
        while index < view.count || !ends.isEmpty {
            if let end = ends.last, end.index == index {
                tokens.append(end.bracket)
                ends.removeLast()
                continue
            }
            let entry = view[index]
            if entry.kind != .key, let location = tape.location(of: index) {
                var issue = JSONIssue(kind: .unexpectedEnd)
                issue.location = location
                issue = json5.relocated(issue)
                let shown = issue.excerpt.prefix { $0 != "\n" }
                locations.append("\(issue.location.line):\(issue.location.column) \(shown)")
            }
            switch entry.kind {
            case .null, .true, .false: tokens.append("\(entry.kind)")
            case .key, .hiddenKey: tokens.append(text(view, entry) + ":")
            case .string: tokens.append("\"\(text(view, entry))\"")
            case .nonFinite:
                nonFinite.append(view.nonFinite(index))
                tokens.append("\(view.nonFinite(index))")
            case .number: take(view, number: index)
            case .array:
                tokens.append("[")
                ends.append((entry.value, "]"))
            case .object:
                tokens.append("{")
                ends.append((entry.value, "}"))
            }
            index += entry.kind.length
        }
    }

    private func text(_ tape: TapeView, _ entry: TapeEntry) -> String {
        let text = String(validating: tape.bytes(entry), as: UTF8.self) ?? "invalid UTF-8"
        #expect(entry.flags.contains(.isASCII) == text.utf8.allSatisfy { $0 < 0x80 })
        return text
    }

    private mutating func take(_ tape: TapeView, number index: Int) {
        let token = tape.number(index)
        if tape[index].flags.contains(.isHexadecimal) { hexadecimal.append(doubles.count) }
        doubles.append(token.floatingPoint(Double.self))
        var integer: Int128 = 0
        integers.append(token.integer(Int128.self, into: &integer) == .exact ? integer : nil)
        tokens.append(String(decoding: tape.bytes(tape[index]), as: UTF8.self))
    }
}

/// Reads JSON5, and returns the tokens.
func tokens(
    ofJSON5 bytes: [UInt8], limits: JSONLimits = JSONLimits(), assumesTopLevelDictionary: Bool = false
) throws -> JSON5Tokens {
    try bytes.withUnsafeBufferPointer { bytes in
        try JSON5Tokens(JSON5Normalizer(bytes, limits: limits, mayLackBraces: assumesTopLevelDictionary))
    }
}

/// The issue of JSON5 that is rejected, or nil after a failure of the test.
func issue(
    ofJSON5 bytes: [UInt8], limits: JSONLimits = JSONLimits(), assumesTopLevelDictionary: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
) -> JSONIssue? {
    let error = #expect(throws: JSONModelError.self, sourceLocation: sourceLocation) {
        _ = try tokens(ofJSON5: bytes, limits: limits, assumesTopLevelDictionary: assumesTopLevelDictionary)
    }
    return error?.issues.first
}
