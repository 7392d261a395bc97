#if Macros
import SwiftSyntax

// Storage: a struct with the planned properties only, filled in place of a model that can't be filled itself.
//
// Both its parts are private. A macro's code counts as written in the same file, so the plan reaches them, and
// their types may be as private as any property's.
extension PlanRenderer {
    var storage: [String] {
        let properties = model.planned.map { property in
            // Without a written type the value is there to infer it from, and is never evaluated.
            let rest =
                property.type.map { ": \(inStorage($0))" } ?? property.value.map { " = \(inStorage($0))" } ?? ""
            return indented("var \(property.reference)\(rest)")
        }
        return ["private nonisolated struct JSONStorage {"] + properties + ["}"]
    }

    var storageInitializer: [String] {
        let assignments = model.planned.map { indented("self.\($0.reference) = storage.\($0.reference)") }
        return ["private nonisolated init(jsonStorage storage: consuming JSONStorage) {"] + assignments + ["}"]
    }

    /// Inside the storage struct, `Self` would be the storage.
    private func inStorage(_ node: some SyntaxProtocol) -> String {
        SelfReplacer(name: model.name).rewrite(node).trimmedDescription
    }
}

private final class SelfReplacer: SyntaxRewriter {
    let name: String

    init(name: String) {
        self.name = name
        super.init()
    }

    override func visit(_ token: TokenSyntax) -> TokenSyntax {
        token.tokenKind == .keyword(.Self) ? token.with(\.tokenKind, .identifier(name)) : token
    }
}
#endif
