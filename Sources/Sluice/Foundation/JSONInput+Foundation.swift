#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Data: JSONInput {
    @_documentation(visibility: internal) public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try bytes.withContent(body)
    }
}

extension JSONInput where Self == JSONFileInput {
    /// The file at a URL, or the rest of the file, with which a stream continues. The file is read in windows, never as a whole.
    ///
    /// If the URL does not name a file on this machine, reading the input throws an error of the kind `invalidPath`.
    ///
    /// - Parameters:
    ///   - url: A file URL.
    ///   - checkpoint: The point from which a stream continues; nil for the start of the file.
    public static func file(_ url: URL, from checkpoint: JSONCheckpoint? = nil) -> JSONFileInput {
        JSONFileInput(url.result, from: checkpoint)
    }

    /// A range of the file at a URL, of which a stream reads the elements. See `JSONInput.file(_:range:)` for a path.
    ///
    /// - Parameters:
    ///   - url: A file URL.
    ///   - range: The offsets of the bytes.
    public static func file(_ url: URL, range: Range<Int>) -> JSONFileInput {
        JSONFileInput(url.result, range: range)
    }

    /// A range of the file at a URL, of which a stream reads the elements.
    ///
    /// - Parameters:
    ///   - url: A file URL.
    ///   - range: The range, from `JSONModelDecoder.ranges(of:at:framing:parts:)` or from `sluice ranges`.
    public static func file(_ url: URL, range: JSONFileRange) -> JSONFileInput {
        JSONFileInput(url.result, range: range)
    }
}

/// JSON in an encoding other than UTF-8. See `JSONInput.text(_:encoding:)`.
private struct EncodedInput: JSONInput, Sendable {
    /// The text in UTF-8, or the error that reading the input throws. Converted once, because a cursor requests the text for each window.
    private let text: Result<Data, JSONModelError>

    init(_ data: Data, _ encoding: String.Encoding) {
        text = Result { () throws(JSONModelError) in
            try encoding == .utf8 ? data : Data(Transcoding.utf8(of: data, in: encoding))
        }
    }

    func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try text.get().withContent(body)
    }
}

extension JSONInput where Self == JSONFileInput {
    /// JSON in an encoding other than UTF-8.
    ///
    /// The input is converted to UTF-8 when it is created. Offsets and columns of errors count UTF-8 bytes. UTF-16 and UTF-32
    /// may begin with a byte order mark. Without a mark, and if the encoding does not state a byte order, the first
    /// character determines the byte order.
    ///
    /// If the bytes are not valid in the encoding, reading the input throws an error of the kind `wrongEncoding`.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - encoding: The encoding of the bytes.
    public static func text(_ data: Data, encoding: String.Encoding) -> some JSONInput & Sendable {
        EncodedInput(data, encoding)
    }
}

extension URL {
    /// The path of a file on this machine, or the error of any other URL.
    fileprivate var result: Result<String, JSONModelError> {
        Result { () throws(JSONModelError) in try pathOfFile() }
    }

    /// Returns the path of a file on this machine.
    ///
    /// - Parameter advice: The alternative that the error suggests.
    /// - Throws: An error of the kind `invalidPath` for any other URL.
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
