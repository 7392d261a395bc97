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
    /// Whether documentation and completion hide the declaration, because only expanded macros and other declarations refer to it: its
    /// name, or that of a type around it, begins with an underscore, or it has `@_documentation(visibility: internal)`.
    let isHidden: Bool
    /// Whether the declaration implements a requirement of a protocol, so that the conformance of its type implies the declaration.
    let isWitness: Bool
}

/// Collects the public declarations of a source file. Left out are conformances to protocols that are internal or hidden.
final class PublicSurface: SyntaxVisitor {
    private(set) var declarations: [PublicDeclaration] = []
    private let file: String
    private let converter: SourceLocationConverter
    private let types: TypeNames
    /// The types and extensions around the current declaration.
    private var scopes: [(name: String, isPublic: Bool, impliesPublic: Bool)] = []

    /// The public declarations of the libraries, in the order of their text.
    static func all() throws -> [PublicDeclaration] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
            .standardized
        var trees: [(file: String, tree: SourceFileSyntax)] = []
        for module in try FileManager.default.contentsOfDirectory(atPath: root.path())
        where module == "JSONPaths" || module.hasPrefix("Sluice") && module != "SluiceMacros" {
            let folder = root.appending(path: module)
            let files = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
            for file in files where file.hasSuffix(".swift") {
                let tree = Parser.parse(
                    source: try String(contentsOf: folder.appending(path: file), encoding: .utf8))
                trees.append(("\(module)/\(file)", tree))
            }
        }
        var types = TypeNames()
        for (_, tree) in trees {
            types.add(tree.statements)
            types.requirements.walk(tree)
        }
        var declarations: [PublicDeclaration] = []
        for (file, tree) in trees {
            let surface = PublicSurface(file, tree, types)
            surface.walk(tree)
            declarations += surface.declarations
        }
        return declarations.sorted { $0.text < $1.text }
    }

    private init(_ file: String, _ tree: SourceFileSyntax, _ types: TypeNames) {
        self.file = file
        self.types = types
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
        let isOfInternal = types.internal.contains(type)
        let conformances = (node.inheritanceClause?.inheritedTypes).map(Array.init) ?? []
        let shown = conformances.map { $0.type.trimmedDescription }
            .filter { !types.internal.contains($0) && !types.hidden.contains($0) }
        if !shown.isEmpty, !isOfInternal, scopes.allSatisfy(\.isPublic) {
            let constraints = node.genericWhereClause.map { " \($0.trimmedDescription)" } ?? ""
            add(node, "extension \(type): \(shown.joined(separator: ", "))\(constraints)", documented: true)
        }
        scopes.append((type, !isOfInternal, isPublic))
        return .visitChildren
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { scopes.removeLast() }

    private func enter(
        _ node: some DeclSyntaxProtocol, _ name: String, _ modifiers: DeclModifierListSyntax
    ) -> SyntaxVisitorContinueKind {
        let isPublic = isPublic(modifiers)
        if isPublic { add(node, node.header, named: name) }
        scopes.append((name, isPublic, false))
        return .visitChildren
    }

    // MARK: Members

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        member(node, node.modifiers, node.with(\.body, nil), node.name.text)
    }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        let label = node.signature.parameterClause.parameters.first?.firstName.text ?? ""
        return member(node, node.modifiers, node.with(\.body, nil), label == "_" ? "" : label)
    }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        member(node, node.modifiers, node.with(\.accessorBlock, nil))
    }
    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        member(node, node.modifiers, node, node.name.text)
    }
    override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
        member(node, node.modifiers, node, node.name.text)
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
        let isSettable = !node.modifiers.contains { $0.detail != nil } && node.isSettable
        for binding in node.bindings {
            let type = binding.typeAnnotation?.trimmedDescription ?? ""
            let words =
                node.modifiers.filter { $0.detail == nil }.map(\.trimmedDescription) + [
                    node.bindingSpecifier.text, binding.pattern.trimmedDescription + type,
                ]
            add(
                node, words.joined(separator: " ") + (isSettable ? " { get set }" : " { get }"),
                named: binding.pattern.trimmedDescription)
        }
        return .skipChildren
    }

    private func member(
        _ node: some DeclSyntaxProtocol, _ modifiers: DeclModifierListSyntax, _ signature: some DeclSyntaxProtocol,
        _ name: String = ""
    ) -> SyntaxVisitorContinueKind {
        if isPublic(modifiers) { add(node, signature.withoutAttributes, named: name) }
        return .skipChildren
    }

    // MARK: The list

    private func isPublic(_ modifiers: DeclModifierListSyntax) -> Bool {
        // The level of a setter, such as `private(set)`, is a detail.
        let names = modifiers.filter { $0.detail == nil }.map(\.name.text)
        guard scopes.allSatisfy(\.isPublic), !names.contains("private"), !names.contains("fileprivate") else {
            return false
        }
        return modifiers.contains { ["public", "open"].contains($0.name.text) && $0.detail == nil }
            || scopes.last?.impliesPublic == true
    }

    private func add(
        _ node: some DeclSyntaxProtocol, _ text: String, named name: String = "", documented: Bool = false
    ) {
        let path = scopes.map { $0.name + "." }.joined()
        let words = text.split(whereSeparator: \.isWhitespace).filter { $0 != "public" }.joined(separator: " ")
            .replacing("( ", with: "(").replacing(" )", with: ")")
        let isDocumented =
            documented || node.leadingTrivia.contains { if case .docLineComment = $0 { true } else { false } }
        declarations.append(
            PublicDeclaration(
                text: path.isEmpty ? words : "\(path) \(words)", file: file,
                line: node.startLocation(converter: converter).line, isDocumented: isDocumented,
                isHidden: node.isHidden || (scopes.map(\.name) + [name]).contains { types.isHidden($0) },
                isWitness: isWitness(node)))
    }

    /// Returns whether a declaration implements a requirement of the type around it.
    private func isWitness(_ node: some DeclSyntaxProtocol) -> Bool {
        guard let type = scopes.last?.name, node.parent?.ancestor(as: ProtocolDeclSyntax.self) == nil else {
            return false
        }
        return node.memberNames.contains { types.requirements.has($0, in: type) }
    }
}

