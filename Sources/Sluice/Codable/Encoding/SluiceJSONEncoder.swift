#if Foundation || canImport(Darwin)
import Foundation
#else
import FoundationEssentials
#endif

#if canImport(Combine)
import Combine
#endif

/// Encodes `Encodable` values as JSON, with the interface of Foundation's `JSONEncoder`.
///
/// ```swift
/// let encoder = SluiceJSONEncoder()
/// encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
/// let data = try encoder.encode(repository)
/// ```
///
/// The options, the output and the errors are those of Foundation. Without `sortedKeys`, members have the order in which they
/// are encoded. A value with a plan, such as that of a type with `@JSONModel`, is written by its plan.
///
/// Several threads may use an encoder at the same time.
open class SluiceJSONEncoder: @unchecked Sendable {
    /// All options.
    struct Options: Sendable {
        var outputFormatting: OutputFormatting = []
        var dates = DateEncodingStrategy.deferredToDate
        var data = DataEncodingStrategy.base64
        var nonConformingFloats = NonConformingFloatEncodingStrategy.throw
        var keys = KeyEncodingStrategy.useDefaultKeys
        var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    }

    private let state = EncoderState()

    /// Creates an encoder with the default options.
    public init() {}

    // MARK: Options

    /// The layout of the JSON. The default has no white space.
    open var outputFormatting: OutputFormatting {
        get { state.options.outputFormatting }
        set { state.change { $0.outputFormatting = newValue } }
    }

    /// How dates are encoded. The default is `deferredToDate`.
    open var dateEncodingStrategy: DateEncodingStrategy {
        get { state.options.dates }
        set { state.change { $0.dates = newValue } }
    }

    /// How `Data` is encoded. The default is `base64`.
    open var dataEncodingStrategy: DataEncodingStrategy {
        get { state.options.data }
        set { state.change { $0.data = newValue } }
    }

    /// How numbers that are infinite or not a number are encoded. By default they are errors.
    open var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy {
        get { state.options.nonConformingFloats }
        set { state.change { $0.nonConformingFloats = newValue } }
    }

    /// How coding keys become the keys of the JSON. By default their text is not changed.
    open var keyEncodingStrategy: KeyEncodingStrategy {
        get { state.options.keys }
        set { state.change { $0.keys = newValue } }
    }

    /// The information that values receive from their encoder.
    @preconcurrency open var userInfo: [CodingUserInfoKey: any Sendable] {
        get { state.options.userInfo }
        set { state.change { $0.userInfo = newValue } }
    }

    // MARK: Values

    /// Encodes a value.
    ///
    /// - Parameter value: The value.
    /// - Returns: The JSON in UTF-8.
    /// - Throws: `EncodingError.invalidValue`, or an error that a value throws.
    open func encode<T: Encodable>(_ value: T) throws -> Data {
        try encoded(value) { Data($0) }
    }

    /// Encodes a value with a configuration.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - configuration: The configuration.
    /// - Returns: The JSON in UTF-8.
    /// - Throws: `EncodingError.invalidValue`, or an error that a value throws.
    open func encode<T: EncodableWithConfiguration>(
        _ value: T, configuration: T.EncodingConfiguration
    ) throws -> Data {
        try state.withCall { call in
            try call.encode(value, to: { try value.encode(to: $0, configuration: configuration) }) { Data($0) }
        }
    }

    /// Encodes a value with the configuration of a type.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - configuration: The type that provides the configuration.
    /// - Returns: The JSON in UTF-8.
    /// - Throws: `EncodingError.invalidValue`, or an error that a value throws.
    open func encode<T: EncodableWithConfiguration, C: EncodingConfigurationProviding>(
        _ value: T, configuration: C.Type
    ) throws -> Data where T.EncodingConfiguration == C.EncodingConfiguration {
        try encode(value, configuration: C.encodingConfiguration)
    }
}

// MARK: Other forms of output

extension SluiceJSONEncoder {
    /// Encodes a value as a string, a `JSONValue` or another form of JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - output: The form, such as `.string` or `.bytes`.
    /// - Throws: `EncodingError.invalidValue`, an error that a value throws, or the error of the form.
    public func encode<T: Encodable, Result>(_ value: T, as output: JSONOutput<Result>) throws -> Result {
        try encoded(value) { text in try output.make(text) }
    }

    /// An encoder of models with the options of this encoder at present, for writers of elements and the other verbs of Sluice.
    ///
    /// ```swift
    /// var writer = try encoder.models.writer(to: .file("rows.jsonl"), framing: .lines)
    /// ```
    ///
    /// Errors are instances of `JSONModelError`. The `EncodingError` of a value is the issue's `underlying` error.
    public var models: JSONModelEncoder {
        var models = JSONModelEncoder()
        models.options = state.options.engineOptions.modelOptions
        return models
    }

    private func encoded<T: Encodable, Result>(
        _ value: T, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try state.withCall { call in try call.encode(value, body) }
    }
}

#if canImport(Combine)
extension SluiceJSONEncoder: TopLevelEncoder {}
#endif
