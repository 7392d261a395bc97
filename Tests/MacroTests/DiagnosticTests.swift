#if Macros
import Foundation
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import Testing

@testable import SluiceMacros

/// Compares the diagnostics of the sources in the folder `Diagnostics` with those that are written there, each below its line.
/// `Scripts/test.sh expansions` rewrites them.
@Suite struct DiagnosticTests {
    @Test(arguments: DiagnosticFile.names)
    func `the diagnostics of a source, and the lines that fix-its make, are those below its lines`(_ name: String)
        throws
    {
        let sections = try DiagnosticFile.sections(name)
        #expect(sections.count > 1)
        let actual = sections.map { section in
            let expansion = Expansion(section.source, missing: section.conformances)
            #expect(expansion.isFixedByItsFixIts, "\(name): \(section.title)")
            return section.heading + expansion.annotatedSource
        }
        if writesGoldenFiles {
            return try actual.joined(separator: "\n").write(
                to: DiagnosticFile.url(name), atomically: true, encoding: .utf8)
        }
        for (section, actual) in zip(sections, actual) where section.text != actual {
            Issue.record(
                "\(name): \(section.title): the diagnostics (+) are not those expected (-)\n\(difference(from: section.text, to: actual))"
            )
        }
    }

    @Test func `many conditions are an error if each combination needs code`() {
        func reports(_ type: String, _ conditions: [String]) -> [String] {
            Expansion("@JSONModel\n\(type) Model {\n\(conditions.joined(separator: "\n"))\n}").reports()
        }
        let conditions = (1...20).map { "#if A\($0)\nvar a\($0): Int\n#endif" }
        #expect(reports("struct", conditions) == [])
        #expect(reports("final class", Array(conditions.prefix(6))) == [])
        #expect(
            reports("final class", Array(conditions.prefix(7))) == [
                "2:13 error: the members are inside '#if' with more than 6 conditions, and @JSONModel needs code for each combination; use one '#if' for several members"
            ])
        let equal = (1...9).map { "#if \($0 % 2 == 0 ? "(A)" : "!(A)")\nvar a\($0): Int\n#else\n#endif" }
        #expect(reports("final class", equal) == [])
    }
}

/// A file of the folder `Diagnostics`: sections that begin with their titles, and are expanded each on its own.
private enum DiagnosticFile {
    struct Section {
        static let mark = "// MARK: - "
        let text: String
        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
        var title: Substring { lines[0].dropFirst(Self.mark.count) }
        /// The lines that are not a part of the source: the title, and the conformances that the compiler asks for.
        var heading: String {
            lines.prefix { $0.hasPrefix(Self.mark) || $0.hasPrefix(conformancesMark) }.map { "\($0)\n" }.joined()
        }
        var source: String {
            lines.filter { !$0.drop { $0 == " " }.hasPrefix(Expansion.annotationMark) }.dropFirst().map {
                "\($0)\n"
            }.joined()
        }
        var conformances: [String] { requestedConformances(in: lines) }
    }

    private static let suffix = ".swift.txt"
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Diagnostics")

    static let names = try! FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        .filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()

    static func url(_ name: String) -> URL { folder.appending(path: name + suffix) }

    static func sections(_ name: String) throws -> [Section] {
        try String(contentsOf: url(name), encoding: .utf8).components(separatedBy: "\n" + Section.mark).enumerated()
            .map { Section(text: $0 == 0 ? $1 : Section.mark + $1) }
    }
}

extension Expansion {
    fileprivate static let annotationMark = "//%"

    /// The source with its diagnostics below their lines: the column and the message. Notes have the number of lines from there to their
    /// own. Fix-its have the lines that they make.
    fileprivate var annotatedSource: String {
        var annotations: [Int: [String]] = [:]
        for diagnostic in diagnostics {
            let (line, column) = place(diagnostic.node, diagnostic.position)
            var texts = ["\(column) \(diagnostic.diagMessage.severity): \(diagnostic.message)"]
            for note in diagnostic.notes {
                let place = place(note.node, note.position)
                texts.append("    \(place.line - line):\(place.column) note: \(note.message)")
            }
            for fixIt in diagnostic.fixIts {
                texts.append("    fix-it: \(fixIt.message.message)")
                texts += linesMade(by: fixIt.changes).map { "        \($0)" }
            }
            annotations[line, default: []] += texts
        }
        var lines: [String] = []
        for (number, line) in zip(1..., source.split(separator: "\n", omittingEmptySubsequences: false).dropLast())
        {
            lines.append("\(line)\n")
            lines += (annotations[number] ?? []).map {
                "\(line.prefix { $0 == " " })\(Self.annotationMark) \($0)\n"
            }
        }
        return lines.joined()
    }

    private func linesMade(by changes: [FixIt.Change]) -> [Substring] {
        let (old, new) = (source.split(separator: "\n"), applying(changes).split(separator: "\n"))
        return new.difference(from: old).insertions.compactMap { change in
            guard case .insert(_, let line, _) = change else { return nil }
            return line.drop { $0 == " " }
        }
    }

    /// No fix-it of a name is left in the source that all fix-its of this name make.
    fileprivate var isFixedByItsFixIts: Bool {
        Set(diagnostics.flatMap(\.fixIts).map(\.message.message)).allSatisfy { name in
            guard let fixed = applying(name) else { return true }
            return Expansion(fixed, missing: conformances).applying(name) == nil
        }
    }
}
#endif
