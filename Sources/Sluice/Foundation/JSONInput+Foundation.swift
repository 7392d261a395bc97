#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Data: JSONInput {
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try bytes.withContent(body)
    }
}

extension JSONInput where Self == JSONFileInput {
    /// The file at a URL. It is read in windows, never whole.
    ///
    /// A URL that is not that of a file on this machine is an error of the kind `invalidPath` when the input is read.
    public static func file(_ url: URL) -> JSONFileInput {
        JSONFileInput(Result { () throws(JSONModelError) in try url.pathOfFile() })
    }
}

/// Text that is not in UTF-8. See ``JSONInput/text(_:encoding:)``.
public struct JSONEncodedInput: JSONInput, Sendable {
    let data: Data
    let encoding: String.Encoding

    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        if encoding == .utf8 { return try data.withContent(body) }
        return try Transcoding.utf8(of: data, in: encoding).withContent(body)
    }
}

extension JSONInput where Self == JSONEncodedInput {
    /// Text in an encoding other than UTF-8.
    ///
    /// The text is converted to UTF-8 first. Offsets and columns of errors count bytes of UTF-8. UTF-16 and UTF-32 may begin with
    /// a byte order mark. Without one, and if the encoding does not state the order, the first character decides.
    ///
    /// Bytes that are not text in the encoding are an error of the kind `wrongEncoding`.
    public static func text(_ data: Data, encoding: String.Encoding) -> JSONEncodedInput {
        JSONEncodedInput(data: data, encoding: encoding)
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
