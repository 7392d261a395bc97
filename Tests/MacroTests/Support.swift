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

/// Expects these reports, each as `line:column severity: message` with notes and fix-its indented below.
func expectReports(
    _ source: String, _ reports: String, missing conformances: [String] = allConformances,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    #expect(
        Expansion(source, missing: conformances).reports.joined(separator: "\n") == reports,
        sourceLocation: sourceLocation)
}

/// Expects that the fix-its of this name turn the source into `fixed`, in which none of them is left.
func expectFix(
    _ source: String, _ fixIt: String, _ fixed: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    #expect(Expansion(source).applying(fixIt) == fixed, sourceLocation: sourceLocation)
    #expect(Expansion(fixed).applying(fixIt) == nil, sourceLocation: sourceLocation)
}

/// A source with its macros expanded.
struct Expansion {
    let source: String
    let expanded: String
    /// The errors that a parser finds in the expansion.
    let syntaxErrors: [String]
    private let context: BasicMacroExpansionContext

    init(_ source: String, missing conformances: [String] = allConformances) {
        self.source = source
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

    var reports: [String] { reports(withHighlights: false) }

    func reports(withHighlights: Bool) -> [String] {
        context.diagnostics.flatMap { diagnostic in
            let message = diagnostic.diagMessage
            let highlights =
                withHighlights ? diagnostic.highlights.map { "  highlight: \($0.trimmedDescription)" } : []
            return ["\(place(diagnostic.node, diagnostic.position)) \(message.severity): \(message.message)"]
                + highlights
                + diagnostic.notes.map { "  \(place($0.node, $0.position)) note: \($0.message)" }
                + diagnostic.fixIts.map { "  fix-it: \($0.message.message)" }
        }
    }

    /// The source with the changes of all fix-its of this name, or nil if there are none.
    func applying(_ name: String) -> String? {
        let changes = context.diagnostics.flatMap(\.fixIts).filter { $0.message.message == name }.flatMap(\.changes)
        var bytes = Array(source.utf8)
        // From the end, so that the places of those before stay right.
        for case .replace(let old, let new) in changes.reversed() {
            let start = context.location(for: old.position, anchoredAt: old, fileName: "").offset
            let end = context.location(for: old.endPosition, anchoredAt: old, fileName: "").offset
            bytes.replaceSubrange(start..<end, with: Array(new.description.utf8))
        }
        return changes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private func place(_ node: Syntax, _ position: AbsolutePosition) -> String {
        let place = context.location(for: position, anchoredAt: node, fileName: "")
        return "\(place.line):\(place.column)"
    }
}
#endif
