#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Foundation's outputs: `Data`, files by URL, and dictionaries.

extension JSONModelEncoder {
    /// How dates are written, where a property says nothing: as ISO 8601 text.
    public var dates: JSONDateStrategy {
        get { self[JSONDateStrategy.self] ?? .automatic }
        set {
            self[JSONDateStrategy.self] = newValue
            override(newValue.shape, for: Date.self)
        }
    }

    /// Encodes a value as UTF-8.
    ///
    /// - Throws: `JSONModelError`
    public func encodeToData<T: JSONFillable>(_ value: T) throws(JSONModelError) -> Data {
        try withText(of: value) { Data($0) }
    }

    /// Encodes a value into a file.
    ///
    /// What was there is replaced when all has been written: where that fails, it is as it was. A URL that is not that
    /// of a file is an error of the kind `invalidPath`.
    ///
    /// - Throws: `JSONModelError`
    public func write<T: JSONFillable>(_ value: T, to file: URL) throws(JSONModelError) {
        try write(value, to: file.pathOfFile("encode into a sink, and send it there"))
    }

    /// Encodes the elements of a sequence as an array into a file, one after another.
    ///
    /// - Throws: `JSONModelError`
    public func writeArray<S: Sequence>(
        of elements: S, to file: URL
    ) throws(JSONModelError) where S.Element: JSONFillable {
        try writeArray(of: elements, to: file.pathOfFile("encode into a sink, and send it there"))
    }

    /// Encodes a value as dictionaries, arrays, strings, booleans and numbers: `Int`, or `UInt64` where it is too large
    /// for one, or `Double`, or `Decimal` for more digits than that has. `null` is nil in an `Any`.
    ///
    /// - Throws: `JSONModelError`
    @_disfavoredOverload
    public func encodeToObject<T: JSONFillable>(_ value: T) throws(JSONModelError) -> Any {
        try object(value)
    }

    private func object<T: JSONFillable>(_ value: T) throws(JSONModelError) -> Any {
        let null: Any? = nil
        return try encodeToValue(value).object(null as Any) { number in
            let isInteger = number.description.utf8.allSatisfy {
                $0 <= UInt8(ascii: "9") && $0 != UInt8(ascii: ".")
            }
            if isInteger, let integer = number.int { return integer }
            if isInteger, let integer = number.exactly(UInt64.self) { return integer }
            let digits = number.description.prefix { $0 != "e" && $0 != "E" }.count { $0.isNumber }
            if digits <= 17, let double = number.double { return double }
            if let decimal = Decimal(string: number.description) { return decimal }
            return number.description
        }
    }

    /// Encodes a model as a dictionary, likewise.
    ///
    /// - Throws: `JSONModelError`; of the kind `notEncodable` where the model is an enum that is written as no object.
    public func encodeToObject<T: JSONModel>(_ value: T) throws(JSONModelError) -> [String: Any] {
        if let members = try object(value) as? [String: Any] { return members }
        let issue = JSONIssue(kind: .notEncodable("it is written as no object"))
        throw JSONModelError(issues: [issue])
    }
}
