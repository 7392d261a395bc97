/// Receives the tokens of JSON5, which has more numbers than JSON.
protocol JSON5Sink: TokenSink, ~Copyable {
    /// Receives `NaN` or `Infinity`, perhaps with a sign.
    ///
    /// - Parameters:
    ///   - text: The bytes of the number, borrowed: valid during the call.
    ///   - count: The number of bytes.
    mutating func nonFinite(_ value: Double, at text: UnsafePointer<UInt8>, _ count: Int) -> TokenAction

    /// Receives a hexadecimal integer, rewritten in decimal.
    mutating func hexadecimal(_ token: NumberToken) -> TokenAction
}

extension JSON5Sink where Self: ~Copyable {
    mutating func hexadecimal(_ token: NumberToken) -> TokenAction { number(token) }
}

/// The end of a parse of JSON5.
enum JSON5Fault: Error {
    /// The input breaks a rule at an offset.
    case rejected(JSONIssue.Kind, at: Int)
    /// The sink failed with an issue.
    case failed(JSONIssue)
    /// The sink needs no more tokens.
    case stopped
}
