import SluiceCore

extension CodableDecoding {
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

        var language: TextLanguage { allowsJSON5 ? .json5(mayLackBraces: mayLackBraces) : .json }

        /// Calls a closure with an input whose missing braces are added, and without commas before closing brackets.
        ///
        /// The closure is called again if the input was rejected for such a comma.
        func withContent<R>(
            _ content: JSONInputContent, _ limits: JSONLimits, _ body: (JSONInputContent) throws -> R
        ) throws -> R {
            if allowsJSON5 || !mayHaveTrailingCommas { return try body(content) }
            guard mayLackBraces else { return try withoutTrailingCommas(content, body) }
            let text: [UInt8]?
            do throws(JSONModelError) { text = try content.wholeText(limits) } catch {
                throw CodableDecoding.decodingError(error)
            }
            guard let bytes = text else { return try body(content) }
            let start = bytes.withUnsafeBufferPointer { Encoding.hasByteOrderMark($0) } ? 3 : 0
            if bytes[start...].first(where: { !$0.isBlank }) == UInt8(ascii: "{") {
                return try Self.withBytes(bytes) { try withoutTrailingCommas($0, body) }
            }
            let braced = Array(bytes[..<start] + [UInt8(ascii: "{")] + bytes[start...] + [UInt8(ascii: "}")])
            return try Self.withBytes(braced) { whole in
                do { return try withoutTrailingCommas(whole, body) } catch { throw Self.withoutAddedBrace(error) }
            }
        }

        private static func withBytes<R>(_ bytes: [UInt8], _ body: (JSONInputContent) throws -> R) throws -> R {
            try bytes.withUnsafeBytes { try body(.bytes($0)) }
        }

        private func withoutTrailingCommas<R>(
            _ content: JSONInputContent, _ body: (JSONInputContent) throws -> R
        ) throws -> R {
            do { return try body(content) } catch {
                guard let underlying = (error as? DecodingError)?.context?.underlyingError as? JSONModelError,
                    underlying.issues[0].kind == .syntax(SyntaxDiagnosis.trailingComma),
                    let bytes = content.textInMemory
                else { throw error }
                return try Self.withBytes(Self.blankingTrailingCommas(of: bytes), body)
            }
        }

        /// Returns an input with a space instead of each comma after the last value of a container. Offsets stay the same.
        private static func blankingTrailingCommas(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
            var result = Array(bytes)
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
                    if let comma { result[comma] = UInt8(ascii: " ") }
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
            return result
        }

        /// Returns an error with the locations of the input without the added opening brace.
        private static func withoutAddedBrace(_ error: any Error) -> any Error {
            guard let error = error as? DecodingError, var model = error.context?.underlyingError as? JSONModelError
            else { return error }
            for index in model.issues.indices {
                model.issues[index].location.offset = max(model.issues[index].location.offset - 1, 0)
                if model.issues[index].location.line == 1, model.issues[index].location.column > 1 {
                    model.issues[index].location.column -= 1
                }
            }
            return error.with(underlying: model)
        }
    }
}
