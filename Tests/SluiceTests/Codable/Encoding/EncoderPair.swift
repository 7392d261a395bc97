import Foundation
import Sluice
import Testing

/// The options of both encoders.
struct EncoderOptions: Sendable {
    var formatting: SluiceJSONEncoder.OutputFormatting = [.sortedKeys]
    var dates = SluiceJSONEncoder.DateEncodingStrategy.deferredToDate
    var data = SluiceJSONEncoder.DataEncodingStrategy.base64
    var floats = SluiceJSONEncoder.NonConformingFloatEncodingStrategy.throw
    var keys = SluiceJSONEncoder.KeyEncodingStrategy.useDefaultKeys
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    var sluice: SluiceJSONEncoder {
        let encoder = SluiceJSONEncoder()
        encoder.outputFormatting = formatting
        encoder.dateEncodingStrategy = dates
        encoder.dataEncodingStrategy = data
        encoder.nonConformingFloatEncodingStrategy = floats
        encoder.keyEncodingStrategy = keys
        encoder.userInfo = userInfo
        return encoder
    }

    var foundation: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = JSONEncoder.OutputFormatting(rawValue: formatting.rawValue)
        encoder.dateEncodingStrategy =
            switch dates {
            case .deferredToDate: .deferredToDate
            case .secondsSince1970: .secondsSince1970
            case .millisecondsSince1970: .millisecondsSince1970
            case .iso8601: .iso8601
            #if Foundation || canImport(Darwin)
            case .formatted(let formatter):
                .custom { date, encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(formatter.string(from: date))
                }
            #endif
            case .custom(let encode): .custom(encode)
            }
        encoder.dataEncodingStrategy =
            switch data {
            case .deferredToData: .deferredToData
            case .base64: .base64
            case .custom(let encode): .custom(encode)
            }
        if case .convertToString(let infinity, let negative, let nan) = floats {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: infinity, negativeInfinity: negative, nan: nan)
        }
        encoder.keyEncodingStrategy =
            switch keys {
            case .useDefaultKeys: .useDefaultKeys
            case .convertToSnakeCase: .convertToSnakeCase
            case .custom(let convert): .custom(convert)
            }
        encoder.userInfo = userInfo
        return encoder
    }

    /// The options in all layouts.
    var layouts: [EncoderOptions] {
        let layouts: [SluiceJSONEncoder.OutputFormatting] = [
            [.sortedKeys], [.sortedKeys, .prettyPrinted], [.sortedKeys, .withoutEscapingSlashes],
            [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes],
        ]
        return layouts.map { layout in
            var options = self
            options.formatting = layout
            return options
        }
    }
}

/// Expects the bytes that Foundation writes, in all layouts.
func expectSameJSON<T: Encodable>(
    _ value: T, _ options: EncoderOptions = EncoderOptions(), sourceLocation: SourceLocation = #_sourceLocation
) throws {
    for options in options.layouts {
        let theirs = String(decoding: try options.foundation.encode(value), as: UTF8.self)
        let encoder = options.sluice
        for _ in 0..<2 {
            // The second call uses the memory of the first.
            let ours = String(decoding: try encoder.encode(value), as: UTF8.self)
            #expect(ours == theirs, sourceLocation: sourceLocation)
        }
    }
}

/// The parts of an error that Foundation defines.
struct EncodingFailure: Equatable, CustomStringConvertible {
    let value: String
    let path: [String]
    let integers: [Int?]
    let text: String

    init?(_ body: () throws -> Void) {
        do {
            try body()
            return nil
        } catch EncodingError.invalidValue(let value, let context) {
            self.value = "\(value)"
            path = context.codingPath.map(\.stringValue)
            integers = context.codingPath.map(\.intValue)
            text = context.debugDescription
        } catch {
            value = "\(error)"
            (path, integers, text) = ([], [], "not an EncodingError")
        }
    }

    var description: String { "\(value) at \(path): \(text)" }
}

/// Expects the error that Foundation throws.
func expectSameError<T: Encodable>(
    _ value: T, _ options: EncoderOptions = EncoderOptions(), sourceLocation: SourceLocation = #_sourceLocation
) {
    let theirs = EncodingFailure { _ = try options.foundation.encode(value) }
    let ours = EncodingFailure { _ = try options.sluice.encode(value) }
    #expect(theirs != nil, sourceLocation: sourceLocation)
    #expect(ours == theirs, sourceLocation: sourceLocation)
}

/// A key for any text.
struct TextKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int?

    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.init(stringValue) }
    init(intValue: Int) {
        self.init("\(intValue)")
        self.intValue = intValue
    }
    init(stringLiteral value: String) { self.init(value) }
}

/// A value that is encoded by a closure.
struct EncodedBy: Encodable {
    let body: (any Encoder) throws -> Void

    init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }

    func encode(to encoder: any Encoder) throws { try body(encoder) }
}
