/// A model with code that runs after decoding and before encoding.
///
/// `@JSONModel` finds the methods in the type's body without this conformance. Declare the conformance for methods in
/// extensions, in the module of the type, and for plans written by hand. An error of a hook is the ``JSONIssue/underlying``
/// error of an issue.
public protocol JSONHooks: SendableMetatype {
    /// Runs after every property is filled. The method may change properties.
    mutating func didDecode() throws
    /// Runs last: of a class, after each `didDecode()` of the class and its superclasses. Throws if the model is not acceptable.
    func validate() throws
    /// Runs before the model is encoded.
    func willEncode() throws
}

extension JSONHooks {
    /// Does nothing.
    @_documentation(visibility: internal) public func didDecode() throws {}
    /// Accepts every model.
    @_documentation(visibility: internal) public func validate() throws {}
    /// Does nothing.
    @_documentation(visibility: internal) public func willEncode() throws {}
}

/// The error of a model whose `validate()` returned false, or that a hook refuses with the path of a value.
///
/// `@JSONModel` accepts `func validate() -> Bool` as well as `func validate() throws`. The issue has the model's path and
/// location, and this error is its ``JSONIssue/underlying`` error. A path leads from the model to the value at fault:
///
/// ```swift
/// func validate() throws {
///     if quantity > 100 { throw JSONValidationError("must be at most 100", at: "quantity") }
/// }
/// ```
public struct JSONValidationError: Error, Hashable, CustomStringConvertible {
    /// The reason, which is the message of the issue.
    public let description: String
    /// The path of the value at fault, with the keys of the JSON. The path of the issue is that of the model, followed by this path.
    public let path: JSONPath

    /// Creates the error.
    ///
    /// - Parameters:
    ///   - message: The reason.
    ///   - path: The path of the value at fault, from the model on; by default that of the model.
    public init(_ message: String = "validate() returned false", at path: JSONPath = JSONPath()) {
        (description, self.path) = (message, path)
    }
}

extension JSONIssue {
    /// Creates the issue of an error that a hook or a transform threw. The path begins at the model or at the value.
    package init(thrown error: any Error) {
        self.init(kind: .thrown, path: (error as? JSONValidationError)?.path ?? JSONPath(), underlying: error)
    }
}

/// A model that receives the JSON value of each property before decoding, and may replace the value.
///
/// Each value is first decoded as a `JSONValue`, which costs time and memory. A ``JSONTransform`` for a single property has
/// no such cost.
public protocol JSONValueHook: SendableMetatype {
    /// Returns the value from which a property is decoded.
    ///
    /// - Parameters:
    ///   - value: The value in the JSON; nil if the key is missing.
    ///   - property: The name of the property.
    /// - Returns: The value to decode; nil for a missing value.
    /// - Throws: An error that becomes the ``JSONIssue/underlying`` error of an issue.
    static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue?
}

/// The conformances of a model to the protocols of hooks.
struct HookConformances {
    let hooks: (any JSONHooks.Type)?
    let valueHook: (any JSONValueHook.Type)?

    /// Finds the conformances by casts. A cast that fails searches the conformances of all images of the process.
    init<Model>(casting model: Model.Type) {
        hooks = model as? any JSONHooks.Type
        valueHook = model as? any JSONValueHook.Type
    }

    init(hooks: (any JSONHooks.Type)?, valueHook: (any JSONValueHook.Type)?) {
        (self.hooks, self.valueHook) = (hooks, valueHook)
    }

    /// See `JSONValueHook`.
    var transform: _AnyModelPlan.ValueHook? { valueHook.map { hook in { try hook.transform($0, for: $1) } } }
}

/// The hooks of a model, without the model's type.
// Inlinable, so that the closures are specialized in the client's module: generic code copies the model for each call.
@usableFromInline
struct ModelHooks {
    @inlinable
    init<M>(
        _: M.Type, didDecode: ((inout M) throws -> Void)?, validate: ((M) throws -> Void)?,
        willEncode: ((M) throws -> Void)?, areMethods: Bool
    ) {
        self.areMethods = areMethods
        self.didDecode = didDecode.map { didDecode in
            { try didDecode(&$0.assumingMemoryBound(to: M.self).pointee) }
        }
        self.validate = validate.map { validate in
            { try validate($0.assumingMemoryBound(to: M.self).pointee) }
        }
        beforeEncoding = willEncode.map { willEncode in
            { try willEncode($0.assumingMemoryBound(to: M.self).pointee) }
        }
    }

    /// Calls `didDecode`; nil without this hook.
    @usableFromInline let didDecode: ((UnsafeMutableRawPointer) throws -> Void)?
    /// Calls `validate`; nil without this hook.
    @usableFromInline let validate: ((UnsafeMutableRawPointer) throws -> Void)?
    /// Calls `willEncode`; nil without this hook.
    @usableFromInline let beforeEncoding: ((UnsafeRawPointer) throws -> Void)?
    /// Whether the hooks are methods of the model, which a conformance to ``JSONHooks`` has, too.
    @usableFromInline let areMethods: Bool

    init<M: JSONHooks>(_: M.Type) {
        areMethods = true
        didDecode = { try $0.assumingMemoryBound(to: M.self).pointee.didDecode() }
        validate = { try $0.assumingMemoryBound(to: M.self).pointee.validate() }
        beforeEncoding = { try $0.assumingMemoryBound(to: M.self).pointee.willEncode() }
    }

    private init(
        didDecode: ((UnsafeMutableRawPointer) throws -> Void)?,
        validate: ((UnsafeMutableRawPointer) throws -> Void)?,
        beforeEncoding: ((UnsafeRawPointer) throws -> Void)?
    ) {
        (self.didDecode, self.validate, self.beforeEncoding) = (didDecode, validate, beforeEncoding)
        areMethods = true
    }

    /// Returns the hooks of the kinds that other hooks lack.
    func besides(_ others: [ModelHooks]) -> ModelHooks {
        ModelHooks(
            didDecode: others.contains { $0.didDecode != nil } ? nil : didDecode,
            validate: others.contains { $0.validate != nil } ? nil : validate,
            beforeEncoding: others.contains { $0.beforeEncoding != nil } ? nil : beforeEncoding)
    }

    /// Returns the hooks of a flattened model, which may be left out in one direction.
    func inDirections(isDecoded: Bool, isEncoded: Bool) -> ModelHooks {
        if isDecoded, isEncoded { return self }
        return ModelHooks(
            didDecode: isDecoded ? didDecode : nil, validate: isDecoded ? validate : nil,
            beforeEncoding: isEncoded ? beforeEncoding : nil)
    }

    /// Calls `didDecode`, then `validate`.
    func afterDecoding(_ model: UnsafeMutableRawPointer) throws {
        try didDecode?(model)
        try validate?(model)
    }
}

extension JSONModel {
    /// Calls the hooks that follow decoding, for an object that its own initializer has made.
    package func callHooksAfterDecoding() throws {
        var model = self
        try withUnsafeMutablePointer(to: &model) { try Self._erasedPlan._complete().hooks.afterDecoding($0) }
    }
}

extension [ModelHooks] {
    /// Calls each `didDecode`, then each `validate`: a superclass is validated after the hooks of its subclass have changed the object.
    func afterDecoding(_ model: UnsafeMutableRawPointer) throws {
        for hooks in self { try hooks.didDecode?(model) }
        for hooks in self { try hooks.validate?(model) }
    }
}
