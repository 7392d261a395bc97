#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of Foundation's decoder for its own types.
enum FoundationTypes {
    /// The strategies of a decoder.
    final class Strategies: Sendable {
        let dates: SluiceJSONDecoder.DateDecodingStrategy
        let data: SluiceJSONDecoder.DataDecodingStrategy

        init(_ options: SluiceJSONDecoder.Options) {
            dates = options.dates
            data = options.data
        }
    }

    /// The methods of all types. Models are decoded by their plans, and any JSON with all digits and with its own keys.
    static let methods = DecodableTypes { type in
        switch ObjectIdentifier(type) {
        case ObjectIdentifier(Date.self): DecodableTypes.Rule { try date($0) }
        case ObjectIdentifier(Data.self): DecodableTypes.Rule { try data($0) }
        case ObjectIdentifier(URL.self): DecodableTypes.Rule { try url($0) }
        case ObjectIdentifier(Decimal.self): DecodableTypes.Rule { try decimal($0) }
        case ObjectIdentifier(JSONValue.self): byShape(JSONValue.self)
        default: (type as? any (JSONModel & Decodable).Type).map { byShape($0) }
        }
    }

    private static func byShape<T: JSONConvertible>(_ type: T.Type) -> DecodableTypes.Rule {
        DecodableTypes.Rule { try $0.decodeByShape(T.self) }
    }

    private static func strategies(_ decoder: TapeDecoder) -> Strategies {
        guard let strategies = decoder.options.settings as? Strategies else {
            preconditionFailure("the decoder has no strategies")
        }
        return strategies
    }

    // MARK: Types

    private static func date(_ decoder: TapeDecoder) throws -> Date {
        try decoder.checkNotNull(Date.self)
        switch strategies(decoder).dates {
        case .deferredToDate: return Date(timeIntervalSinceReferenceDate: try decoder.decode(Double.self))
        case .secondsSince1970: return Date(timeIntervalSince1970: try decoder.decode(Double.self))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try decoder.decode(Double.self) / 1000)
        case .iso8601:
            if let date = decoder.withStringBytes(wholeSecond) { return date }
            let text = try decoder.decode(String.self)
            guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
                // Foundation reports the path of the value whose initializer decodes the date.
                let failure = ValueFailure(
                    .invalidValue(
                        expected: "a date (ISO 8601 text)",
                        reason: "\(quoted(text)) is not like 2024-05-06T07:08:09Z"),
                    at: decoder.codingPath)
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.initializerPath,
                        debugDescription: "Expected date string to be ISO8601-formatted.", underlyingError: failure)
                )
            }
            return date
        case .custom(let decode): return try decode(decoder)
        }
    }

    /// Returns the date of a text that Foundation reads as the same date: without a fraction of a second, less than 15 hours from UTC, and of
    /// a year whose days are equal in all calendars of Foundation. Returns nil for other texts.
    private static func wholeSecond(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count >= 20, text[10] == UInt8(ascii: "T"), text[0] >= UInt8(ascii: "1"),
            text[0] > UInt8(ascii: "1") || text[1] >= UInt8(ascii: "6")
        else { return nil }
        switch (text[19], text.count) {
        case (UInt8(ascii: "Z"), 20): break
        case (UInt8(ascii: "+"), 24...25), (UInt8(ascii: "-"), 24...25):
            let isFar =
                text[20] > UInt8(ascii: "1") || text[20] == UInt8(ascii: "1") && text[21] > UInt8(ascii: "4")
            guard !isFar else { return nil }
        default: return nil
        }
        return try? ISO8601Moment(text).date
    }

    private static func data(_ decoder: TapeDecoder) throws -> Data {
        try decoder.checkNotNull(Data.self)
        switch strategies(decoder).data {
        case .deferredToData: return try Data(from: decoder)
        case .base64:
            guard let data = Data(base64Encoded: try decoder.decode(String.self)) else {
                throw corrupted(decoder, "Encountered Data is not valid Base64.")
            }
            return data
        case .custom(let decode): return try decode(decoder)
        }
    }

    private static func url(_ decoder: TapeDecoder) throws -> URL {
        try decoder.checkNotNull(URL.self)
        guard let url = URL(string: try decoder.decode(String.self)) else {
            throw corrupted(decoder, "Invalid URL string.")
        }
        return url
    }

    private static func decimal(_ decoder: TapeDecoder) throws -> Decimal {
        try decoder.checkNotNull(Decimal.self)
        guard let number = decoder.number, let text = decoder.numberText else {
            if decoder.isNaN { return .nan }
            if decoder.isInfinite { throw decoder.unrepresentableNumber(Decimal.self) }
            throw decoder.mismatchWithoutText(Decimal.self)
        }
        if let digits = DecimalDigits.of(number), let value = Decimal(digits) { return value }
        guard let value = Decimal(string: text), value.isFinite else {
            throw decoder.unrepresentableNumber(Decimal.self)
        }
        return value
    }

    private static func corrupted(_ decoder: TapeDecoder, _ text: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
    }
}

