#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

// The type checker reports an error about the type or default of a property in the plan's statement for the property. A
// directive gives the statement the line of the property, so that the error appears there.
extension PlanRenderer {
    /// Returns a statement with the line of a node, if the location of the node is known, inside `#if` if there is a condition.
    func located(_ statement: String, at node: Syntax?, if condition: String = "") -> [String] {
        let location = node.flatMap(self.location).map {
            "#sourceLocation(file: \($0.file.trimmedDescription), line: \($0.line.trimmedDescription))"
        }
        let located = (location.map { [$0] } ?? []) + [statement]
        return condition.isEmpty ? located : guarded(lines(of: [located]), by: condition)
    }

    /// Returns a statement that is compiled and run only if a declaration is available.
    func limited(
        _ statement: String, by availability: DeclaredAvailability, _ conditions: [Condition], at node: Syntax?
    ) -> [String] {
        let checks = availability.checks.joined(separator: ", ")
        return located(
            checks.isEmpty ? statement : "if \(checks) { \(statement) }", at: node,
            if: (conditions.map(\.code) + availability.conditions).joined(separator: " && "))
    }

    /// Returns the code that appends to a list, with one statement for each element.
    ///
    /// Many statements are divided among functions, because the optimizer needs time proportional to the square of a
    /// function's length: 200 fields take 24 s in one body and 4 s in functions of eight. The type checker becomes faster
    /// by the same factor. Statements that may have errors are in functions as well, because the type checker reports only
    /// the first error of a closure.
    func adding(_ statements: [[String]], to list: String, of type: String) -> [String] {
        let isLocated = statements.joined().contains { $0.hasPrefix(Self.location) }
        guard isLocated || statements.count > Self.maximumInOneFunction else { return statements.flatMap { $0 } }
        return stride(from: 0, to: statements.count, by: Self.groupSize).flatMap { start in
            let name = "_add\(start / Self.groupSize + 1)"
            let group = statements[start...].prefix(Self.groupSize)
            return ["@inline(never) func \(name)(to \(list): inout \(type)) {"]
                + lines(of: Array(group)).map(indented) + ["}", "\(name)(to: &\(list))"]
        }
    }

    /// Returns the lines of statements. A directive ends the location after located statements.
    func lines(of statements: [[String]]) -> [String] {
        var lines: [String] = []
        var isLocated = false
        for statement in statements {
            if isLocated, !statement.isLocated { lines.append("#sourceLocation()") }
            isLocated = statement.isLocated
            lines += statement
        }
        return isLocated ? lines + ["#sourceLocation()"] : lines
    }

    fileprivate static let location = "#sourceLocation("
    private static let maximumInOneFunction = 16
    private static let groupSize = 8
}

extension [String] {
    /// Whether a statement begins with the directive that gives the statement a line.
    fileprivate var isLocated: Bool { first?.hasPrefix(PlanRenderer.location) == true }
}

extension ModelProperty {
    /// Whether the type checker certainly accepts the field.
    ///
    /// The type of such a property is known, and no attribute has an argument that the type checker could reject.
    var isSurelyAccepted: Bool {
        let isPlain = transform == nil && declaredDefault == nil && coercion == nil && defaultCases == nil
        return isIgnored || isPlain && (type?.isOfScalars ?? value?.isScalarLiteral ?? false)
    }
}

extension ModelCase {
    /// Whether the type checker certainly accepts the case. Labeled values have statements of their own.
    var isSurelyAccepted: Bool {
        if case .value(let type) = payload { type.isOfScalars } else { true }
    }
}

extension TypeSyntax {
    /// The type itself, or an element type, that has no JSON form. Nil if the spelling shows no such type.
    var withoutJSON: TypeSyntax? {
        if let element { return element.withoutJSON }
        let isTuple = self.as(TupleTypeSyntax.self).map { $0.elements.count != 1 } ?? false
        let isUnknowable = self.is(SomeOrAnyTypeSyntax.self) || self.is(MetatypeTypeSyntax.self)
        return isTuple || isUnknowable || refers(to: "Any") || refers(to: "AnyObject") ? self : nil
    }
}
#endif
