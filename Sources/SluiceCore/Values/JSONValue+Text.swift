extension JSONValue: CustomStringConvertible {
    /// The value as JSON.
    public var description: String { String(decoding: text, as: UTF8.self) }

    /// The value as JSON, in UTF-8.
    var text: [UInt8] {
        // Such a walk throws for values that are no JSON, or too deep.
        do { return try TreeWalk.text(of: self, depth: .max) { $0.node } } catch { preconditionFailure("\(error)") }
    }
}
