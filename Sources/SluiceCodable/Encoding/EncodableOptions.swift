import SluiceCore

/// Makes the options of types without a plan inside of models, for the options of the models. A setting of the encoder of the models.
struct InnerEncodableOptions: Sendable {
    let make: @Sendable (_ models: EncodingOptions) -> EncodableOptions
}

/// The options of an encoder of `Encodable` values. All calls with the same options share one object.
package final class EncodableOptions: Sendable {
    /// How the text of coding keys is changed.
    package enum KeyConversion: Sendable {
        case none
        case snakeCase
        /// The closure receives the coding path, which ends with the key.
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// The classification of types, which depends on the kind of encoder.
    let types: EncodableTypes
    let format: OutputFormat
    let isSorted: Bool
    let nonConformingFloats: JSONModelEncoder.NonConformingFloatStrategy
    let keys: KeyConversion
    /// Whether keys are written as they are.
    let keepsKeys: Bool
    /// The number of containers that may be nested.
    let depthLimit: Int
    let userInfo: [CodingUserInfoKey: any Sendable]
    /// The options of the plans by which values with plans are written.
    package let modelOptions: EncodingOptions
    /// Whether the errors of plans become instances of `EncodingError`.
    let throwsEncodingErrors: Bool
    /// The strategies of another module, for the writers that the module adds to `types`.
    package let strategies: (any Sendable)?

    init(
        types: EncodableTypes, modelOptions: EncodingOptions, depthLimit: Int, keys: KeyConversion = .none,
        userInfo: [CodingUserInfoKey: any Sendable] = [:], throwsEncodingErrors: Bool = false,
        strategies: (any Sendable)? = nil
    ) {
        self.throwsEncodingErrors = throwsEncodingErrors
        self.types = types
        self.modelOptions = modelOptions
        self.depthLimit = depthLimit
        self.keys = keys
        self.userInfo = userInfo
        self.strategies = strategies
        format = modelOptions.format
        isSorted = modelOptions.isSorted
        nonConformingFloats = modelOptions.nonConformingFloats
        if case .none = keys { keepsKeys = true } else { keepsKeys = false }
    }

    /// Creates the options of an encoder with the behavior of Foundation's `JSONEncoder`.
    package convenience init(
        types: EncodableTypes, isPretty: Bool, isSorted: Bool, escapesSlashes: Bool,
        nonConformingFloats: JSONModelEncoder.NonConformingFloatStrategy, keys: KeyConversion,
        userInfo: [CodingUserInfoKey: any Sendable], strategies: any Sendable, models: JSONModelEncoder
    ) {
        var models = models
        models.userInfo = userInfo
        // The strategies apply to types without a plan, inside of models, too.
        models[InnerEncodableOptions.self] = InnerEncodableOptions { models in
            EncodableOptions(
                types: types, modelOptions: models, depthLimit: models.limits.depth, keys: keys,
                userInfo: models.userInfo, strategies: strategies)
        }
        var options = models.options
        options.format = OutputFormat(
            isPretty: isPretty, escapesSlashes: escapesSlashes, isFoundationStyle: true)
        (options.isSorted, options.isCanonical) = (isSorted, false)
        options.nonConformingFloats = nonConformingFloats
        // Foundation allows one container less than its limit of 512.
        options.limits.depth = 511
        self.init(
            types: types, modelOptions: options, depthLimit: 511, keys: keys, userInfo: userInfo,
            throwsEncodingErrors: true, strategies: strategies)
    }
}
