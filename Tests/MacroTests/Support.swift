#if Macros
import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import Testing

@testable import SluiceMacros

/// What the compiler says of a type that conforms to nothing yet; of a subclass of a model it leaves most away.
let allConformances = ["JSONModel", "JSONConvertible", "Decodable", "Encodable", "_JSONCodableModel"]
let subclassConformances = ["Decodable", "Encodable", "_JSONCodableModel"]

private func specs(missing conformances: [String]) -> [String: MacroSpec] {
    var specs = Dictionary(
        uniqueKeysWithValues: PropertyAttribute.allCases.map {
            ($0.name, MacroSpec(type: PropertyMacro.self))
        })
    specs["JSONModel"] = MacroSpec(type: JSONModelMacro.self, conformances: conformances.map { "\(raw: $0)" })
    return specs
}

/// A source with its macros expanded.
struct Expansion {
    let source: String
    let conformances: [String]
    let expanded: String
    /// The errors that a parser finds in the expansion.
    let syntaxErrors: [String]
    private let context: BasicMacroExpansionContext

    init(_ source: String, missing conformances: [String] = allConformances) {
        self.source = source
        self.conformances = conformances
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
        let expanded = file.expand(
            macroSpecs: specs(missing: conformances),
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            }, indentationWidth: .spaces(4))
        self.expanded = expanded.description
        syntaxErrors = ParseDiagnosticsGenerator.diagnostics(for: expanded).map(\.message)
        self.context = context
    }

    var diagnostics: [Diagnostic] { context.diagnostics }

    /// Each diagnostic as `line:column severity: message`, with highlights, notes and fix-its indented below.
    func reports(withHighlights: Bool = false) -> [String] {
        func text(_ node: Syntax, _ position: AbsolutePosition) -> String {
            let (line, column) = place(node, position)
            return "\(line):\(column)"
        }
        return diagnostics.flatMap { diagnostic in
            let message = diagnostic.diagMessage
            let highlights =
                withHighlights ? diagnostic.highlights.map { "  highlight: \($0.trimmedDescription)" } : []
            return ["\(text(diagnostic.node, diagnostic.position)) \(message.severity): \(message.message)"]
                + highlights
                + diagnostic.notes.map { "  \(text($0.node, $0.position)) note: \($0.message)" }
                + diagnostic.fixIts.map { "  fix-it: \($0.message.message)" }
        }
    }

    /// The source with the changes of all fix-its of this name, or nil if there are none.
    func applying(_ name: String) -> String? {
        let changes = diagnostics.flatMap(\.fixIts).filter { $0.message.message == name }.flatMap(\.changes)
        return changes.isEmpty ? nil : applying(changes)
    }

    /// The source with changes, of which the later ones of overlapping changes are left out.
    func applying(_ changes: [FixIt.Change]) -> String {
        var replacements: [(range: Range<Int>, text: [UInt8])] = []
        for case .replace(let old, let new) in changes {
            let start = context.location(for: old.position, anchoredAt: old, fileName: "").offset
            let end = context.location(for: old.endPosition, anchoredAt: old, fileName: "").offset
            if replacements.contains(where: { $0.range.overlaps(start..<end) }) { continue }
            replacements.append((start..<end, Array(new.description.utf8)))
        }
        var bytes = Array(source.utf8)
        // From the end, so that the places of those before stay right.
        for (range, text) in replacements.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(range, with: text)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func place(_ node: Syntax, _ position: AbsolutePosition) -> (line: Int, column: Int) {
        let place = context.location(for: position, anchoredAt: node, fileName: "")
        return (place.line, place.column)
    }
}
#endif
