#if Macros
import Foundation
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacrosGenericTestSupport
import Testing
@Test func dump() throws {
    for n in try FileManager.default.contentsOfDirectory(atPath: "/tmp/lk/cases") where !n.hasSuffix(".out") && !n.hasSuffix(".rep") {
        let s = try String(contentsOfFile: "/tmp/lk/cases/" + n, encoding: .utf8)
        let e = Expansion(s)
        let file = Parser.parse(source: s)
        let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
        let t = file.expand(macroSpecs: specs, contextGenerator: { BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts()) }, indentationWidth: .spaces(4))
        try t.description.write(toFile: "/tmp/lk/cases/" + n + ".out", atomically: true, encoding: .utf8)
        let names = Set(e.context.diagnostics.flatMap(\.fixIts).map(\.message.message))
        for f in names.sorted() { try ("@@" + f + "\n" + e.applying(f)!).write(toFile: "/tmp/lk/cases/" + n + "." + f.filter(\.isLetter) + ".fix.out", atomically: true, encoding: .utf8) }
        try e.reports.joined(separator: "\n").write(toFile: "/tmp/lk/cases/" + n + ".rep", atomically: true, encoding: .utf8)
    }
}
#endif
