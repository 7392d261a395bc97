import SluiceCore

/// The ways in which types are decoded, by type.
///
/// A type is examined once, by dynamic casts. A later look-up takes a tenth of the time of a cast.
package final class DecodableTypes: Sendable {
    /// The way in which a type is decoded.
    class Method: @unchecked Sendable {
        /// Whether the type is decoded by its initializer.
        let isInitializer: Bool
        /// The type, if it is an array.
        let array: (any TapeArray.Type)?

        fileprivate init(isInitializer: Bool, array: (any TapeArray.Type)? = nil) {
            self.isInitializer = isInitializer
            self.array = array
        }
    }

    /// A function that decodes a type.
    // Unchecked because the closure captures generic types, which are not formally `Sendable`.
    final class Function<T>: Method, @unchecked Sendable {
        let decode: (TapeDecoder) throws -> T

        fileprivate init(_ decode: @escaping (TapeDecoder) throws -> T) {
            self.decode = decode
            super.init(isInitializer: false, array: T.self as? any TapeArray.Type)
        }
    }

    /// A method for one of the types with rules of their own.
    package struct Rule {
        fileprivate let method: Method

        /// Decodes a type with a function.
        package init<T>(_ decode: @escaping (TapeDecoder) throws -> T) { method = Function(decode) }
    }

    private let methods = TypeTable<Method>(capacity: 256)
    private let rule: @Sendable (any Decodable.Type) -> Rule?

    /// - Parameter rule: Returns the rule of a type, or nil.
    package init(_ rule: @escaping @Sendable (any Decodable.Type) -> Rule?) { self.rule = rule }

    /// Returns the method of a type. Methods are never released.
    @inline(__always)
    func method<T: Decodable>(of type: T.Type) -> Unmanaged<Method> {
        methods[type] ?? make(type)
    }

    @inline(never)
    private func make<T: Decodable>(_ type: T.Type) -> Unmanaged<Method> {
        methods.insert(
            (rule(type) ?? Self.standardRule(type))?.method ?? Method(isInitializer: true), for: type)
    }

    /// The rule of a container or a scalar, which the initializers of the standard library decode more slowly.
    private static func standardRule(_ type: any Decodable.Type) -> Rule? {
        (type as? any TapeDecodable.Type).map { rule(of: $0) }
    }

    private static func rule<T: TapeDecodable>(of type: T.Type) -> Rule { Rule { try T(tape: $0) } }
}

// MARK: Values of any type

extension TapeDecoder {
    /// Decodes the value of this decoder.
    @inline(__always)
    package func decodeSelf<T: Decodable>(_ type: T.Type) throws -> T {
        try types._withUnsafeGuaranteedRef { $0.method(of: type) }
            ._withUnsafeGuaranteedRef { try decodeSelf(type, by: $0) }
    }

    /// Decodes the value of this decoder by the method of the type.
    @inline(__always)
    func decodeSelf<T: Decodable>(_ type: T.Type, by method: DecodableTypes.Method) throws -> T {
        // The type may be a subclass of `T`.
        if method.isInitializer { return try type.init(from: self) }
        return try unsafeDowncast(method, to: DecodableTypes.Function<T>.self).decode(self)
    }
}

// MARK: Values with a shape

extension TapeDecoder {
    /// Decodes a value by the shape of its type.
    ///
    /// - Throws: `DecodingError`
    package func decodeByShape<T: JSONConvertible>(_ type: T.Type) throws -> T {
        try decode(type, by: JSONShape.unretained(of: type))
    }

    /// Decodes a value by a shape of its type, which is never released.
    ///
    /// - Throws: `DecodingError`
    func decode<T>(_ type: T.Type, by shape: Unmanaged<JSONShape>) throws -> T {
        if ThreadStack.isUsedUp { throw stackUsedUp() }
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        do throws(JSONModelError) {
            try options.reportsIssues
                ? fill(memory, by: shape, reportingModels) : fill(memory, by: shape, options.models)
        } catch {
            throw error.issues[0].isOfStack ? stackUsedUp() : decodingError(error, type)
        }
        return memory.move()
    }

    @inline(__always)
    private func fill(
        _ memory: UnsafeMutableRawPointer, by shape: Unmanaged<JSONShape>, _ models: JSONModelDecoder
    ) throws(JSONModelError) {
        try models.decode(shape, from: tape, owner: tapeOwner, at: index, to: memory)
    }

    /// The decoder of models with a handler of issues that completes their paths, which begin at this value.
    @inline(never)
    private var reportingModels: JSONModelDecoder {
        var models = options.models
        guard let handler = models.issueHandler else { return models }
        let start = JSONPath(codingPath).components
        models.issueHandler = { issue in
            var issue = issue
            issue.path.components = start + issue.path.components
            handler(issue)
        }
        return models
    }
}
