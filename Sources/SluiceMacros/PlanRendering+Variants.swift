#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

// The code of all models of a type.
extension ModelVariants.Tree {
    /// Returns the members that the macro adds to the type.
    func members(_ renderer: (ModelDeclaration) -> PlanRenderer) -> [DeclSyntax] {
        guard models.contains(where: { !$0.hasTakenName }) else { return [] }
        let members =
            if case .model(let model) = self { renderer(model).members } else {
                [lines { renderer($0).members.joined(separator: [""]).map { $0 } }]
            }
        return members.map { "\(raw: $0.joined(separator: "\n"))" }
    }

    /// Returns the extension that adds the protocols which the type does not name itself, or nil if it would be empty.
    func conformance(
        of type: String, adding protocols: [String], _ renderer: (ModelDeclaration) -> PlanRenderer
    ) throws -> ExtensionDeclSyntax? {
        guard let first = models.first, !first.isHidden, !models.contains(where: \.hasTakenName) else { return nil }
        let isRefused = models.contains(where: \.isRefused)
        // The compiler crashes on a subclass if a class lacks conformances that its macro lists.
        let listed =
            models.flatMap(\.conformances)
            + (first.kind == .openClass && isRefused ? ["Decodable", "Encodable", "_JSONCodableModel"] : [])
        // Conformances have no conditions.
        let isNonisolated = models.allSatisfy { renderer($0).hasNonisolatedConformances }
        let added = protocols.filter { listed.contains($0) }
            .filter { !isRefused || first.kind == .openClass || $0.hasPrefix("JSON") }
            .map {
                (isNonisolated ? "nonisolated " : "")
                    + (["Decodable", "Encodable"].contains($0) ? "\(swift)" : "\(sluice)") + $0
            }
        var hasMembers = false
        let body = lines { model in
            let members = renderer(model).extensionMembers
            if !members.isEmpty { hasMembers = true }
            return Array(members.joined(separator: [""]))
        }
        guard !added.isEmpty || hasMembers else { return nil }
        let lines =
            first.availability + ["extension \(type)\(added.isEmpty ? "" : ": ")\(added.joined(separator: ", ")) {"]
            + (hasMembers ? body.map(indented) : []) + ["}"]
        return try ExtensionDeclSyntax("\(raw: lines.joined(separator: "\n"))")
    }
}
#endif
