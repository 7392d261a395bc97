import SluiceCore

extension JSONModelDecoder {
    /// Decodes the value at a path of a document in JSON5, such as a configuration.
    ///
    /// ```swift
    /// let settings = try decoder.decode(Settings.self, fromJSON5: .file("settings.json5"))
    /// ```
    ///
    /// The document is read as a whole, and rewritten as JSON. Issues have their location in the JSON5. A ``/SluiceCore/JSONPositioned``
    /// value, and an issue in a ``/SluiceCore/JSONLazy``, has the location in the JSON. The source is the scanner.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - input: The input. See ``/SluiceCore/JSONInput``.
    ///   - path: The path of the value. The default is the root. See `JSONPath`.
    /// - Throws: ``/SluiceCore/JSONModelError``. Infinities and NaN, which JSON lacks, are errors.
    public func decode<T: JSONConvertible>(
        _ type: T.Type = T.self, fromJSON5 input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath()
    ) throws(JSONModelError) -> T {
        let document: JSON5Document? = try input.withContent { content throws(JSONModelError) in
            guard let text = try content.wholeText(limits, progressHandler) else { return nil }
            return try JSON5Document(text, limits)
        }
        // A value in memory has no text.
        guard let document else { return try decode(type, from: input, at: path) }
        var decoder = self
        decoder.source = .scanner
        // The lengths of the JSON5 were examined.
        let depth = limits.depth
        decoder.limits = JSONLimits()
        decoder.limits.depth = depth
        decoder.progressHandler = nil
        if let handler = issueHandler { decoder.issueHandler = { handler(document.relocated($0)) } }
        do { return try decoder.decode(type, from: document.json, at: path) } catch {
            throw JSONModelError(issues: error.issues.map { document.relocated($0) })
        }
    }
}

/// A document in JSON5 with the JSON that represents the document.
// Unchecked: the memory of the text is not changed.
private final class JSON5Document: @unchecked Sendable {
    private let text: UnsafeMutableBufferPointer<UInt8>
    private let normalizer: JSON5Normalizer

    init(_ bytes: [UInt8], _ limits: JSONLimits) throws(JSONModelError) {
        let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = text.initialize(from: bytes)
        do throws(JSONModelError) {
            normalizer = try JSON5Normalizer(
                UnsafeBufferPointer(text), limits: limits, mayLackBraces: false, isFinite: true)
        } catch {
            text.deallocate()
            throw error
        }
        self.text = text
    }

    deinit { text.deallocate() }

    var json: [UInt8] { normalizer.json }

    func relocated(_ issue: JSONIssue) -> JSONIssue { normalizer.relocated(issue) }
}
