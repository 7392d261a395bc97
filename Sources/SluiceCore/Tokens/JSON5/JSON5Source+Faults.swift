// The actions of the sink, and errors in the input.

extension JSON5Source {
    /// Performs the sink's action after the token from `start` to the current position.
    mutating func apply(
        _ action: TokenAction, from start: UnsafePointer<UInt8>, _ sink: inout some JSON5Sink & ~Copyable
    ) throws(JSON5Fault) {
        if action == .proceed { return }
        let (first, last) = (text.offset(of: start), text.offset(of: at))
        switch capture.handle(action, &sink, &text, from: first, to: last) {
        case .proceed: return
        case .stop: throw .stopped
        case .fail(let issue): throw .failed(issue)
        }
    }

    /// Whether the input continues beyond the document limit.
    var isCut: Bool { end - text.chunk < text.count }

    /// The fault of input beyond the document limit.
    var documentFault: JSON5Fault {
        .rejected(.limitExceeded(.document, limit: limits.document), at: text.offset(of: end))
    }

    /// Returns a fault at a position, by default the current one. Input that the document limit cuts has no other end.
    func fault(_ kind: JSONIssue.Kind, at position: UnsafePointer<UInt8>? = nil) -> JSON5Fault {
        if isCut, kind == .unexpectedEnd || kind == .emptyInput { return documentFault }
        return .rejected(kind, at: text.offset(of: position ?? at))
    }

    /// Returns the error of a fault, or nil if the sink stopped the parse.
    mutating func failure(
        _ fault: JSON5Fault, _ sink: borrowing some JSON5Sink & ~Copyable
    ) -> JSONModelError? {
        switch fault {
        case .stopped: return nil
        case .failed(let issue): return JSONModelError(issues: [issue])
        case .rejected(let kind, let offset):
            let limit = text.end(ofDocumentWithin: limits.document)
            return text.rejected(sink.issue(kind), at: offset, limit: limit).error
        }
    }

    /// The character at the current position, for messages.
    var name: String {
        let byte = at.pointee
        return 0x21..<0x7F ~= byte
            ? "'\(UnicodeScalar(byte))'" : "byte 0x\(String(byte, radix: 16, uppercase: true))"
    }

    var unexpected: String { 0x21..<0x7F ~= at.pointee ? "unexpected character \(name)" : "unexpected \(name)" }
}