extension SluiceJSONDecoder.Options {
    /// The decoder of models. The strategies apply to types without a plan, inside of models, too.
    var models: JSONModelDecoder {
        var models = reader
        models.userInfo = userInfo
        models.options.planOptions = StrategicPlans.decoding(self).options.planOptions
        models[InnerDecodingOptions.self] = InnerDecodingOptions { codable($0, throwsDecodingErrors: false) }
        return models
    }

    /// The engine for `Decodable` types.
    var engine: CodableDecoding {
        CodableDecoding(
            codable(models, throwsDecodingErrors: true), reader: reader,
            form: CodableDecoding.Form(allowsJSON5: allowsJSON5, mayLackBraces: assumesTopLevelDictionary))
    }

    private func codable(_ models: JSONModelDecoder, throwsDecodingErrors: Bool) -> CodableDecodingOptions {
        let conversion: CodableDecodingOptions.KeyConversion =
            switch keys {
            case .useDefaultKeys: .none
            case .convertFromSnakeCase: .text { SnakeCase.camelCase($0) }
            case .custom(let convert): .path(convert)
            }
        let strings: CodableDecodingOptions.FloatStrings? =
            switch floats {
            case .throw: nil
            case .convertFromString(let positive, let negative, let nan):
                CodableDecodingOptions.FloatStrings(
                    positiveInfinity: positive, negativeInfinity: negative, nan: nan)
            }
        return CodableDecodingOptions(
            userInfo: models.userInfo, keyConversion: conversion, floatStrings: strings,
            types: FoundationTypes.methods,
            settings: FoundationTypes.Strategies(self), models: models, throwsDecodingErrors: throwsDecodingErrors)
    }
}

/// The plans of models inside of `Codable` types. Dates and data are decoded and encoded like those of types without a plan, by the
/// strategies of the coder. Plans are resolved once for all coders.
enum StrategicPlans {
    private static let decoders = [false, true].map { convertsFloats in
        [JSONKeyStrategy.asDeclared, .snakeCase].map { keys in
            var decoder = JSONModelDecoder()
            decoder.override(.codable(Date.self), for: Date.self)
            decoder.override(.codable(Data.self), for: Data.self)
            if convertsFloats {
                decoder.override(.codable(Double.self), for: Double.self)
                decoder.override(.codable(Float.self), for: Float.self)
                #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
                decoder.override(.codable(Float16.self), for: Float16.self)
                #endif
            }
            decoder.keyStrategy = keys
            return decoder
        }
    }

    private static let encoders = [JSONKeyStrategy.asDeclared, .snakeCase].map { keys in
        var encoder = JSONModelEncoder()
        encoder.override(.codable(Date.self), for: Date.self)
        encoder.override(.codable(Data.self), for: Data.self)
        encoder.keyStrategy = keys
        return encoder
    }

    static func decoding(_ options: SluiceJSONDecoder.Options) -> JSONModelDecoder {
        var (convertsFloats, isSnakeCase) = (false, false)
        if case .convertFromString = options.floats { convertsFloats = true }
        if case .convertFromSnakeCase = options.keys { isSnakeCase = true }
        return decoders[convertsFloats ? 1 : 0][isSnakeCase ? 1 : 0]
    }

    static func encoding(_ options: SluiceJSONEncoder.Options) -> JSONModelEncoder {
        if case .convertToSnakeCase = options.keys { encoders[1] } else { encoders[0] }
    }
}
