/// Receives the tokens of any JSON: the interface of the package's tools that read JSON without a model.
///
/// Tokens arrive in document order and are valid. Memory is valid only during the call.
///
/// The receiver is a table of C functions with a context, like that of yajl. A call of a method of an object that another module
/// declares would count references for each token.
package struct JSONTokenReceiver {
    package typealias Event = @convention(c) (_ context: UnsafeRawPointer) -> Void
    package typealias Text = @convention(c) (_ context: UnsafeRawPointer, UnsafePointer<UInt8>, Int) -> Void
    package typealias Number = @convention(c) (_ context: UnsafeRawPointer, _ number: UnsafeRawPointer) -> Void
    package typealias Bool = @convention(c) (_ context: UnsafeRawPointer, Swift.Bool) -> Void
    package typealias Condition = @convention(c) (_ context: UnsafeRawPointer) -> Swift.Bool

    fileprivate let object: AnyObject
    fileprivate let startObject: Event
    fileprivate let endObject: Event
    fileprivate let startArray: Event
    fileprivate let endArray: Event
    fileprivate let key: Text
    fileprivate let string: Text
    fileprivate let number: Number
    fileprivate let bool: Bool
    fileprivate let null: Event
    fileprivate let isFinished: Condition?

    /// - Parameters:
    ///   - object: The object whose address is the context of each call.
    ///   - key: Receives a key, unescaped.
    ///   - string: Receives a string, unescaped.
    ///   - number: Receives a number, of which ``JSONReceivedNumber`` has the parts.
    ///   - isFinished: Returns whether the object needs no further tokens. Called after each token.
    package init(
        _ object: AnyObject, startObject: @escaping Event, endObject: @escaping Event, startArray: @escaping Event,
        endArray: @escaping Event, key: @escaping Text, string: @escaping Text, number: @escaping Number,
        bool: @escaping Bool, null: @escaping Event, isFinished: Condition? = nil
    ) {
        self.object = object
        (self.startObject, self.endObject) = (startObject, endObject)
        (self.startArray, self.endArray) = (startArray, endArray)
        (self.key, self.string, self.number, self.bool, self.null) = (key, string, number, bool, null)
        self.isFinished = isFinished
    }
}

/// A number that a ``JSONTokenReceiver`` receives.
package struct JSONReceivedNumber: ~Copyable {
    private let token: NumberToken

    /// Reads the number that a receiver was passed.
    package init(_ address: UnsafeRawPointer) { token = address.load(as: NumberToken.self) }

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
        of input: borrowing some JSONInput & ~Copyable & ~Escapable, to receiver: JSONTokenReceiver
    ) throws(JSONModelError) {
        try withExtendedLifetime(receiver.object) { () throws(JSONModelError) in
            try input.withContent { content throws(JSONModelError) in
                var sink = AnySink(TokenForwarder(receiver))
                switch content.form {
                case .text(let input): try send(input, to: &sink)
                case .tree(let tree): try tree.run(to: &sink, self)
                }
            }
        }
    }
}

/// Passes tokens to a receiver outside of the core.
private struct TokenForwarder: SimpleSink {
    private let context: UnsafeRawPointer
    private let receiver: JSONTokenReceiver

    init(_ receiver: JSONTokenReceiver) {
        context = UnsafeRawPointer(Unmanaged.passUnretained(receiver.object).toOpaque())
        self.receiver = receiver
    }

    /// The action after a token.
    private var action: TokenAction {
        guard let isFinished = receiver.isFinished, isFinished(context) else { return .proceed }
        return .stop
    }

    mutating func startObject() -> TokenAction {
        receiver.startObject(context)
        return action
    }

    mutating func endObject() -> TokenAction {
        receiver.endObject(context)
        return action
    }

    mutating func startArray() -> TokenAction {
        receiver.startArray(context)
        return action
    }

    mutating func endArray() -> TokenAction {
        receiver.endArray(context)
        return action
    }

    mutating func key(_ key: Key) -> TokenAction {
        receiver.key(context, key.bytes, key.count)
        return action
    }

    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        receiver.string(context, bytes, count)
        return action
    }

    mutating func number(_ token: NumberToken) -> TokenAction {
        withUnsafePointer(to: token) { receiver.number(context, $0) }
        return action
    }

    mutating func bool(_ value: Bool) -> TokenAction {
        receiver.bool(context, value)
        return action
    }

    mutating func null() -> TokenAction {
        receiver.null(context)
        return action
    }
}
