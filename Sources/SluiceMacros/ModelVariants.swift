#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The models of a type that has members inside `#if`, one for each combination of clauses.
///
/// The macro does not evaluate conditions. The expansion repeats the directives around the code of each model, so that the compiler selects
/// the code together with the members.
struct ModelVariants {
    /// The models, inside the clauses of nested conditions.
    indirect enum Tree {
        case model(ModelDeclaration)
        /// The clauses of one `#if`, each with its directive. A clause without a tree has no code.
        case clauses([(directive: String, tree: Tree?)])
    }

    /// The models, or nil if a declaration of this kind can't be a model.
    private(set) var tree: Tree?
    private(set) var diagnostics: [Diagnostic] = []
    private let declaration: any DeclGroupSyntax
    private let parser: ModelParser
    private var count = 0

    private static let maximumCount = 16

    init(
        of declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax, missing protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) {
        self.declaration = declaration
        parser = ModelParser(attribute, missing: protocols, in: context)
        let members = declaration.memberBlock.members.map(\.decl)
        tree = variants(of: members, knowing: [:], depth: 0)
        guard count > Self.maximumCount else { return }
        refuse(members)
    }

    /// Returns the models of all combinations of the clauses that are not chosen yet.
    ///
    /// - Parameters:
    ///   - known: Whether conditions hold, according to the chosen clauses. The choice of `#if A` decides that of `#if !A`.
    ///   - depth: The number of choices.
    private mutating func variants(of members: [DeclSyntax], knowing known: [String: Bool], depth: Int) -> Tree? {
        guard count <= Self.maximumCount else { return nil }
        guard let position = members.firstIndex(where: \.hasConditionalMembers),
            let block = members[position].as(IfConfigDeclSyntax.self)
        else { return model(of: members, isCombination: depth > 1) }

        func tree(choosing clause: Int, knowing known: [String: Bool], depth: Int) -> Tree? {
            let chosen = block.clauses.dropFirst(clause).first.map(\.members) ?? []
            return variants(
                of: members[..<position] + chosen + members[(position + 1)...], knowing: known, depth: depth)
        }
        var known = known
        var clauses: [(directive: String, tree: Tree?)] = []
        let conditions = block.clauses.compactMap(\.condition)
        // The clause that is chosen if none of the undecided conditions holds.
        var last = conditions.count
        for (index, condition) in conditions.enumerated() {
            let (text, isPositive) = condition.fact
            if let value = known[text] {
                if value != isPositive { continue }
                last = index
                break
            }
            let directive = "\(clauses.isEmpty ? "#if" : "#elseif") \(condition.trimmedDescription)"
            let holds = known.merging([text: isPositive]) { _, new in new }
            clauses.append((directive, tree(choosing: index, knowing: holds, depth: depth + 1)))
            known[text] = !isPositive
        }
        if clauses.isEmpty { return tree(choosing: last, knowing: known, depth: depth) }
        clauses.append(("#else", tree(choosing: last, knowing: known, depth: depth + 1)))
        return .clauses(clauses)
    }

    /// Returns the model with these members, and reports its diagnostics.
    ///
    /// - Parameter isCombination: Whether the members are those of several conditions, which may exclude each other. Two members of one
    ///   name show that they do. No code is then needed.
    private mutating func model(of members: [DeclSyntax], isCombination: Bool) -> Tree? {
        count += 1
        var parser = parser
        let model = parser.parse(declaration, members: members)
        if isCombination, let model, model.hasEqualNames { return nil }
        for diagnostic in parser.diagnostics where !diagnostics.contains(where: diagnostic.isEqual) {
            diagnostics.append(diagnostic)
        }
        return model.map { .model($0) }
    }

    /// Reports too many combinations, and makes a model without conditional members whose expansion has stubs.
    private mutating func refuse(_ members: [DeclSyntax]) {
        diagnostics = []
        let blocks = members.filter(\.hasConditionalMembers)
        guard let last = blocks.last, let first = blocks.first else { return }
        var parser = parser
        parser.report(.tooManyConditions, at: last, note: .firstCondition, at: first)
        let model = parser.parse(declaration, members: members)
        diagnostics = parser.diagnostics
        tree = model.map { .model($0) }
    }
}

extension ModelVariants.Tree {
    var models: [ModelDeclaration] {
        switch self {
        case .model(let model): [model]
        case .clauses(let clauses): clauses.flatMap { $0.tree?.models ?? [] }
        }
    }

    /// Returns the code of all models, with the directives around the code of each.
    func lines(_ render: (ModelDeclaration) -> [String]) -> [String] {
        switch self {
        case .model(let model): render(model)
        case .clauses(let clauses):
            clauses.flatMap { [$0.directive] + ($0.tree?.lines(render) ?? []) } + ["#endif"]
        }
    }
}

extension ModelDeclaration {
    fileprivate var hasEqualNames: Bool {
        let names = properties.map(\.name) + cases.map(\.name)
        return Set(names).count < names.count
    }
}

extension DeclSyntax {
    /// Whether the declaration is an `#if` with members that a model depends on.
    fileprivate var hasConditionalMembers: Bool {
        self.as(IfConfigDeclSyntax.self)?.clauses.contains { $0.members.contains(where: \.isOfModel) } ?? false
    }

    /// Whether a model depends on the member.
    private var isOfModel: Bool {
        if let variable = self.as(VariableDeclSyntax.self) {
            return !variable.isStatic && !variable.bindings.allSatisfy(\.isComputed)
        }
        if let function = self.as(FunctionDeclSyntax.self) {
            return function.hook != nil || function.name.text == "encode"
        }
        return self.is(EnumCaseDeclSyntax.self) || self.is(InitializerDeclSyntax.self) || hasConditionalMembers
    }
}

extension ExprSyntax {
    /// A condition of `#if` without parentheses and negations around it, and whether the number of negations is even.
    fileprivate var fact: (text: String, isPositive: Bool) {
        if let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            return only.expression.fact
        }
        if let negation = self.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!" {
            let (text, isPositive) = negation.expression.fact
            return (text, !isPositive)
        }
        return (tokens(viewMode: .sourceAccurate).map(\.text).joined(separator: " "), true)
    }
}

extension IfConfigClauseSyntax {
    fileprivate var members: [DeclSyntax] {
        guard case .decls(let members)? = elements else { return [] }
        return members.map(\.decl)
    }
}

extension Diagnostic {
    fileprivate func isEqual(to other: Diagnostic) -> Bool {
        node.id == other.node.id && diagnosticID == other.diagnosticID && message == other.message
    }
}
#endif
