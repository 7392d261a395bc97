#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// What Foundation makes of a string: each takes one, and says what is wrong with it.

extension URL: JSONConvertible {
    /// A string that Foundation's `URL` takes. The empty one is none.
    public static var jsonShape: JSONShape {
        .string(Self.self, expecting: "a URL", otherwise: "is no URL") {
            URL(string: $0)
        } write: {
            $0.absoluteString
        }
    }
}

extension TimeZone: JSONConvertible {
    /// A string with an identifier, such as `Europe/Berlin` or `GMT+2`, or an abbreviation that Foundation knows, such
    /// as `PST` or `CEST`.
    public static var jsonShape: JSONShape {
        .string(Self.self, expecting: "a time zone", otherwise: "is no time zone that this program knows") {
            TimeZone(identifier: $0) ?? TimeZone(abbreviation: $0)
        } write: {
            $0.identifier
        }
    }
}

extension Locale: JSONConvertible {
    /// A string with an identifier, such as `de_CH`. Foundation takes any text for one, here it must not be empty.
    public static var jsonShape: JSONShape {
        .string(Self.self, expecting: "a locale", otherwise: "is no locale that this program knows") { text in
            let locale = Locale(identifier: text)
            // A program that links FoundationEssentials alone has one locale, whatever it asks for.
            return text.isEmpty || locale.identifier == "en_001" && text != "en_001" ? nil : locale
        } write: {
            $0.identifier
        }
    }
}

extension JSONShape {
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
        }
    }
}
