/// Receives the tokens of any JSON: the interface of the package's tools that read JSON without a model.
///
/// Tokens arrive in document order and are valid. Memory is valid only during the call.
package protocol JSONTokenReceiver: AnyObject {
    func startObject()
    func endObject()
    func startArray()
    func endArray()
    /// Receives a key, unescaped.
    func key(_ text: UnsafeBufferPointer<UInt8>)
    /// Receives a string, unescaped.
    func string(_ text: UnsafeBufferPointer<UInt8>)
    func number(_ number: borrowing JSONReceivedNumber)
    func bool(_ value: Bool)
    func null()
}

/// A number that a ``JSONTokenReceiver`` receives.
package struct JSONReceivedNumber: ~Copyable {
    private let token: NumberToken

    fileprivate init(_ token: NumberToken) { self.token = token }

    /// The characters of the number. Valid during the call of the receiver.
    package var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: token.text, count: token.count) }
    /// The first 19 significant digits, or fewer.
    package var mantissa: UInt64 { token.mantissa }
    /// The power of ten of the mantissa.
    package var exponent: Int { token.exponent }
    package var isNegative: Bool { token.isNegative }
    /// Whether the number has neither a fraction nor an exponent.
    package var isInteger: Bool { token.isInteger }
    /// Whether the number has more than 19 significant digits.
    package var isTruncated: Bool { token.isTruncated }
}

extension JSONModelDecoder {
    /// Sends the tokens of one JSON document to a receiver, in constant memory.
    ///
    /// - Parameters:
    ///   - input: The document.
    ///   - receiver: Receives the tokens before an error, too.
    /// - Throws: ``JSONModelError``
    package func sendTokens(
        of input: borrowing some JSONInput & ~Copyable & ~Escapable, to receiver: some JSONTokenReceiver
    ) throws(JSONModelError) {
        try withExtendedLifetime(receiver) { () throws(JSONModelError) in
            try input.withContent { content throws(JSONModelError) in
                try send(content, TokenForwarder(receiver: receiver))
            }
        }
    }

    private func send(_ content: JSONInputContent, _ forwarder: TokenForwarder) throws(JSONModelError) {
        var sink = forwarder
        let input: ByteInput
        switch content.form {
        case .text(let text): input = text
        case .tree(let tree): return try tree.run(to: &sink, self)
        }
        switch source {
        #if YAJL
        case .yajl:
            var any = AnySink(sink: sink)
            var tokens = try YajlSource(for: AnySink.self, limits: limits)
            try tokens.read(input, to: &any, limits, progressHandler)
        #endif
        case .scanner:
            var tokens = ScannerSource(limits: limits)
            try tokens.read(input, to: &sink, limits, progressHandler)
        }
    }
}

/// Passes tokens to a receiver outside of the core.
private struct TokenForwarder: SimpleSink {
    // The caller keeps the receiver. Counting references for each token would take longer than the call.
    unowned(unsafe) let receiver: any JSONTokenReceiver

    mutating func startObject() -> TokenAction {
        receiver.startObject()
        return .proceed
    }

    mutating func endObject() -> TokenAction {
        receiver.endObject()
        return .proceed
    }

    mutating func startArray() -> TokenAction {
        receiver.startArray()
        return .proceed
    }

    mutating func endArray() -> TokenAction {
        receiver.endArray()
        return .proceed
    }

    mutating func key(_ key: Key) -> TokenAction {
        receiver.key(UnsafeBufferPointer(start: key.bytes, count: key.count))
        return .proceed
    }

    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        receiver.string(UnsafeBufferPointer(start: bytes, count: count))
        return .proceed
    }

    mutating func number(_ token: NumberToken) -> TokenAction {
        receiver.number(JSONReceivedNumber(token))
        return .proceed
    }

    mutating func bool(_ value: Bool) -> TokenAction {
        receiver.bool(value)
        return .proceed
    }

    mutating func null() -> TokenAction {
        receiver.null()
        return .proceed
    }
}