/// The names of the types and protocols at the top level of the libraries' files that are internal or hidden.
private struct TypeNames {
    private(set) var `internal`: Set<String> = []
    /// The public types that documentation and completion hide.
    private(set) var hidden: Set<String> = []
    let requirements = Requirements()

    /// Returns whether documentation and completion hide a type or member of this name.
    func isHidden(_ name: String) -> Bool { name.hasPrefix("_") || hidden.contains(name) }

    mutating func add(_ statements: CodeBlockItemListSyntax) {
        for statement in statements {
            if let condition = statement.item.as(IfConfigDeclSyntax.self) {
                for clause in condition.clauses {
                    if case .statements(let statements) = clause.elements { add(statements) }
                }
            }
            guard let type = statement.item.asProtocol((any NamedDeclSyntax).self),
                let modifiers = statement.item.asProtocol((any WithModifiersSyntax).self)?.modifiers,
                let attributes = statement.item.asProtocol((any WithAttributesSyntax).self)?.attributes
            else { continue }
            let isPublic = modifiers.contains { ["public", "open"].contains($0.name.text) }
            if !isPublic {
                `internal`.insert(type.name.text)
            } else if type.name.text.hasPrefix("_") || attributes.isHidden {
                hidden.insert(type.name.text)
            }
        }
    }
}

