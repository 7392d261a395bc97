#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Foundation types that are encoded as a string.

extension URL: JSONConvertible {
    /// The shape of a string that `URL(string:)` accepts. An empty string is not a URL.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .string(Self.self, expecting: "a URL", otherwise: "is not a URL") {
            URL(string: $0)
        } write: {
            $0.absoluteString
        }
        .schema(["type": "string", "format": "uri"])
    }
}

extension URL: JSONDictionaryKey {
    /// Creates a URL from a key that `URL(string:)` accepts, or returns nil.
    @_documentation(visibility: internal) public init?(jsonKey: String) { self.init(string: jsonKey) }

    /// The absolute string.
    @_documentation(visibility: internal) public var jsonKey: String { absoluteString }
}

extension TimeZone: JSONConvertible {
    /// The shape of a string with an identifier, such as `Europe/Berlin` or `GMT+2`, or an abbreviation that Foundation
    /// supports, such as `PST` or `CEST`.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .string(Self.self, expecting: "a time zone", otherwise: "is not a known time zone") {
            TimeZone(identifier: $0) ?? TimeZone(abbreviation: $0)
        } write: {
            $0.identifier
        }
    }
}

extension Locale: JSONConvertible {
    /// The shape of a string with an identifier, such as `de_CH`. Foundation accepts any string, but an empty string is
    /// an error here.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .string(Self.self, expecting: "a locale", otherwise: "is not a known locale") { text in
            let locale = Locale(identifier: text)
            // With FoundationEssentials alone, every identifier gives the locale `en_001`.
            return text.isEmpty || locale.identifier == "en_001" && text != "en_001" ? nil : locale
        } write: {
            $0.identifier
        }
    }
}

extension JSONShape {
    /// Makes the shape of a type that is encoded as a string.
    ///
    /// - Parameter otherwise: The end of the message for a string that `make` rejects.
    fileprivate static func string<T>(
        _ type: T.Type, expecting: String, otherwise: String, make: @escaping @Sendable (String) -> T?,
        write: @escaping @Sendable (T) -> String
    ) -> JSONShape {
        .scalar(type, expecting: expecting) { scalar in
            guard let text = scalar.string else { throw JSONModelError.ConversionFailure.mismatch }
            guard let value = make(text) else {
                throw JSONModelError.ConversionFailure.invalid("\(quoted(text)) \(otherwise)")
            }
            return value
        } write: {
            .string(write($0))
        } text: {
            $1.string(write($0))
        }
        .schema(["type": "string"])
    }
}
