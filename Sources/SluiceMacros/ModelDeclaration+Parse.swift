#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Parses a declaration into a ``ModelDeclaration`` and collects diagnostics.
struct ModelParser {
    /// The declarations around the model, innermost first.
    let lexicalContext: [Syntax]
    let options: ModelOptions
    /// Whether the module isolates its declarations to the main actor by default.
    let isMainActorDefault: Bool
    /// The protocols of the macro to which neither the type nor its superclass conforms.
    let missingProtocols: [String]
    /// The names of known types that the declaration gives to types of its own, or that are generic parameters.
    private var ownTypes: Set<String> = []
    private(set) var diagnostics: [Diagnostic] = []
    /// The members of the declaration, with those of all clauses of `#if`.
    private(set) var members: [ConditionalMember] = []
    var properties: [ModelProperty] = []
    var cases: [ModelCase] = []
    /// See `ModelDeclaration.hasIndirectCases`.
    var hasIndirectCases = false
    var declares = DeclaredMembers()
    /// The methods that have the name of a hook.
    var hookMethods: [(method: FunctionDeclSyntax, conditions: [Condition])] = []
    /// The keys of an enum's cases, with the case of each key.
    var caseClaims: [MemberName: (item: ModelCase, node: Syntax)] = [:]

    init(
        _ attribute: AttributeSyntax, missing protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) {
        lexicalContext = context.lexicalContext
        // The compiler defines this feature if `-default-isolation` is the main actor, and only then.
        #if canImport(SwiftSyntax603)
        isMainActorDefault = (try? context.buildConfiguration?.hasFeature(name: "NoExplicitNonIsolated")) ?? false
        #else
        // Older versions of swift-syntax have no build configuration.
        isMainActorDefault = false
        #endif
        options = ModelOptions(attribute)
        missingProtocols = protocols.map(\.trimmedDescription)
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

    /// Returns the model, or nil if a declaration of this kind can't be a model.
    mutating func parse(_ declaration: some DeclGroupSyntax) -> ModelDeclaration? {
        members = ConditionalMember.all(in: declaration.memberBlock.members)
        let named = declaration.asProtocol((any NamedDeclSyntax).self)
        guard let nameToken = named?.name, let kind = kind(of: declaration) else {
            let node = named.map { Syntax($0.name) } ?? Syntax(declaration.introducer)
            report(.noModelKind(declaration.introducer.text), at: node)
            return nil
        }
        ownTypes = typeNames(in: declaration).intersection(TypeSyntax.meaningful)
        if hasParameterPack(declaration) { report(.parameterPack(nameToken.text), at: nameToken) }
        checkOptions(of: kind, declaration)
        if let type = declaration.as(ClassDeclSyntax.self), kind == .openClass, type.attributes.hasOtherActor {
            report(.otherActorNeedsFinal(nameToken.text), at: nameToken, .addFinal(to: type))
        }

        var model = ModelDeclaration(kind: kind, name: nameToken.trimmedDescription)
        model.documentation = declaration.documentation
        model.options = options
        model.access = access(of: declaration)
        model.isOpen = declaration.modifiers.contains(.open)
        model.superclass = superclass(of: declaration)
        model.superclassIsCodable =
            model.superclass != nil && !missingProtocols.contains("Decodable")
            && declaration.inheritanceClause?.names("Decodable") != true
        model.isGeneric = isGeneric(declaration)
        model.isInsideSuperclass =
            model.superclass != nil && lexicalContext.contains { $0.mayBeClass }
        model.isHidden = isHidden(declaration)
        model.isOnOtherActor = declaration.attributes.hasOtherActor
        model.isOnMainActor = isOnMainActor(declaration)
        model.isInMainActorModule = isMainActorDefault
        model.isObserved = model.isClass && declaration.attributes.contains { $0.isObserving }
        model.mayHaveOtherSuperclass = mayHaveOtherSuperclass(declaration)
        model.hasOtherSuperclass = hasOtherSuperclass(declaration)
        model.availability = availability(of: declaration)
        parseMembers(of: declaration, as: kind, named: nameToken)
        resolveHooks(of: declaration, as: kind)
        if model.isClass, model.superclass != nil, let argument = options.arguments["superclass"] {
            report(.superclassIsModel(model.superclass ?? ""), at: argument.node)
        }
        if let partial = options.partial, kind == .openClass || model.isClass && model.superclass != nil {
            let isOpen = kind == .openClass && model.superclass == nil
            report(
                .partialNeedsFinal, at: partial,
                isOpen ? declaration.as(ClassDeclSyntax.self).flatMap { .addFinal(to: $0) } : nil)
        }
        model.isSendable = declaration.inheritanceClause?.names("Sendable") == true
        model.isIdentifiable = declaration.inheritanceClause?.names("Identifiable") == true
        model.properties = properties
        model.cases = cases
        model.hasIndirectCases = hasIndirectCases
        model.declares = declares
        model.hasTakenName = reportTakenNames(of: model, in: declaration)
        checkConditions(of: model, named: nameToken)
        checkConformances(of: model, declaration, named: nameToken)
        if options.isCodable, kind == .openClass, model.isHidden, let type = declaration.as(ClassDeclSyntax.self),
            let codable = options.codable
        {
            report(.codableNeedsFinal, at: codable, .addFinal(to: type))
        }
        model.isRefused = diagnostics.contains { $0.diagMessage.severity == .error }
        return model
    }

    private func kind(of declaration: some DeclGroupSyntax) -> ModelDeclaration.Kind? {
        if declaration.is(StructDeclSyntax.self) { return .structure }
        if declaration.is(ClassDeclSyntax.self) {
            return declaration.modifiers.contains(.final) ? .finalClass : .openClass
        }
        guard declaration.is(EnumDeclSyntax.self) else { return nil }
        return declaration.firstInheritedType?.isRawType == true || caseElements.contains { $0.rawValue != nil }
            ? .rawEnum : .union
    }

    /// Returns the superclass if the superclass is a model.
    ///
    /// A class that conforms to `JSONModel` without naming the protocol inherits the conformance.
    private func superclass(of declaration: some DeclGroupSyntax) -> String? {
        guard declaration.is(ClassDeclSyntax.self), declaration.inheritanceClause?.names("JSONModel") == false,
            !missingProtocols.contains("JSONModel")
        else { return nil }
        return declaration.firstInheritedType?.trimmedDescription
    }

    /// Whether the class certainly has a superclass that is not a model: `NSObject`, or the one that `superclass:` is about.
    private func hasOtherSuperclass(_ declaration: some DeclGroupSyntax) -> Bool {
        guard declaration.is(ClassDeclSyntax.self), superclass(of: declaration) == nil,
            let first = declaration.firstInheritedType
        else { return false }
        return first.isNSObject || options.arguments["superclass"] != nil
    }

    /// Whether the class may have a superclass that is not a model. The syntax does not distinguish it from a protocol.
    private func mayHaveOtherSuperclass(_ declaration: some DeclGroupSyntax) -> Bool {
        guard declaration.is(ClassDeclSyntax.self), superclass(of: declaration) == nil,
            options.arguments["superclass"] == nil, let first = declaration.firstInheritedType
        else { return false }
        return !first.isKnownProtocol
    }

    /// Reports members inside `#if` for which the expansion would need a whole plan of their own.
    private mutating func checkConditions(of model: ModelDeclaration, named name: TokenSyntax) {
        let initializers = model.conditionsOfInitializers
        if model.superclass != nil, !initializers.isEmpty, !initializers.contains([]) {
            report(.conditionalInitializer(name.text), at: name)
        }
        guard model.usesStorage || model.kind == .rawEnum else { return }
        let conditions = model.planned.flatMap(\.conditions) + model.cases.flatMap(\.conditions)
        let distinct = conditions.reduce(into: [Condition]()) { known, one in
            if !known.contains(one), !known.contains(!one) { known.append(one) }
        }
        if distinct.count > Self.maximumConditionCount { report(.tooManyConditions, at: name) }
    }

    private static var maximumConditionCount: Int { 6 }

    private mutating func checkConformances(
        of model: ModelDeclaration, _ declaration: some DeclGroupSyntax, named name: TokenSyntax
    ) {
        let missing = model.conformances.filter {
            declaration.inheritanceClause?.names($0) != true
        }
        if model.isHidden, !missing.isEmpty {
            report(
                .hidden(name.text, model.conformances.asWritten), at: name,
                .addConformances(missing.asWritten, to: declaration, named: name), .makeFileprivate(declaration))
        }
    }

    private mutating func parseMembers(
        of declaration: some DeclGroupSyntax, as kind: ModelDeclaration.Kind, named name: TokenSyntax
    ) {
        for member in members { parse(member) }
        reportCoding(of: declaration)
        switch kind {
        case .union: parseCases(of: declaration, named: name)
        case .rawEnum: parseRawCases(of: declaration)
        default:
            reportConflicts()
            reportCodingKeys()
            if kind == .openClass { reportPrivateTypes(of: name) }
        }
    }

    private mutating func parse(_ member: ConditionalMember) {
        if let variable = member.decl.as(VariableDeclSyntax.self) {
            // The properties of an enum are computed or static. Only their attributes are checked.
            parse(variable, member.conditions)
        } else if let initializer = member.decl.as(InitializerDeclSyntax.self) {
            declares.add(initializer, member.conditions)
        } else if let function = member.decl.as(FunctionDeclSyntax.self) {
            declares.add(function, member.conditions)
            if function.hook != nil { hookMethods.append((function, member.conditions)) }
        }
    }
}

extension Syntax {
    /// Whether the declaration may be that of a superclass, direct or not, or an extension of a superclass.
    fileprivate var mayBeClass: Bool { self.is(ClassDeclSyntax.self) || self.is(ExtensionDeclSyntax.self) }
}

extension [String] {
    /// The protocols with `Codable` in place of `Decodable` and `Encodable`.
    fileprivate var asWritten: [String] {
        contains("Decodable") && contains("Encodable")
            ? filter { !["Decodable", "Encodable"].contains($0) } + ["Codable"] : self
    }
}

// Types that have the name of a known type.
extension ModelParser {
    /// Returns a type in which the names of types of the declaration's own, and of generic parameters, have backticks. The macro does not
    /// take them for known types.
    func marked(_ type: TypeSyntax) -> TypeSyntax {
        ownTypes.isEmpty
            ? type.trimmed : TypeMarker(names: ownTypes).rewrite(type.trimmed).as(TypeSyntax.self) ?? type.trimmed
    }

