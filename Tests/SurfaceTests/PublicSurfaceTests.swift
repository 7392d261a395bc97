#if Macros
import Foundation
import TestSupport
import Testing

/// Compares the public declarations of the libraries with the file `PublicSurface.txt`, so that no name changes by accident.
/// `make surface` rewrites the file.
@Suite struct PublicSurfaceTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "PublicSurface.txt")

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

    /// The lines of the file: the declarations for programs, and apart from them those that documentation and completion hide. Each
    /// part begins with its number.
    private static func list() throws -> [String] {
        let all = try PublicSurface.all()
        let (shown, hidden) = (all.filter { !$0.isHidden }, all.filter(\.isHidden))
        return ["# \(shown.count) declarations for programs"] + shown.map(\.text)
            + ["# \(hidden.count) declarations that only expanded macros and other declarations refer to"]
            + hidden.map(\.text)
    }

    /// Requirements of protocols of the standard library, and of `JSONConvertible`, have the documentation of the protocol.
    private static let witnesses: Set<String> = [
        "jsonShape", "jsonKey", "description", "==", "<", "hash", "encode", "withContent", "startIndex", "endIndex",
        "index", "init(from", "init(jsonKey", "errorDescription", "errorDomain", "errorCode", "errorUserInfo",
        "recoverySuggestion", "_jsonShape", "_JSONElement", "_JSONPartial",
    ]

    @Test func `every public declaration is documented`() throws {
        for declaration in try PublicSurface.all() where !declaration.isDocumented {
            let isWitness = Self.witnesses.contains { name in
                ["var \(name)", "func \(name)", " \(name)", "typealias \(name)"].contains {
                    declaration.text.contains($0)
                }
            }
            if !isWitness {
                Issue.record("\(declaration.file):\(declaration.line): no documentation: \(declaration.text)")
            }
        }
    }
}
#endif
