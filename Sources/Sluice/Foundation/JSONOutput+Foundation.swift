#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONOutput<Data> {
    /// UTF-8 as `Data`.
    public static var data: JSONOutput {
        JSONOutput(
            copying: { text throws(JSONModelError) in Data(text) },
            inPlace: { capacity, write in
                let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
                let count = write(memory)
                return Data(
                    bytesNoCopy: memory.baseAddress!, count: count,
                    deallocator: .custom { address, _ in address.deallocate() })
            })
    }
}

extension JSONOutput<Any> {
    /// The encoded value as dictionaries, arrays, strings, booleans, numbers and nil.
    ///
    /// An integer is an `Int`, or a `UInt64` if the value does not fit in `Int`. Any other number is a `Double`, or a
    /// `Decimal` if the number has more digits than a `Double`, or a `String` of its digits if neither type holds the number.
    /// `null` is an `Any` that contains nil.
    public static var any: JSONOutput {
        JSONOutput { text throws(JSONModelError) in try JSONOutput<JSONValue>.value.make(text).anyObject() }
    }
}

extension JSONOutput<[String: Any]> {
    /// The members of the encoded object as a dictionary. See ``JSONOutput/any`` for the values.
    ///
    /// If the value is not encoded as an object, encoding throws an error of the kind `notEncodable`.
    public static var object: JSONOutput {
        JSONOutput { text throws(JSONModelError) in
            let object = try JSONOutput<Any>.any.make(text)
            if let members = object as? [String: Any] { return members }
            throw JSONModelError(issues: [JSONIssue(kind: .notEncodable("it is not written as an object"))])
        }
    }
}

extension JSONValue {
    /// The value as dictionaries and arrays with scalars of Swift and Foundation.
    fileprivate func anyObject() throws(JSONModelError) -> Any {
        let null: Any? = nil
        return try object(null as Any) { number in
            let isInteger = number.description.utf8.allSatisfy {
                $0 <= UInt8(ascii: "9") && $0 != UInt8(ascii: ".")
            }
            if isInteger, let integer = number.int { return integer }
            if isInteger, let integer = number.exactly(UInt64.self) { return integer }
            // Leading zeros are no digits of the number.
            let digits = number.description.prefix { $0 != "e" && $0 != "E" }
                .drop { !("1"..."9").contains($0) }.count { $0.isNumber }
            if digits <= 17, let double = number.double { return double }
            if let decimal = Decimal(string: number.description), decimal.isFinite { return decimal }
            if let double = number.double { return double }
            return number.description
        }
    }
}

extension JSONDestination {
    /// The file at a URL. An existing file is replaced after all output is written. See `JSONDestination.file(_:inPlace:)` for a path.
    ///
    /// If the URL does not name a file on this machine, writing throws an error of the kind `invalidPath`.
    ///
    /// - Parameters:
    ///   - url: A file URL.
    ///   - inPlace: Whether the contents of the file are overwritten, instead of being replaced by a new file.
    public static func file(_ url: URL, inPlace: Bool = false) -> JSONDestination {
        to(url) { .file($0, inPlace: inPlace) }
    }

    /// The end of the file at a URL, which is created if missing. See `JSONDestination.appending(to:removesIncompleteEnd:)` for a path.
    ///
    /// If the URL does not name a file on this machine, writing throws an error of the kind `invalidPath`.
    ///
    /// - Parameters:
    ///   - url: A file URL.
    ///   - removesIncompleteEnd: Whether an incomplete last element is removed, instead of an error of the kind `notAppendable`.
    public static func appending(to url: URL, removesIncompleteEnd: Bool = false) -> JSONDestination {
        to(url) { .appending(to: $0, removesIncompleteEnd: removesIncompleteEnd) }
    }

    private static func to(_ url: URL, _ destination: (String) -> JSONDestination) -> JSONDestination {
        do throws(JSONModelError) {
            return destination(try url.pathOfFile("write to a closure, and send the chunks there"))
        } catch {
            return .invalid(error)
        }
    }
}