/// The protocols of each type, and the members that they require.
private final class Requirements: SyntaxVisitor {
    private var protocols: [String: Set<String>] = [:]
    /// The required members by protocol. Those of the standard library's protocols are listed here.
    private var members: [String: Set<String>] = [
        "AsyncIteratorProtocol": ["next"], "AsyncSequence": ["makeAsyncIterator", "AsyncIterator"],
        "Collection": [
            "Element", "Index", "startIndex", "endIndex", "index(after", "subscript(position", "count", "isEmpty",
        ],
        "Comparable": ["<"], "CustomNSError": ["errorDomain", "errorCode", "errorUserInfo"],
        "CustomStringConvertible": ["description"], "Decodable": ["init(from"], "Encodable": ["encode"],
        "Equatable": ["=="], "ExpressibleByArrayLiteral": ["init(arrayLiteral"],
        "ExpressibleByBooleanLiteral": ["init(booleanLiteral"],
        "ExpressibleByDictionaryLiteral": ["init(dictionaryLiteral"],
        "ExpressibleByFloatLiteral": ["init(floatLiteral"], "ExpressibleByIntegerLiteral": ["init(integerLiteral"],
        "ExpressibleByNilLiteral": ["init(nilLiteral"], "ExpressibleByStringLiteral": ["init(stringLiteral"],
        "Hashable": ["hash"], "LocalizedError": ["errorDescription", "recoverySuggestion"],
        "OptionSet": ["rawValue", "init(rawValue"],
    ]

    init() { super.init(viewMode: .sourceAccurate) }

    /// Returns whether a protocol of a type requires a member. A protocol has its own requirements, for default implementations.
    func has(_ member: String, in type: String) -> Bool {
        var pending = [type]
        var visited: Set<String> = []
        while let name = pending.popLast() {
            guard visited.insert(name).inserted else { continue }
            if members[name]?.contains(member) == true { return true }
            pending += protocols[name] ?? []
        }
        return false
    }

    private func add(_ type: String, _ inherited: InheritanceClauseSyntax?) -> SyntaxVisitorContinueKind {
        let names = inherited?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        for name in names {
            let parts =
                ["Codable": ["Decodable", "Encodable"], "Hashable": ["Hashable", "Equatable"]][name] ?? [name]
            protocols[type, default: []].formUnion(parts)
        }
        return .visitChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node.name.text, node.inheritanceClause)
    }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node.name.text, node.inheritanceClause)
    }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node.name.text, node.inheritanceClause)
    }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        add(node.extendedType.trimmedDescription, node.inheritanceClause)
    }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        for member in node.memberBlock.members {
            members[node.name.text, default: []].formUnion(member.decl.memberNames)
        }
        return add(node.name.text, node.inheritanceClause)
    }
}

extension SyntaxProtocol {
    fileprivate func ancestor<T: SyntaxProtocol>(as type: T.Type) -> T? {
        sequence(first: Syntax(self), next: \.parent).lazy.compactMap { $0.as(type) }.first
    }
}

extension DeclSyntaxProtocol {
    /// The names of members: those of properties, and of initializers and subscripts with their first label.
    fileprivate var memberNames: [String] {
        func labelled(_ name: String, _ parameters: FunctionParameterListSyntax) -> [String] {
            [name + "(" + (parameters.first?.firstName.text ?? "")]
        }
        return switch DeclSyntax(self).as(DeclSyntaxEnum.self) {
        case .variableDecl(let node): node.bindings.map(\.pattern.trimmedDescription)
        case .functionDecl(let node):
            node.name.text == "index"
                ? labelled("index", node.signature.parameterClause.parameters) : [node.name.text]
        case .initializerDecl(let node): labelled("init", node.signature.parameterClause.parameters)
        case .subscriptDecl(let node): labelled("subscript", node.parameterClause.parameters)
        case .typeAliasDecl(let node): [node.name.text]
        case .associatedTypeDecl(let node): [node.name.text]
        case .structDecl(let node): [node.name.text]
        default: []
        }
    }
}

extension AttributeListSyntax {
    fileprivate var isHidden: Bool { trimmedDescription.contains("visibility: internal") }
}

extension DeclSyntaxProtocol {
    /// Whether an attribute hides the declaration.
    fileprivate var isHidden: Bool {
        DeclSyntax(self).asProtocol((any WithAttributesSyntax).self)?.attributes.isHidden == true
    }

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
