#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Reads a declaration into a ``ModelDeclaration`` and gathers what is wrong with it.
struct ModelParser {
    /// What encloses the declaration, the innermost first.
    let lexicalContext: [Syntax]
    private(set) var diagnostics: [Diagnostic] = []
    var properties: [ModelProperty] = []
    var hasDesignatedInitializer = false

    init(lexicalContext: [Syntax]) {
        self.lexicalContext = lexicalContext
    }

    mutating func report(_ message: ModelMessage, at node: some SyntaxProtocol, _ fixIts: FixIt?...) {
        diagnostics.append(Diagnostic(node: node, message: message, fixIts: fixIts.compactMap { $0 }))
    }

    mutating func report(
        _ message: ModelMessage, at node: some SyntaxProtocol, note: ModelNote, at other: some SyntaxProtocol
    ) {
        let note = Note(node: Syntax(other), message: note)
        diagnostics.append(Diagnostic(node: node, message: message, notes: [note]))
    }

    /// The model, or nil if the declaration is of a kind that can't be one.
    mutating func parse(_ declaration: some DeclGroupSyntax) -> ModelDeclaration? {
        let kind: ModelDeclaration.Kind
        let nameToken: TokenSyntax
        if let structure = declaration.as(StructDeclSyntax.self) {
            kind = .structure
            nameToken = structure.name
        } else if let type = declaration.as(ClassDeclSyntax.self) {
            // Inheritance comes here: a plan that begins with the superclass's, and an erased one for subclasses.
            kind = .finalClass
            nameToken = type.name
            if !type.modifiers.contains(.final) {
                report(.nonFinalClass(type.name.text), at: type.name, .addFinal(to: type))
            }
        } else {
            let named = declaration.asProtocol((any NamedDeclSyntax).self)
            let place = named.map { Syntax($0.name) } ?? Syntax(declaration.introducer)
            report(.notAStructOrClass(declaration.introducer.text), at: place)
            return nil
        }

        if hasParameterPack(declaration) { report(.parameterPack(nameToken.text), at: nameToken) }
        let isHidden = isHidden(declaration)
        if isHidden, !declaration.missingConformances.isEmpty {
            report(
                .hidden(nameToken.text), at: nameToken, .addConformances(to: declaration, named: nameToken),
                .makeFileprivate(declaration))
        }
        for member in declaration.memberBlock.members { parse(member: member.decl) }
        reportConflicts()

        var model = ModelDeclaration(kind: kind, name: nameToken.trimmedDescription)
        model.access = access(of: declaration)
        model.isGeneric = isGeneric(declaration)
        model.isHidden = isHidden
        model.availability = availability(of: declaration)
        model.properties = properties
        model.hasDesignatedInitializer = hasDesignatedInitializer
        model.isRefused = diagnostics.contains { $0.diagMessage.severity == .error }
        return model
    }

    private mutating func parse(member: DeclSyntax) {
        if let variable = member.as(VariableDeclSyntax.self) {
            parse(variable)
        } else if let initializer = member.as(InitializerDeclSyntax.self) {
            hasDesignatedInitializer = hasDesignatedInitializer || !initializer.modifiers.contains(.convenience)
        } else if let conditional = member.as(IfConfigDeclSyntax.self) {
            for clause in conditional.clauses {
                guard case .decls(let members) = clause.elements else { continue }
                for member in members { parse(conditionalMember: member.decl) }
            }
        }
    }

    /// The macro can't tell which branch of an `#if` is built, so it can't know which properties there are.
    private mutating func parse(conditionalMember member: DeclSyntax) {
        guard let variable = member.as(VariableDeclSyntax.self) else { return parse(member: member) }
        guard !variable.isStatic else { return }
        for binding in variable.bindings where !binding.isComputed {
            report(.insideConditional(binding.pattern.trimmedDescription), at: binding.pattern)
        }
    }

    private func access(of declaration: some DeclGroupSyntax) -> String? {
        var access = declaration.modifiers.access
        // `public extension Namespace { struct Model }` makes the struct public with nothing on it.
        if access == nil, let parent = lexicalContext.first?.as(ExtensionDeclSyntax.self) {
            access = parent.modifiers.access
        }
        return switch access {
        case .public, .open: "public"
        case .package: "package"
        default: nil
        }
    }

    private func isGeneric(_ declaration: some DeclGroupSyntax) -> Bool {
        ([Syntax(declaration)] + lexicalContext).contains { node in
            // An extension does not say whether the type it extends is generic.
            node.is(ExtensionDeclSyntax.self)
                || node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
        }
    }

    /// A key path in such a type stops the program when it is made.
    private func hasParameterPack(_ declaration: some DeclGroupSyntax) -> Bool {
        ([Syntax(declaration)] + lexicalContext).contains { node in
            let clause = node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause
            return clause?.parameters.contains { $0.specifier?.tokenKind == .keyword(.each) } ?? false
        }
    }

    /// The compiler puts a macro's extension at file level, which a `private` in a type keeps out:
    /// github.com/swiftlang/swift/issues/77023.
    private func isHidden(_ declaration: some DeclGroupSyntax) -> Bool {
        let types = ([Syntax(declaration)] + lexicalContext).compactMap {
            $0.asProtocol((any DeclGroupSyntax).self)
        }
        return types.dropLast().contains { $0.modifiers.access == .private }
    }

    private func availability(of declaration: some DeclGroupSyntax) -> [String] {
        ([Syntax(declaration)] + lexicalContext.filter { $0.isProtocol((any DeclGroupSyntax).self) })
            .compactMap { $0.asProtocol((any WithAttributesSyntax).self)?.attributes }
            .flatMap { $0 }
            .filter { $0.isNamed("available") }
            .map(\.trimmedDescription)
    }
}
#endif
