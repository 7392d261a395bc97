#if Macros
import Foundation
import TestSupport
import Testing

/// Compares the public declarations of the libraries with the file `PublicSurface.txt`, so that no name changes by accident.
/// `make surface` rewrites the file.
@Suite struct PublicSurfaceTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "PublicSurface.txt")

    private static let all = Result { try PublicSurface.all() }

    @Test func `the public declarations are the listed ones`() throws {
        let declarations = try Self.list()
        if TestEnvironment.text("SLUICE_WRITE_SURFACE") != nil {
            try (declarations.joined(separator: "\n") + "\n").write(
                to: Self.file, atomically: true, encoding: .utf8)
            return
        }
        let listed = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(declarations.count > 400)
        for change in declarations.difference(from: listed) {
            switch change {
            case .insert(_, let text, _): Issue.record("not listed in PublicSurface.txt: \(text)")
            case .remove(_, let text, _): Issue.record("listed, but not declared: \(text)")
            }
        }
    }

    /// The lines of the file, in three parts, each of which begins with its number: the declarations that a program names, those that
    /// implement requirements of protocols, and those that documentation and completion hide.
    private static func list() throws -> [String] {
        let all = try all.get()
        let (shown, hidden) = (all.filter { !$0.isHidden }, all.filter(\.isHidden))
        let (named, implied) = (shown.filter { !$0.isWitness }, shown.filter(\.isWitness))
        return ["# \(shown.count) public declarations, in two parts", "# \(named.count) with names of their own"]
            + named.map(\.text) + ["# \(implied.count) that implement requirements of protocols"]
            + implied.map(\.text)
            + ["# \(hidden.count) that documentation hides: for expanded macros, and overloads for further types"]
            + hidden.map(\.text)
    }

    @Test func `every public declaration is documented`() throws {
        for declaration in try Self.all.get() where !declaration.isDocumented {
            if !declaration.isWitness {
                Issue.record("\(declaration.file):\(declaration.line): no documentation: \(declaration.text)")
            }
        }
    }
}
#endif
