#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

// What the type checker has to say of a property's type or default, it says of the plan's statement for the property.
// A directive gives the statement the property's line, so that the error is shown there.
extension PlanRenderer {
    /// A statement that has the line of a node, if there is one.
    func located(_ statement: String, at node: Syntax?) -> [String] {
        guard let place = node.flatMap(location) else { return [statement] }
        return [
            "#sourceLocation(file: \(place.file.trimmedDescription), line: \(place.line.trimmedDescription))",
            statement,
        ]
    }

    /// The code that appends to a list, one statement for each element of it.
    ///
    /// Beyond some number they are in functions, since the optimizer's time goes with the square of a function's length:
    /// 200 fields take it 24 s in one body and 4 s in functions of eight. The type checker gains as much. Statements that
    /// may have errors are in functions as well: of a closure the type checker reports the first error alone.
    func adding(_ statements: [[String]], to list: String, of type: String) -> [String] {
        let isLocated = statements.contains { $0.count > 1 }
        guard isLocated || statements.count > Self.mostInOnePlace else { return statements.flatMap { $0 } }
        return stride(from: 0, to: statements.count, by: Self.groupSize).flatMap { start in
            let name = "add\(start / Self.groupSize + 1)"
            let group = statements[start...].prefix(Self.groupSize)
            return ["@inline(never) func \(name)(to \(list): inout \(type)) {"]
                + lines(of: Array(group)).map(indented) + ["}", "\(name)(to: &\(list))"]
        }
    }

    /// The lines of statements. Behind located ones a directive ends the location.
    func lines(of statements: [[String]]) -> [String] {
        var lines: [String] = []
        var isLocated = false
        for statement in statements {
            if isLocated, statement.count == 1 { lines.append("#sourceLocation()") }
            isLocated = statement.count > 1
            lines += statement
        }
        return isLocated ? lines + ["#sourceLocation()"] : lines
    }

    private static let mostInOnePlace = 16
    private static let groupSize = 8
}

extension ModelProperty {
    /// Whether the type checker surely accepts the field: the type is known, and nothing else is of the user's choice.
    var isSurelyAccepted: Bool {
        let isPlain = transform == nil && declaredDefault == nil && coercion == nil && defaultCases == nil
        return isIgnored || isPlain && (type?.isSurelyFillable ?? value?.isScalarLiteral ?? false)
    }
}

extension ModelCase {
    /// As for a property. The fields of a case with labels have statements of their own.
    var isSurelyAccepted: Bool {
        if case .value(let type) = payload { type.isSurelyFillable } else { true }
    }
}

extension TypeSyntax {
    /// Whether this is a known scalar, or a container of one.
    fileprivate var isSurelyFillable: Bool { isScalar || (element?.isSurelyFillable ?? false) }

    /// The type within that no JSON stands for, as far as spelling goes, looking into containers.
    var withoutJSON: TypeSyntax? {
        if let element { return element.withoutJSON }
        let isTuple = self.as(TupleTypeSyntax.self).map { $0.elements.count != 1 } ?? false
        let isUnknowable = self.is(SomeOrAnyTypeSyntax.self) || self.is(MetatypeTypeSyntax.self)
        return isTuple || isUnknowable || refers(to: "Any") || refers(to: "AnyObject") ? self : nil
    }
}
#endif
