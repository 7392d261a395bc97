// `Decodable` types in a decoder of models.

extension CodableDecoding {
    /// Types with a shape are decoded by their shape, except for scalars and containers of the standard library.
    private static let types = DecodableTypes { type in
        if type is any TapeDecodable.Type { return nil }
        return (type as? any (JSONConvertible & Decodable).Type).map { rule(of: $0) }
    }

    private static func rule<T: JSONConvertible>(of type: T.Type) -> DecodableTypes.Rule {
        DecodableTypes.Rule { try $0.decodeByShape(T.self) }
    }

    /// Creates the engine for a decoder of models, whose input is strict.
    convenience init(_ decoder: JSONModelDecoder) {
        self.init(
            CodableDecodingOptions(types: Self.types, models: decoder), reader: decoder,
            form: Form(mayHaveTrailingCommas: false))
    }

    /// Returns the engine that a decoder of models was given, or one for its options.
    static func engine(_ context: any DecodingContext) -> CodableDecoding {
        let decoder = JSONModelDecoder(context)
        return decoder[CodableDecoding.self] ?? CodableDecoding(decoder)
    }

    /// Returns the issue of an error of the engine. The path of the issue begins at the decoded value.
    static func issue(of error: any Error) -> JSONIssue {
        if let error = error as? JSONModelError { return error.issues[0] }
        var issue = JSONIssue(kind: .thrown)
        if let decoding = error as? DecodingError {
            issue = (decoding.context?.underlyingError as? JSONModelError)?.issues[0] ?? decoding.issue
        }
        issue.underlying = error
        return issue
    }

    /// Returns the error of an engine that a decoder of models has located.
    package static func decodingError(in error: JSONModelError) -> any Error {
        guard let underlying = error.issues[0].underlying else { return decodingError(error) }
        return (underlying as? DecodingError)?.with(underlying: error) ?? underlying
    }
}
