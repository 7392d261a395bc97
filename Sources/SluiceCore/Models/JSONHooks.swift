/// What a model does when it has been decoded, and before it is encoded. `@JSONModel` calls those of the methods that it
/// sees in the type's body without this conformance, which is for those in extensions, and for plans by hand.
///
/// An error that a hook throws arrives as it was thrown, inside an issue with path and offset.
public protocol JSONHooks {
    /// Called when every property is filled; may change them.
    mutating func didDecode() throws
    /// Called last: throws if the model cannot be accepted.
    func validate() throws
    /// Called before the model is encoded.
    func willEncode() throws
}

extension JSONHooks {
    /// Does nothing.
    public func didDecode() throws {}
    /// Accepts every model.
    public func validate() throws {}
    /// Does nothing.
    public func willEncode() throws {}
}

/// The error of a model whose `validate()` returned false.
///
/// `@JSONModel` accepts `func validate() -> Bool` beside `func validate() throws`. The issue has the model's path and
/// location; this is its ``JSONIssue/underlying``.
public struct JSONValidationError: Error, Hashable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The reason, as in the issue.
    public var description: String { "validate() returned false" }
}

/// A model that sees each property's value as it stands in the text before it is decoded, and may put another in its
/// place.
///
/// Each value is held as a `JSONValue` first, so this costs time and memory; ``JSONTransform`` for single properties does
/// not.
public protocol JSONValueHook {
    /// Returns the value that a property is decoded from.
    ///
    /// - Parameters:
    ///   - value: what stands in the text; nil where nothing does.
    ///   - property: the property's name.
    /// - Returns: what the property is decoded from; nil for what is missing.
    static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue?
}
