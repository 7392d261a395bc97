#if Macros
import SwiftSyntax

extension DeclSyntaxProtocol {
    /// The text of the documentation comment; nil if the declaration has none.
    ///
    /// The comment is before the first attribute, before another one, or before the keyword.
    var documentation: String? {
        for token in tokens(viewMode: .sourceAccurate) {
            if let text = token.leadingTrivia.documentation { return text }
            if case .keyword(let keyword) = token.tokenKind, Self.introducers.contains(keyword) { return nil }
        }
        return nil
    }

    private static var introducers: [Keyword] { [.struct, .class, .enum, .var, .let, .case] }
}

extension Trivia {
    /// The text of the last documentation comment; nil without one.
    fileprivate var documentation: String? {
        var lines: [String] = []
        var isInterrupted = false
        for piece in pieces {
            switch piece {
            case .docLineComment(let text):
                if isInterrupted { lines = [] }
                isInterrupted = false
                lines.append(String(text.dropFirst(3)))
            case .docBlockComment(let text):
                isInterrupted = true
                lines = Self.lines(ofBlock: text)
            case .newlines(let count), .carriageReturnLineFeeds(let count):
                if count > 1 { isInterrupted = true }
            case .lineComment, .blockComment: isInterrupted = true
            default: break
            }
        }
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
        if lines.isEmpty { return nil }
        // The indentation that all lines have in common is not part of the text.
        let indentations = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix { $0 == " " }.count }
        let indentation = indentations.min() ?? 0
        return lines.map { line in
            var text = line.dropFirst(Swift.min(indentation, line.prefix { $0 == " " }.count))
            while text.last?.isWhitespace == true { text.removeLast() }
            return String(text)
        }.joined(separator: "\n")
    }

    /// Returns the lines of a `/** … */` comment without its delimiters, and without an asterisk at the start of each line.
    private static func lines(ofBlock text: String) -> [String] {
        let contents = text.dropFirst(3).dropLast(text.count >= 5 ? 2 : 0)
        let lines = contents.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines.enumerated().map { index, line in
            let rest = line.drop { $0 == " " || $0 == "\t" }
            if index > 0, rest.first == "*" { return String(rest.dropFirst()) }
            return index == 0 ? String(rest) : String(line)
        }
    }
}

extension PlanRenderer {
    /// The call that adds the documentation comments of the type and its members to the plan.
    ///
    /// The arguments are not evaluated until a schema is requested.
    var descriptions: [String] {
        let members =
            model.kind == .union
            ? model.cases.map { ($0.name, $0.documentation) }
            : model.properties.filter { !$0.isIgnored }.map { ($0.name, $0.documentation) }
        // Members with one name exclude each other by their conditions.
        var names: Set<String> = []
        let texts = members.compactMap { name, text in
            text.flatMap { names.insert(name).inserted ? "\(quote(name)): \(quote($0))" : nil }
        }
        guard model.documentation != nil || !texts.isEmpty else { return [] }
        let type = model.documentation.map(quote) ?? "nil"
        if texts.isEmpty { return [indented(".describing(\(type))")] }
        return [indented(".describing("), indented(indented("\(type),")), indented(indented("["))]
            + texts.map { indented(indented(indented("\($0),"))) } + [indented(indented("])"))]
    }
}
#endif
