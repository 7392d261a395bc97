import Testing

@testable import SluiceCore

/// A sink that keeps the tokens as text, one by one.
struct TokenRecorder: SimpleSink, JSON5Sink {
    private(set) var tokens: [String] = []
    /// The numbers, as the conversions of their tokens see them.
    private(set) var doubles: [Double?] = []
    private(set) var integers: [Int128?] = []
    private(set) var nonFinite: [Double] = []
    /// The locations of the tokens, if the recorder awaits them.
    private(set) var locations: [String] = []
    /// The number of tokens after which the recorder stops the parse.
    var stop = Int.max
    var awaitsLocation = false

    private mutating func note(_ token: String) -> TokenAction {
        tokens.append(token)
        return tokens.count == stop ? .stop : awaitsLocation ? .handlePending : .proceed
    }

    private static func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
        String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self) ?? "invalid UTF-8"
    }

    mutating func startObject() -> TokenAction { note("{") }
    mutating func endObject() -> TokenAction { note("}") }
    mutating func startArray() -> TokenAction { note("[") }
    mutating func endArray() -> TokenAction { note("]") }
    mutating func key(_ key: Key) -> TokenAction { note(Self.text(key.bytes, key.count) + ":") }
    mutating func bool(_ value: Bool) -> TokenAction { note("\(value)") }
    mutating func null() -> TokenAction { note("null") }

    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        let text = Self.text(bytes, count)
        #expect(isASCII == text.utf8.allSatisfy { $0 < 0x80 })
        return note("\"\(text)\"")
    }

    mutating func number(_ token: NumberToken) -> TokenAction {
        doubles.append(token.floatingPoint(Double.self))
        var integer: Int128 = 0
        integers.append(token.integer(Int128.self, into: &integer) == .exact ? integer : nil)
        return note(Self.text(token.text, token.count))
    }

    mutating func nonFinite(_ value: Double, at text: UnsafePointer<UInt8>, _ count: Int) -> TokenAction {
        nonFinite.append(value)
        return note(Self.text(text, count))
    }

    mutating func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction {
        locations.append("\(start.line):\(start.column)+\(end.offset - start.offset)")
        return .proceed
    }
}

/// Reads JSON5, and returns the tokens.
func tokens(
    ofJSON5 bytes: [UInt8], limits: JSONLimits = JSONLimits(), assumesTopLevelDictionary: Bool = false,
    stop: Int = .max, awaitsLocation: Bool = false
) throws(JSONModelError) -> TokenRecorder {
    var recorder = TokenRecorder(stop: stop, awaitsLocation: awaitsLocation)
    var source = JSON5Source(limits: limits, assumesTopLevelDictionary: assumesTopLevelDictionary)
    try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in try source.run(bytes, to: &recorder) }
    return recorder
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
