#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONOutput<Data> {
    /// UTF-8 in a `Data`.
    public static var data: JSONOutput { JSONOutput { text throws(JSONModelError) in Data(text) } }
}

extension JSONOutput<Any> {
    /// Dictionaries, arrays, strings, booleans and numbers.
    ///
    /// A number is an `Int`, a `UInt64` if an `Int` is too small, a `Double`, or a `Decimal` if a `Double` has too few digits. `null`
    /// is nil in an `Any`.
    public static var any: JSONOutput {
        JSONOutput { text throws(JSONModelError) in try JSONOutput<JSONValue>.value.result(of: text).anyObject }
    }
}

extension JSONOutput<[String: Any]> {
    /// A dictionary of the members of an object. See ``JSONOutput/any`` for the values.
    ///
    /// A value that is not written as an object is an error of the kind `notEncodable`.
    public static var object: JSONOutput {
        JSONOutput { text throws(JSONModelError) in
            let object = try JSONOutput<Any>.any.result(of: text)
            if let members = object as? [String: Any] { return members }
            throw JSONModelError(issues: [JSONIssue(kind: .notEncodable("it is not written as an object"))])
        }
    }
}

extension JSONValue {
    /// The value as dictionaries, arrays and scalars of Swift and Foundation.
    fileprivate var anyObject: Any {
        let null: Any? = nil
        return object(null as Any) { number in
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
}

extension JSONDestination {
    /// The file at a URL, which is replaced when everything has been written.
    ///
    /// A URL that is not that of a file on this machine is an error of the kind `invalidPath` when the destination is written to.
    public static func file(_ url: URL) -> JSONDestination {
        do throws(JSONModelError) {
            return .file(try url.pathOfFile("write to a closure, and send the chunks there"))
        } catch {
            return .refused(error)
        }
    }
}
