#if Macros
import SwiftSyntax

// Members inside `#if`. The macro does not evaluate conditions: the expansion repeats them around the code of each member.

/// A condition of `#if`, or its negation.
struct Condition: Hashable {
    /// The condition, without negations and parentheses around it.
    private let text: String
    private let isPositive: Bool
    /// Whether the condition is no operation, which would need parentheses in another one.
    private let isAtom: Bool

    private init(_ text: String, isPositive: Bool, isAtom: Bool) {
        (self.text, self.isPositive, self.isAtom) = (text, isPositive, isAtom)
    }

    init(_ expression: ExprSyntax) {
        if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1,
            let only = tuple.elements.first
        {
            self.init(only.expression)
        } else if let negation = expression.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!" {
            self = !Condition(negation.expression)
        } else {
            let isOperation = expression.is(InfixOperatorExprSyntax.self) || expression.is(SequenceExprSyntax.self)
            self.init(expression.trimmedDescription, isPositive: true, isAtom: !isOperation)
        }
    }

    static prefix func ! (condition: Condition) -> Condition {
        Condition(condition.text, isPositive: !condition.isPositive, isAtom: condition.isAtom)
    }

    /// The condition as an operand.
    var code: String { (isPositive ? "" : "!") + (isAtom ? text : "(\(text))") }
}

extension [Condition] {
    /// The conjunction of the conditions.
    var code: String { map(\.code).joined(separator: " && ") }

    /// Whether the conditions of a member cannot hold together with those of another one. Two members with one name show that they cannot.
    func exclude(_ others: [Condition], haveOneName: Bool) -> Bool {
        contains { others.contains(!$0) } || haveOneName && Set(self) != Set(others)
    }
}

/// A member of a declaration, with the conditions around the member, all of which hold if it is compiled.
struct ConditionalMember {
    var decl: DeclSyntax
    var conditions: [Condition]

    /// Returns the members of a list, in which each `#if` is replaced by the members of its clauses.
    static func all(in list: MemberBlockItemListSyntax, _ outer: [Condition] = []) -> [ConditionalMember] {
        list.map(\.decl).flatMap { decl -> [ConditionalMember] in
            guard let block = decl.as(IfConfigDeclSyntax.self) else {
                return [ConditionalMember(decl: decl, conditions: outer)]
            }
            var conditions = outer
            return block.clauses.flatMap { clause -> [ConditionalMember] in
                let own = clause.condition.map { Condition($0) }
                defer { if let own { conditions.append(!own) } }
                guard case .decls(let members)? = clause.elements else { return [] }
                return all(in: members, conditions + (own.map { [$0] } ?? []))
            }
        }
    }
}

// MARK: Code

/// A part of a declaration that may be inside `#if`.
protocol Conditional {
    var conditions: [Condition] { get set }
}

extension Conditional {
    /// Returns code that is compiled together with the declaration.
    func conditional(_ lines: [String]) -> [String] { guarded(lines, by: conditions.code) }
}

/// Returns code that is compiled if a condition, unless the text is empty, holds.
func guarded(_ lines: [String], by condition: String) -> [String] {
    condition.isEmpty || lines.isEmpty ? lines : ["#if \(condition)"] + lines + ["#endif"]
}

/// Returns code that is compiled if no set of conditions holds. An empty set always holds.
func guarded(_ lines: [String], unless all: [[Condition]]) -> [String] {
    if all.contains([]) { return [] }
    return guarded(lines, by: all.map { $0.count == 1 ? (!$0[0]).code : "!(\($0.code))" }.joined(separator: " && "))
}

/// Returns code for each combination of the conditions of some items: a list of arguments cannot contain `#if`.
func combined<Item: Conditional>(_ items: [Item], _ render: ([Item]) -> [String]) -> [String] {
    guard let first = items.lazy.flatMap(\.conditions).first else { return render(items) }
    func code(assuming known: Condition) -> [String] {
        combined(
            items.compactMap { item in
                if item.conditions.contains(!known) { return nil }
                var item = item
                item.conditions.removeAll { $0 == known }
                return item
            }, render)
    }
    return ["#if \([first].code)"] + code(assuming: first) + ["#else"] + code(assuming: !first) + ["#endif"]
}
#endif
