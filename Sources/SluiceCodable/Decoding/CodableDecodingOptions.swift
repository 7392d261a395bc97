import SluiceCore

/// Makes the options of types without a plan inside of models, for the decoder of the models. A setting of that decoder.
package struct InnerDecodingOptions: Sendable {
    let make: @Sendable (_ models: JSONModelDecoder) -> CodableDecodingOptions

    package init(_ make: @escaping @Sendable (_ models: JSONModelDecoder) -> CodableDecodingOptions) {
        self.make = make
    }
}

/// The options of decoding `Decodable` types.
package final class CodableDecodingOptions: Sendable {
    /// The conversion of keys of the input to keys of a container.
    package enum KeyConversion: Sendable {
        /// Not at all.
        case none
        /// By their text.
        case text(@Sendable (String) -> String)
        /// By the path of the key. The last component of the path is the key of the input.
        case path(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    /// The strings that represent values that JSON numbers cannot represent.
    package struct FloatStrings: Sendable {
        package let positiveInfinity: String
        package let negativeInfinity: String
        package let nan: String

        package init(positiveInfinity: String, negativeInfinity: String, nan: String) {
            (self.positiveInfinity, self.negativeInfinity, self.nan) = (positiveInfinity, negativeInfinity, nan)
        }
    }

    package let userInfo: [CodingUserInfoKey: any Sendable]
    let keyConversion: KeyConversion
    /// Whether keys are converted.
    let convertsKeys: Bool
    /// The strings for infinite numbers and NaN; nil if such values are errors.
    let floatStrings: FloatStrings?
    /// The conversions of types with their own rules.
    let types: DecodableTypes
    /// The settings of the module that decodes types with their own rules.
    package let settings: (any AnyObject & Sendable)?
    /// Decodes models with plans.
    let models: JSONModelDecoder
    /// Whether issues of models are reported.
    let reportsIssues: Bool
    /// Whether the caller receives errors of the type `DecodingError`, also those of the hooks of models.
    let throwsDecodingErrors: Bool

    package init(
        userInfo: [CodingUserInfoKey: any Sendable] = [:], keyConversion: KeyConversion = .none,
        floatStrings: FloatStrings? = nil, types: DecodableTypes, settings: (any AnyObject & Sendable)? = nil,
        models: JSONModelDecoder = JSONModelDecoder(), throwsDecodingErrors: Bool = true
    ) {
        self.userInfo = userInfo
        self.keyConversion = keyConversion
        if case .none = keyConversion { convertsKeys = false } else { convertsKeys = true }
        self.floatStrings = floatStrings
        self.types = types
        self.settings = settings
        self.models = models
        reportsIssues = models.reportsIssues
        self.throwsDecodingErrors = throwsDecodingErrors
    }

    /// Whether the conversion of a key depends on its path.
    var needsPath: Bool { if case .path = keyConversion { true } else { false } }

    func converted(_ key: String, _ path: [any CodingKey]) -> String {
        switch keyConversion {
        case .none: key
        case .text(let convert): convert(key)
        case .path(let convert): convert(path + [AnyCodingKey(stringValue: key)]).stringValue
        }
    }
}
