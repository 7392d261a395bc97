#if Macros
import Foundation
import SwiftParser
import SwiftSyntax

/// A public declaration of the package's libraries.
struct PublicDeclaration {
    /// The declaration on one line, without attributes and body, with the names of the types around it.
    let text: String
    let file: String
    let line: Int
    let isDocumented: Bool
}

/// Collects the public declarations of a source file.
///
/// Left out are declarations that documentation and completion hide, because only expanded macros and other declarations refer to
/// them: those with a leading underscore or with `@_documentation(visibility: internal)`, and conformances to protocols that are
/// internal or hidden.
final class PublicSurface: SyntaxVisitor {
    private(set) var declarations: [PublicDeclaration] = []
    private let file: String
    private let converter: SourceLocationConverter
    /// The types and protocols of the libraries that are internal or hidden.
    private let hiddenTypes: Set<String>
    /// The types and extensions around the current declaration.
    private var scopes: [(name: String, isPublic: Bool, impliesPublic: Bool)] = []

    /// The public declarations of the libraries, in the order of their text.
    static func all() throws -> [PublicDeclaration] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
            .standardized
        var trees: [(file: String, tree: SourceFileSyntax)] = []
        for module in ["JSONPaths", "SluiceCore", "SluiceCodable", "SluiceSchemas", "Sluice"] {
            let folder = root.appending(path: module)
            let files = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
            for file in files where file.hasSuffix(".swift") {
                let tree = Parser.parse(
                    source: try String(contentsOf: folder.appending(path: file), encoding: .utf8))
                trees.append(("\(module)/\(file)", tree))
            }
        }
        let hiddenTypes = Set(trees.flatMap { HiddenTypes(in: $0.tree).names })
        var declarations: [PublicDeclaration] = []
        for (file, tree) in trees {
            let surface = PublicSurface(file, tree, hiddenTypes: hiddenTypes)
            surface.walk(tree)
            declarations += surface.declarations
        }
        return declarations.sorted { $0.text < $1.text }
    }

    private init(_ file: String, _ tree: SourceFileSyntax, hiddenTypes: Set<String>) {
        self.file = file
        self.hiddenTypes = hiddenTypes
        converter = SourceLocationConverter(fileName: file, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Types

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node, node.name.text, node.modifiers)
    }
    override func visitPost(_ node: StructDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node, node.name.text, node.modifiers)
    }
    override func visitPost(_ node: ClassDeclSyntax) { scopes.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node, node.name.text, node.modifiers)
    }
    override func visitPost(_ node: EnumDeclSyntax) { scopes.removeLast() }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        let result = enter(node, node.name.text, node.modifiers)
        // Requirements have the access level of their protocol.
        scopes[scopes.count - 1].impliesPublic = scopes.last?.isPublic == true
        return result
    }
    override func visitPost(_ node: ProtocolDeclSyntax) { scopes.removeLast() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let isPublic = node.modifiers.contains { $0.name.text == "public" }
        let type = node.extendedType.trimmedDescription
        let isOfHidden = hiddenTypes.contains(type)
        let conformances = (node.inheritanceClause?.inheritedTypes).map(Array.init) ?? []
        let shown = conformances.map { $0.type.trimmedDescription }.filter { !hiddenTypes.contains($0) }
        if !shown.isEmpty, !isOfHidden, scopes.allSatisfy(\.isPublic) {
            let constraints = node.genericWhereClause.map { " \($0.trimmedDescription)" } ?? ""
            add(node, "extension \(type): \(shown.joined(separator: ", "))\(constraints)", documented: true)
        }
        scopes.append((type, !isOfHidden, isPublic))
        return .visitChildren
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { scopes.removeLast() }

    private func enter(
        _ node: some DeclSyntaxProtocol, _ name: String, _ modifiers: DeclModifierListSyntax
    ) -> SyntaxVisitorContinueKind {
        let isPublic = isPublic(modifiers) && !hiddenTypes.contains(name)
        if isPublic { add(node, node.header) }
        scopes.append((name, isPublic, false))
        return .visitChildren
    }

    // MARK: Members

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.name.text.hasPrefix("_") { return .skipChildren }
        return member(node, node.modifiers, node.with(\.body, nil))
    }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.signature.parameterClause.parameters.first?.firstName.text.hasPrefix("_") == true,
            node.signature.parameterClause.parameters.first?.firstName.text != "_"
        {
            return .skipChildren
        }
        return member(node, node.modifiers, node.with(\.body, nil))
    }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        member(node, node.modifiers, node.with(\.accessorBlock, nil))
    }
    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        node.name.text.hasPrefix("_") ? .skipChildren : member(node, node.modifiers, node)
    }
    override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
        node.name.text.hasPrefix("_") ? .skipChildren : member(node, node.modifiers, node)
    }
    override func visit(_ node: MacroDeclSyntax) -> SyntaxVisitorContinueKind {
        member(node, node.modifiers, node.with(\.definition, nil))
    }

    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind {
        if scopes.allSatisfy(\.isPublic) { add(node, node.trimmedDescription) }
        return .skipChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard isPublic(node.modifiers) else { return .skipChildren }
        let isSettable = !node.modifiers.contains { $0.detail?.detail.text == "set" } && node.isSettable
        for binding in node.bindings {
            let type = binding.typeAnnotation?.trimmedDescription ?? ""
            let words =
                node.modifiers.map(\.trimmedDescription) + [
                    node.bindingSpecifier.text, binding.pattern.trimmedDescription + type,
                ]
            add(node, words.joined(separator: " ") + (isSettable ? " { get set }" : " { get }"))
        }
        return .skipChildren
    }

    private func member(
        _ node: some DeclSyntaxProtocol, _ modifiers: DeclModifierListSyntax, _ signature: some DeclSyntaxProtocol
    ) -> SyntaxVisitorContinueKind {
        if isPublic(modifiers) { add(node, signature.withoutAttributes) }
        return .skipChildren
    }

    // MARK: The list

    private func isPublic(_ modifiers: DeclModifierListSyntax) -> Bool {
        let names = modifiers.map(\.name.text)
        guard scopes.allSatisfy(\.isPublic), !names.contains("private"), !names.contains("fileprivate") else {
            return false
        }
        return modifiers.contains { ["public", "open"].contains($0.name.text) && $0.detail == nil }
            || scopes.last?.impliesPublic == true
    }

    private func add(_ node: some DeclSyntaxProtocol, _ text: String, documented: Bool = false) {
        let path = scopes.map { $0.name + "." }.joined()
        let words = text.split(whereSeparator: \.isWhitespace).filter { $0 != "public" }.joined(separator: " ")
            .replacing("( ", with: "(").replacing(" )", with: ")")
        let isDocumented =
            documented || node.leadingTrivia.contains { if case .docLineComment = $0 { true } else { false } }
        declarations.append(
            PublicDeclaration(
                text: path.isEmpty ? words : "\(path) \(words)", file: file,
                line: node.startLocation(converter: converter).line, isDocumented: isDocumented))
    }
}

