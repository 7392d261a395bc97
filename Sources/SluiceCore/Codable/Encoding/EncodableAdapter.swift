/// Encodes values that have no plan by their conformance to `Encodable`, for encoders of models.
///
/// Values inside of them that have a plan or shape are written by it.
struct EncodableAdapter {
    private static let types = EncodableTypes { type in
        (type as? any JSONConvertible.Type).map { PlanWriter.make($0) }
    }

    private let options: EncodableOptions

    /// - Parameter options: The options of the encoder. Filters apply to plans only, and are left out.
    init(_ options: EncodingOptions) {
        var options = options
        options.planOptions = options.planOptions.unfiltered
        self.options = EncodableOptions(types: Self.types, modelOptions: options, depthLimit: options.limits.depth)
    }

    /// Encodes a value, and lends the JSON to a closure.
    ///
    /// - Parameter depth: The number of brackets around the value, for its indentation and the limit of nesting.
    /// - Throws: ``JSONModelError``
    func withText<T: Encodable, Result>(
        of value: T, depth: Int = 0, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(JSONModelError) -> Result {
        do { return try EncodableCall(options, depth: depth).encode(value) { body($0) } } catch {
            throw JSONModelError(encoding: error)
        }
    }
}

extension EncodingOptions {
    /// Encodes a value of any type, for a property of a model.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - depth: The number of brackets around the value, for its indentation and the limit of nesting.
    /// - Returns: The JSON in UTF-8.
    /// - Throws: ``JSONModelError``, whose paths begin at the value.
    func encodedByAdapter(_ value: any Encodable, depth: Int = 0) throws(JSONModelError) -> [UInt8] {
        func encoded<T: Encodable>(_ value: T) throws(JSONModelError) -> [UInt8] {
            try EncodableAdapter(self).withText(of: value, depth: depth) { Array($0) }
        }
        return try encoded(value)
    }
}

extension JSONModelError {
    /// Creates the error for an error of a value's `encode(to:)`.
    init(encoding error: any Error) {
        if let error = error as? JSONModelError {
            self = error
            return
        }
        var issue = JSONIssue.encoding(.thrown)
        if case EncodingError.invalidValue(_, let context) = error {
            issue = .encoding(.notEncodable(context.debugDescription))
            issue.path = JSONPath(context.codingPath)
        }
        issue.underlying = error
        self.init(issues: [issue])
    }
}

extension JSONIssue {
    /// Returns an issue of a value, which has no location.
    static func encoding(_ kind: Kind) -> JSONIssue {
        var issue = JSONIssue(kind: kind)
        issue.location.line = 0
        return issue
    }
}
