#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Foundation's inputs: the bytes of a `Data`, which are borrowed, and files by URL.
//
// A body that answers is disfavoured, or each that doesn't and has more than one statement would be ambiguous.

extension JSONModelDecoder {
    /// Decodes the value at a path of a text in memory.
    ///
    /// - Throws: `JSONModelError`
    public func decode<T: JSONFillable>(
        _ type: T.Type, from data: Data, at path: String = ""
    ) throws(JSONModelError) -> T {
        try data.bytes.withUnsafeBytes { bytes throws(JSONModelError) in
            try decode(type, from: bytes, at: path)
        }
    }

    /// Decodes the value at a path of a text in memory that is in another encoding than UTF-8.
    ///
    /// It is made UTF-8 first. The offsets and columns of errors are those of that text, in its bytes. In UTF-16 and
    /// UTF-32, a byte order mark may stand at the beginning; where it is missing and the encoding does not say the
    /// order, the first character does.
    ///
    /// - Throws: `JSONModelError`; of the kind `wrongEncoding` where the bytes are no text in this encoding.
    public func decode<T: JSONFillable>(
        _ type: T.Type, from data: Data, encoding: String.Encoding, at path: String = ""
    ) throws(JSONModelError) -> T {
        if encoding == .utf8 { return try decode(type, from: data, at: path) }
        return try decode(type, from: try Transcoding.utf8(of: data, in: encoding), at: path)
    }

    /// Decodes the value at a path of a file, which is read in windows, never whole.
    ///
    /// A URL that is not that of a file is an error of the kind `invalidPath`.
    ///
    /// - Throws: `JSONModelError`
    public func decode<T: JSONFillable>(
        _ type: T.Type, contentsOf file: URL, at path: String = ""
    ) throws(JSONModelError) -> T {
        try decode(type, contentsOf: file.pathOfFile(), at: path)
    }

    /// Decodes the elements at a path of a text in memory one after another.
    ///
    /// - Throws: `JSONModelError`
    @_disfavoredOverload
    @discardableResult
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", from data: Data, _ body: (T) throws -> JSONStreamControl
    ) throws(JSONModelError) -> Int {
        try data.bytes.withUnsafeBytes { bytes throws(JSONModelError) in
            try forEach(type, at: path, from: bytes, body)
        }
    }

    /// Decodes the elements at a path of a text in memory one after another, to the end.
    ///
    /// - Throws: `JSONModelError`
    @discardableResult
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", from data: Data, _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try forEach(
            type, at: path, from: data,
            { (element: T) throws -> JSONStreamControl in
                try body(element)
                return .continue
            })
    }

    /// Decodes the elements at a path of a file one after another, without ever holding more than one.
    ///
    /// A URL that is not that of a file is an error of the kind `invalidPath`.
    ///
    /// - Throws: `JSONModelError`; what was complete before an error has been given to `body`.
    @_disfavoredOverload
    @discardableResult
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", contentsOf file: URL, _ body: (T) throws -> JSONStreamControl
    ) throws(JSONModelError) -> Int {
        try forEach(type, at: path, contentsOf: file.pathOfFile(), body)
    }

    /// Decodes the elements at a path of a file one after another, to the end.
    ///
    /// A URL that is not that of a file is an error of the kind `invalidPath`.
    ///
    /// - Throws: `JSONModelError`; what was complete before an error has been given to `body`.
    @discardableResult
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", contentsOf file: URL, _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try forEach(type, at: path, contentsOf: file.pathOfFile(), body)
    }

    /// Changes a value by a text in memory.
    ///
    /// - Throws: `JSONModelError`; then the value is as before.
    public func merge<T: JSONFillable>(
        _ data: Data, into value: inout T, nulls: MergeNulls = .skip, nested: MergeNested = .replace,
        arrays: MergeArrays = .replace
    ) throws(JSONModelError) {
        try merge([UInt8](data), into: &value, nulls: nulls, nested: nested, arrays: arrays)
    }

    /// Checks that a text in memory is JSON within the limits.
    ///
    /// - Throws: `JSONModelError`
    public func validate(_ data: Data) throws(JSONModelError) {
        try data.bytes.withUnsafeBytes { bytes throws(JSONModelError) in try validate(bytes) }
    }

    /// Checks that a file is JSON within the limits. It is read in windows, in flat memory.
    ///
    /// A URL that is not that of a file is an error of the kind `invalidPath`.
    ///
    /// - Throws: `JSONModelError`
    public func validate(contentsOf file: URL) throws(JSONModelError) {
        try validate(contentsOf: file.pathOfFile())
    }
}

extension URL {
    /// The path of a file on this machine.
    func pathOfFile(
        _ advice: String = "fetch it, and decode its bytes"
    ) throws(JSONModelError) -> String {
        let host = isFileURL ? host(percentEncoded: false) ?? "" : ""
        let why: String
        if !isFileURL {
            why = "\(absoluteString) is not the URL of a file: \(advice)"
        } else if !host.isEmpty, host.lowercased() != "localhost" {
            why = "\(absoluteString) is the URL of a file on another machine, \(host): \(advice)"
        } else {
            return path(percentEncoded: false)
        }
        throw JSONModelError(issues: [JSONIssue(kind: .invalidPath(why))])
    }
}