/// The types at the top level of a file that are internal or hidden.
private struct HiddenTypes {
    private(set) var names: [String] = []

    init(in tree: SourceFileSyntax) {
        for statement in tree.statements {
            guard let type = statement.item.asProtocol((any NamedDeclSyntax).self),
                let modifiers = statement.item.asProtocol((any WithModifiersSyntax).self)?.modifiers,
                let attributes = statement.item.asProtocol((any WithAttributesSyntax).self)?.attributes
            else { continue }
            let isHidden =
                type.name.text.hasPrefix("_") || attributes.trimmedDescription.contains("visibility: internal")
            let isPublic = modifiers.contains { ["public", "open"].contains($0.name.text) }
            if isHidden || !isPublic { names.append(type.name.text) }
        }
    }
}

extension DeclSyntaxProtocol {
    /// The declaration without its attributes.
    fileprivate var withoutAttributes: String {
        guard let attributed = DeclSyntax(self).asProtocol((any WithAttributesSyntax).self) else {
            return trimmedDescription
        }
        return attributed.with(\.attributes, []).trimmedDescription
    }

    /// The declaration of a type up to its members.
    fileprivate var header: String {
        withoutAttributes.prefix { $0 != "{" }.trimmingCharacters(in: .whitespaces)
    }
}

extension VariableDeclSyntax {
    /// Whether the variable has a setter.
    fileprivate var isSettable: Bool {
        guard bindingSpecifier.text == "var" else { return false }
        guard let block = bindings.first?.accessorBlock else { return true }
        guard case .accessors(let accessors) = block.accessors else { return false }
        return accessors.contains { ["set", "_modify", "didSet", "willSet"].contains($0.accessorSpecifier.text) }
    }
}
#endif
