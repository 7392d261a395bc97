#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decodes `Decodable` types, with the interface of Foundation's `JSONDecoder`.
///
/// `typealias JSONDecoder = SluiceJSONDecoder` is enough to use this class instead of Foundation's. Errors are those of
/// Foundation, each with a `JSONModelError` as the underlying error, which has the location of the fault.
///
/// ```swift
/// let decoder = SluiceJSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let repository = try decoder.decode(Repository.self, from: data)
/// ```
open class SluiceJSONDecoder: @unchecked Sendable {
    // Unchecked sendability: a lock guards the options.
    /// The options, and the objects derived from them.
    private struct State: Sendable {
        var options = Options()
        /// The engine for the options.
        var decoding: CodableDecoding?
    }

    /// The options of a decoder.
    struct Options: Sendable {
        var dates = DateDecodingStrategy.deferredToDate
        var data = DataDecodingStrategy.base64
        var floats = NonConformingFloatDecodingStrategy.throw
        var keys = KeyDecodingStrategy.useDefaultKeys
        var userInfo: [CodingUserInfoKey: any Sendable] = [:]
        var allowsJSON5 = false
        var assumesTopLevelDictionary = false
        var reader = JSONModelDecoder.scanning
    }

    private let state = Lock(State())

    /// Creates a decoder with the default strategies.
    public init() {}

    private func get<Value>(_ property: KeyPath<Options, Value> & Sendable) -> Value {
        state.withLock { $0.options[keyPath: property] }
    }

    private func set<Value>(_ property: WritableKeyPath<Options, Value> & Sendable, _ value: Value) {
        let old = state.withLock { state in
            let old = state
            state.options[keyPath: property] = value
            state.decoding = nil
            return old
        }
        // Released after the lock, because a value of an option may use the decoder when it is released.
        withExtendedLifetime(old) {}
    }

    var options: Options { state.withLock { $0.options } }

    /// The engine for the current options.
    var decoding: CodableDecoding {
        state.withLock { state in
            if let decoding = state.decoding { return decoding }
            let decoding = state.options.engine
            state.decoding = decoding
            return decoding
        }
    }

    // MARK: Options of Foundation

    /// How dates are decoded. The default is ``DateDecodingStrategy/deferredToDate``.
    open var dateDecodingStrategy: DateDecodingStrategy {
        get { get(\.dates) }
        set { set(\.dates, newValue) }
    }

    /// How binary data is decoded. The default is ``DataDecodingStrategy/base64``.
    open var dataDecodingStrategy: DataDecodingStrategy {
        get { get(\.data) }
        set { set(\.data, newValue) }
    }

    /// How infinities and NaN are decoded. By default they are errors.
    open var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy {
        get { get(\.floats) }
        set { set(\.floats, newValue) }
    }

    /// How keys are converted before they are compared with the keys of a type. The default is no conversion.
    open var keyDecodingStrategy: KeyDecodingStrategy {
        get { get(\.keys) }
        set { set(\.keys, newValue) }
    }

    /// Values that the initializers of types can read.
    @preconcurrency open var userInfo: [CodingUserInfoKey: any Sendable] {
        get { get(\.userInfo) }
        set { set(\.userInfo, newValue) }
    }

    /// Whether the input may be JSON5. The default is false. The input of ``models`` is strict JSON.
    open var allowsJSON5: Bool {
        get { get(\.allowsJSON5) }
        set { set(\.allowsJSON5, newValue) }
    }

    /// Whether the braces around the input may be missing. The default is false. The input of ``models`` is strict JSON.
    open var assumesTopLevelDictionary: Bool {
        get { get(\.assumesTopLevelDictionary) }
        set { set(\.assumesTopLevelDictionary, newValue) }
    }

    // MARK: Options of Sluice

    /// The source of the tokens. The default is the scanner, which is several times as fast as libyajl.
    open var source: JSONModelDecoder.Source {
        get { get(\.reader.source) }
        set { set(\.reader.source, newValue) }
    }

    /// The limits that input must respect.
    open var limits: JSONLimits {
        get { get(\.reader.limits) }
        set { set(\.reader.limits, newValue) }
    }

    /// Receives the progress of decoding a file or standard input after each window of 64 KB.
    open var progressHandler: (@Sendable (JSONProgress) -> Void)? {
        get { get(\.reader.progressHandler) }
        set { set(\.reader.progressHandler, newValue) }
    }

    // MARK: Decoding

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: JSON in UTF-8, UTF-16 or UTF-32.
    /// - Throws: `DecodingError`, or an error thrown by the initializer of a type.
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        let decoding = decoding
        return try data.withUTF8JSON { try decoding.decode(type, .bytes($0)) }
    }

    /// Decodes a value with a configuration.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: JSON in UTF-8, UTF-16 or UTF-32.
    ///   - configuration: The configuration for the initializer of the type.
    /// - Throws: `DecodingError`, or an error thrown by the initializer of a type.
    open func decode<T: DecodableWithConfiguration>(
        _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
    ) throws -> T {
        let decoding = decoding
        return try data.withUTF8JSON { bytes in
            try decoding.decode(.bytes(bytes)) { try T(from: $0, configuration: configuration) }
        }
    }

    /// Decodes a value with the configuration that a type provides.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: JSON in UTF-8, UTF-16 or UTF-32.
    ///   - configuration: The type that provides the configuration.
    /// - Throws: `DecodingError`, or an error thrown by the initializer of a type.
    open func decode<T: DecodableWithConfiguration, C: DecodingConfigurationProviding>(
        _ type: T.Type, from data: Data, configuration: C.Type
    ) throws -> T where T.DecodingConfiguration == C.DecodingConfiguration {
        try decode(type, from: data, configuration: C.decodingConfiguration)
    }
}

extension JSONModelDecoder {
    /// A decoder that reads with the scanner.
    fileprivate static var scanning: JSONModelDecoder {
        var decoder = JSONModelDecoder()
        decoder.source = .scanner
        return decoder
    }
}

#if canImport(Combine)
import Combine

extension SluiceJSONDecoder: TopLevelDecoder {}
#endif