    /// Returns the names of the nested types and generic parameters that the syntax shows.
    private func typeNames(in declaration: some DeclGroupSyntax) -> Set<String> {
        let parameters = ([Syntax(declaration)] + lexicalContext).flatMap { node in
            node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause?.parameters.map(\.name)
                ?? []
        }
        let types = members.map(\.decl).filter {
            $0.isProtocol((any DeclGroupSyntax).self) || $0.is(TypeAliasDeclSyntax.self)
        }
        return Set(
            (parameters + types.compactMap { $0.asProtocol((any NamedDeclSyntax).self)?.name }).map(\.bareName))
    }
}

/// Writes names of types in backticks.
private final class TypeMarker: SyntaxRewriter {
    let names: Set<String>

    init(names: Set<String>) {
        self.names = names
        super.init()
    }

    override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
        let type = super.visit(node)
        guard names.contains(node.name.text), let named = type.as(IdentifierTypeSyntax.self) else { return type }
        let name = named.name.with(\.tokenKind, .identifier("`\(node.name.text)`"))
        return TypeSyntax(named.with(\.name, name))
    }
}

// The context of the declaration.
extension ModelParser {
    private func access(of declaration: some DeclGroupSyntax) -> String? {
        var access = declaration.modifiers.access
        // In `public extension Namespace { struct Model }` the struct is public without a modifier.
        if access == nil, let parent = lexicalContext.first?.as(ExtensionDeclSyntax.self) {
            access = parent.modifiers.access
        }
        return switch access {
        case .public, .open: "public"
        case .package: "package"
        default: nil
        }
    }

