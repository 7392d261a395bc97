import Sluice

/// The value of a text, read at once; the same read in pieces of 3 bytes must be equal, from every source.
func read<T: JSONConvertible & Equatable>(_ type: T.Type, _ json: String) throws(JSONModelError) -> T {
    let first = try JSONModelDecoder().decode(type, from: json)
    let bytes = Array(json.utf8)
    let pieces = stride(from: 0, to: bytes.count, by: 3).map { bytes[$0..<min($0 + 3, bytes.count)] }
    for source in JSONModelDecoder.Source.allCases {
        var decoder = JSONModelDecoder()
        decoder.source = source
        let whole = try decoder.decode(type, from: json)
        let pieced = try decoder.decode(type, from: .chunks(pieces))
        // NaN does not come out of JSON, so equal means equal.
        if whole != first || pieced != first { throw JSONModelError(issues: []) }
    }
    return first
}

/// The one issue that reading a text ends with, or nil where it can be read.
func issue<T: JSONConvertible>(_ type: T.Type, _ json: String) -> JSONIssue? {
    do {
        _ = try JSONModelDecoder().decode(type, from: json)
        return nil
    } catch {
        return error.issues.count == 1 ? error.issues[0] : nil
    }
}

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
