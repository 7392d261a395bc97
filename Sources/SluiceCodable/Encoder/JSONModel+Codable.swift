// Coding models with any coder, by their plans. The basis of `@JSONModel(.codable)`.

import SluiceCore

extension JSONModel {
    /// Decodes the model from any coder: by the plan from a decoder of this library, and through a `JSONValue` from any other.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``, whose paths begin with the coder's path; or an error of the coder.
    @_documentation(visibility: internal) public static func jsonDecoded(from decoder: any Decoder) throws -> Self {
        try JSONModelCoding.decode(Self.self, from: decoder)
    }

    /// Decodes the storage through which the model is filled from any coder, like `jsonDecoded(from:)`. The model's hooks are not
    /// called, because the model does not exist yet: see `_jsonDidDecode(from:)`.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``, whose paths begin with the coder's path; or an error of the coder.
    public static func _jsonStorageDecoded<S>(from decoder: any Decoder, as storage: S.Type) throws -> S {
        try JSONModelCoding.decode(FilledStorage<Self, S>.self, from: decoder).value
    }

    /// Calls the hooks of an object that was made from its storage.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError`` with the error of a hook, whose path is that of the coder.
    public func _jsonDidDecode(from decoder: any Decoder) throws {
        do { try callHooksAfterDecoding() } catch {
            var issue = JSONIssue(thrown: error)
            issue.model = ErrorText.name(of: Self.self)
            // The coder has no locations.
            issue.location.line = 0
            throw JSONModelError(issues: [issue]).below(decoder.codingPath)
        }
    }

    /// Encodes the model to any coder, through a `JSONValue`.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``, whose paths begin with the coder's path; or an error of the coder.
    @_documentation(visibility: internal) public func jsonEncode(to encoder: any Encoder) throws {
        var models = JSONModelEncoder()
        // An encoder of this library has the same options, and the same errors, for all of its models.
        let known = encoder as? TapeEncoder
        if let known { models.options = known.tape.options.modelOptions }
        let value: JSONValue
        do { value = try models.encode(self, as: .value) } catch {
            guard let known else { throw error.below(encoder.codingPath) }
            throw known.tape.failure(error, of: self, known.token)
        }
        try value.encode(to: encoder)
    }
}

/// A class with `@JSONModel(.codable)`, and its subclasses; and a struct that has constants with values.
///
/// The initializer of this protocol is not a required initializer, which every subclass would have to declare.
public protocol _JSONCodableModel: JSONModel, Codable {}

extension _JSONCodableModel {
    /// Decodes the model from any coder by its plan.
    public init(from decoder: any Decoder) throws {
        self = try Self.jsonDecoded(from: decoder)
    }

    /// Encodes the model to any coder, by the plan of its own class.
    public func encode(to encoder: any Encoder) throws {
        func encode<M: JSONModel>(as type: M.Type) throws {
            guard let model = self as? M else { return try jsonEncode(to: encoder) }
            try model.jsonEncode(to: encoder)
        }
        try _openExistential(type(of: self) as any JSONModel.Type, do: encode)
    }
}

private enum JSONModelCoding {
    static func decode<T: JSONConvertible>(_ type: T.Type, from decoder: any Decoder) throws -> T {
        // A decoder of this library has the same options for all of its models.
        if let decoder = decoder as? TapeDecoder { return try decoder.decodeByShape(type) }
        let value = try JSONValue(from: decoder)
        do { return try JSONModelDecoder().decode(type, from: value) } catch {
            throw error.below(decoder.codingPath)
        }
    }
}

extension JSONModelError {
    /// Returns the error with a path before each path of the issues.
    func below(_ path: [any CodingKey]) -> JSONModelError {
        let start = JSONPath(path).components
        var error = self
        for at in error.issues.indices {
            error.issues[at].path.components = start + error.issues[at].path.components
        }
        return error
    }
}

/// The storage of a model as a model of its own, with the fields of the model's plan and the same memory.
private struct FilledStorage<Model: JSONModel, Storage>: JSONConvertible {
    var value: Storage

    static var jsonShape: JSONShape {
        .storage(Storage.self, of: Model.self, in: Self.self)
    }
}