    /// Whether members of the type are on the main actor, unless they have another isolation.
    ///
    /// A superclass or a protocol may give the type another isolation. The compiler therefore selects between overloads by
    /// the isolation of the members, see `_JSONMacro`.
    private func isOnMainActor(_ declaration: some DeclGroupSyntax) -> Bool {
        if declaration.attributes.contains(where: { $0.isNamed("MainActor") }) { return true }
        let types = ([Syntax(declaration)] + lexicalContext).compactMap {
            $0.asProtocol((any DeclGroupSyntax).self)
        }
        return isMainActorDefault && !declaration.attributes.hasOtherActor
            && !types.contains { $0.modifiers.contains(.nonisolated) || $0.is(ActorDeclSyntax.self) }
    }

    private func isGeneric(_ declaration: some DeclGroupSyntax) -> Bool {
        ([Syntax(declaration)] + lexicalContext).contains { node in
            node.as(ExtensionDeclSyntax.self)?.isGeneric == true
                || node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
        }
    }

    /// Whether the declaration or an enclosing type has a parameter pack. Key paths into such a type stop the program.
    private func hasParameterPack(_ declaration: some DeclGroupSyntax) -> Bool {
        ([Syntax(declaration)] + lexicalContext).contains { node in
            let clause = node.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause
            return clause?.parameters.contains { $0.specifier?.tokenKind == .keyword(.each) } ?? false
        }
    }

    /// Whether an extension at file level cannot refer to the type, because the type is private inside another type.
    ///
    /// The compiler adds the extension of a macro at file level: github.com/swiftlang/swift/issues/77023.
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
