import SluiceCore

extension CodableDecoding {
    /// An input in JSON.
    struct FormedInput {
        let content: JSONInputContent
        /// The JSON5 that the input represents.
        let json5: JSON5Normalizer?

        init(_ content: JSONInputContent, _ json5: JSON5Normalizer? = nil) {
            (self.content, self.json5) = (content, json5)
        }
    }

    /// The form of the input: that of RFC 8259, or a form that Foundation's decoder accepts, with commas before closing brackets or
    /// without braces.
    package struct Form: Sendable {
        let allowsJSON5: Bool
        /// Whether the braces around the input may be missing.
        let mayLackBraces: Bool
        /// Whether a comma may precede a closing bracket.
        let mayHaveTrailingCommas: Bool

        package init(allowsJSON5: Bool = false, mayLackBraces: Bool = false, mayHaveTrailingCommas: Bool = true) {
            self.allowsJSON5 = allowsJSON5
            self.mayLackBraces = mayLackBraces
            self.mayHaveTrailingCommas = mayHaveTrailingCommas
        }

        /// Whether braces are added to an input that lacks them.
        var addsBraces: Bool { mayLackBraces && !allowsJSON5 }

        /// Calls a closure with an input in JSON: with the JSON of JSON5, with missing braces, and without commas before closing brackets.
        ///
        /// The closure is called again if the input was rejected for such a comma.
        ///
        /// - Parameter isWhole: Whether an input that cannot be read again is kept in memory, because such a comma may be in the input.
        func withContent<R>(
            _ content: JSONInputContent, _ limits: JSONLimits, _ progressHandler: ((JSONProgress) -> Void)?,
            isWhole: Bool = true, _ body: (FormedInput) throws -> R
        ) throws -> R {
            if !allowsJSON5, !mayHaveTrailingCommas { return try body(FormedInput(content)) }
            func text() throws -> [UInt8]? {
                do throws(JSONModelError) { return try content.wholeText(limits, progressHandler) } catch {
                    throw CodableDecoding.decodingError(error)
                }
            }
            if allowsJSON5 {
                if let memory = content.textInMemory { return try withJSON5(memory, limits, body) }
                guard let bytes = try text() else { return try body(FormedInput(content)) }
                return try bytes.withUnsafeBufferPointer { try withJSON5($0, limits, body) }
            }
            guard addsBraces else {
                guard isWhole, content.isText, !content.isRepeatableText, let bytes = try text() else {
                    return try withoutTrailingCommas(content, limits, body)
                }
                return try Self.withBytes(bytes) { try withoutTrailingCommas($0, limits, body) }
            }
            guard let bytes = try text() else { return try body(FormedInput(content)) }
            let start = bytes.withUnsafeBufferPointer { Encoding.hasByteOrderMark($0) } ? 3 : 0
            let limit = max(limits.document, 0)
            if bytes.count - start > limit {
                let issue = JSONIssue(kind: .limitExceeded(.document, limit: limits.document))
                throw CodableDecoding.decodingError(
                    JSONModelError(
                        issues: [bytes.withUnsafeBufferPointer { issue.relocated(to: start + limit, in: $0) }]))
            }
            if bytes[start...].first(where: { !$0.isBlank }) == UInt8(ascii: "{") {
                return try Self.withBytes(bytes) { try withoutTrailingCommas($0, limits, body) }
            }
            let braced = Array(bytes[..<start] + [UInt8(ascii: "{")] + bytes[start...] + [UInt8(ascii: "}")])
            return try Self.withBytes(braced) { whole in
                do { return try withoutTrailingCommas(whole, limits, body) } catch {
                    throw Self.withoutAddedBraces(error, bytes, start: start)
                }
            }
        }

        private static func withBytes<R>(_ bytes: [UInt8], _ body: (JSONInputContent) throws -> R) throws -> R {
            try bytes.withUnsafeBytes { try body(.bytes($0)) }
        }

        private func withJSON5<R>(
            _ text: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits, _ body: (FormedInput) throws -> R
        ) throws -> R {
            let json5: JSON5Normalizer
            do throws(JSONModelError) {
                json5 = try JSON5Normalizer(text, limits: limits, mayLackBraces: mayLackBraces)
            } catch {
                throw CodableDecoding.decodingError(error)
            }
            return try json5.json.withUnsafeBytes { try body(FormedInput(.bytes($0), json5)) }
        }

        private func withoutTrailingCommas<R>(
            _ content: JSONInputContent, _ limits: JSONLimits, _ body: (FormedInput) throws -> R
        ) throws -> R {
            do { return try body(FormedInput(content)) } catch {
                guard let underlying = (error as? DecodingError)?.context?.underlyingError as? JSONModelError,
                    underlying.issues[0].kind == .syntax(SyntaxDiagnosis.trailingComma),
                    content.isRepeatableText, let bytes = try? content.wholeText(limits, nil),
                    let blanked = Self.blankingTrailingCommas(of: bytes)
                else { throw error }
                return try Self.withBytes(blanked) { try body(FormedInput($0)) }
            }
        }

        /// Returns an input with a space instead of each comma after the last value of a container. Offsets stay the same. Returns nil for an
        /// input without such a comma: the error is that of another text, which an initializer has decoded.
        private static func blankingTrailingCommas(of bytes: [UInt8]) -> [UInt8]? {
            var result = bytes
            var hasComma = false
            var isInString = false
            var isEscaped = false
            /// The offset of a comma after a value, while only white space follows.
            var comma: Int?
            /// The last byte other than white space, outside of strings.
            var last = UInt8(ascii: "[")
            for (offset, byte) in bytes.enumerated() {
                if isInString {
                    if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                    isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                    continue
                }
                if byte.isBlank { continue }
                switch byte {
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if let comma {
                        result[comma] = UInt8(ascii: " ")
                        hasComma = true
                    }
                    comma = nil
                case UInt8(ascii: ","):
                    let followsValue = ![
                        UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"),
                    ]
                    .contains(last)
                    comma = followsValue ? offset : nil
                default:
                    comma = nil
                    isInString = byte == UInt8(ascii: "\"")
                }
                last = byte
            }
            return hasComma ? result : nil
        }

        /// Returns an error with the locations and excerpts of the input without the added braces.
        ///
        /// - Parameter start: The offset at which the opening brace was added.
        private static func withoutAddedBraces(_ error: any Error, _ bytes: [UInt8], start: Int) -> any Error {
            guard let error = error as? DecodingError, var model = error.context?.underlyingError as? JSONModelError
            else { return error }
            model.issues = model.issues.map { withoutAddedBraces($0, bytes, start: start) }
            return error.with(underlying: model)
        }

        private static func withoutAddedBraces(_ issue: JSONIssue, _ bytes: [UInt8], start: Int) -> JSONIssue {
            var issue = issue
            var offset = min(max(issue.location.offset - 1, start), bytes.count)
            switch issue.kind {
            case .trailingContent:
                // A closing brace of the input has ended the added object.
                while offset > start, bytes[offset - 1] != UInt8(ascii: "}") { offset -= 1 }
                offset = max(offset - 1, start)
                (issue.kind, issue.hint) = (.syntax("unexpected '}'"), nil)
            case .syntax where offset == bytes.count:
                // The added closing brace is at the end of the input.
                (issue.kind, issue.hint) = (.unexpectedEnd, nil)
            default: break
            }
            if issue.kind.showsWhatFollows || issue.kind == .unexpectedEnd {
                return bytes.withUnsafeBufferPointer { issue.relocated(to: offset, in: $0) }
            }
            issue.location.offset = offset
            guard issue.location.line == 1 else { return issue }
            if issue.location.column == 1 {
                // The value is the object of the added braces.
                issue.excerpt = ""
            } else {
                issue.location.column -= 1
                if issue.excerpt.hasPrefix("{") {
                    let lines = issue.excerpt.split(separator: "\n", omittingEmptySubsequences: false)
                    issue.excerpt = lines.map { String($0.dropFirst()) }.joined(separator: "\n")
                }
            }
            return issue
        }
    }
}
