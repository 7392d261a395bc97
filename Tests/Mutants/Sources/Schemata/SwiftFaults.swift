import SwiftParser
import SwiftSyntax

/// Finds the faults of a Swift source.
///
/// A fault belongs to the smallest part that can be written several times: a statement, the value of a declaration, a condition,
/// or another expression of a statement. Parts whose faults no test could find are left out:
///
/// - preconditions and assertions, because their failure ends the process
/// - the sizes of reserved memory, which are hints
/// - patterns, default arguments and types, which cannot depend on a number
/// - `while true`, and a loop whose condition always holds, because most of them only run into the time limit
/// - texts other than single characters, which are messages
struct SwiftFaults {
    private let tree: SourceFileSyntax

    init(_ text: String) {
        tree = Parser.parse(source: text)
    }

    func collect(into root: Host) {
        visitChildren(Syntax(tree), Place(parent: root))
    }

    /// Where a node is.
    private struct Place {
        /// The host to which nested hosts are added.
        var parent: Host
        /// The host of the expression, if the node is inside one.
        var host: Host?
        var isInLoop = false

        func inside(_ host: Host) -> Place { Place(parent: host, host: host, isInLoop: isInLoop) }
        var outside: Place { Place(parent: parent, host: nil, isInLoop: isInLoop) }
    }

    /// Calls that are left out with their arguments.
    private static let ignoredCalls: Set = [
        "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError", "reserveCapacity",
        "print",
        "unreachable",
    ]
    private static let ignoredLabels: Set = ["capacity", "minimumCapacity", "reservingCapacity"]

    private func visitChildren(_ node: Syntax, _ place: Place) {
        for child in node.children(viewMode: .sourceAccurate) { visit(child, place) }
    }

    private func host(_ form: Host.Form, _ node: some SyntaxProtocol, _ place: Place) -> Host {
        let host = Host(form, node.range)
        host.parent = place.parent
        place.parent.children.append(host)
        return host
    }

    // MARK: Statements

    private func visit(_ node: Syntax, _ place: Place) {
        switch node.as(SyntaxEnum.self) {
        case .attributeList, .importDecl, .typeAnnotation, .functionParameterClause, .inheritanceClause,
            .genericParameterClause, .genericWhereClause, .macroExpansionExpr, .macroExpansionDecl, .enumCaseDecl,
            .availabilityCondition, .expressionPattern, .operatorDecl, .precedenceGroupDecl, .typeAliasDecl,
            .poundSourceLocation:
            return

        case .ifConfigDecl(let conditional):
            if let clause = ActiveClause.of(conditional) { visitChildren(Syntax(clause), place) }

        case .codeBlock(let block) where isBody(block):
            visitBody(Syntax(block.statements), place)
        case .accessorBlock(let block):
            if case .getter(let items) = block.accessors {
                visitBody(Syntax(items), place)
            } else {
                visitChildren(node, place)
            }

        case .codeBlockItem(let item):
            visitItem(item, place)

        case .patternBinding(let binding):
            if let value = binding.initializer?.value {
                if place.host != nil {
                    visit(Syntax(value), place)
                } else {
                    let host = host(.value, value, place)
                    visit(Syntax(value), place.inside(host))
                }
            }
            if let accessors = binding.accessorBlock { visit(Syntax(accessors), place.outside) }

        case .conditionElement(let element):
            visitCondition(element, place)
        case .whereClause(let clause):
            visitBoolean(clause.condition, place, always: true, never: true)
        case .repeatStmt(let loop):
            visit(Syntax(loop.body), inLoop(place))
            visitBoolean(loop.condition, place, always: false, never: true)
        case .whileStmt(let loop):
            visit(Syntax(loop.conditions), place)
            visit(Syntax(loop.body), inLoop(place))
        case .forStmt(let loop):
            visitExpression(loop.sequence, place)
            if let clause = loop.whereClause { visit(Syntax(clause), place) }
            visit(Syntax(loop.body), inLoop(place))
        case .switchExpr(let choice):
            visitExpression(choice.subject, place)
            visit(Syntax(choice.cases), place)
        case .switchCaseItem(let item):
            if let clause = item.whereClause { visit(Syntax(clause), place) }

        case .closureExpr(let closure):
            if let only = closure.statements.first, closure.statements.count == 1, only.item.is(ExprSyntax.self),
                !only.item.is(IfExprSyntax.self), !only.item.is(SwitchExprSyntax.self)
            {
                visitChildren(Syntax(closure.statements), place)
            } else {
                var place = place.outside
                place.isInLoop = false
                visitChildren(Syntax(closure.statements), place)
            }

        default:
            if let host = place.host { addFaults(of: node, to: host) }
            if isIgnored(node) { return }
            visitChildren(node, place)
        }
    }

    private func inLoop(_ place: Place) -> Place {
        var place = place
        place.isInLoop = true
        return place
    }

    private func isBody(_ block: CodeBlockSyntax) -> Bool {
        guard let parent = block.parent else { return false }
        return parent.is(FunctionDeclSyntax.self) || parent.is(InitializerDeclSyntax.self)
            || parent.is(DeinitializerDeclSyntax.self) || parent.is(AccessorDeclSyntax.self)
    }

    private func visitBody(_ items: Syntax, _ place: Place) {
        guard !items.range.isEmpty else { return }
        let body = host(.body, items, place)
        visitChildren(items, Place(parent: body))
    }

    private func visitItem(_ item: CodeBlockItemSyntax, _ place: Place) {
        // Inside a host, branches of an expression are part of the host.
        if place.host != nil { return visitChildren(Syntax(item), place) }
        switch item.item {
        case .decl(let declaration):
            visit(Syntax(declaration), place)
        case .expr(let expression):
            visitStatement(expression, place)
        case .stmt(let statement):
            switch statement.as(StmtSyntaxEnum.self) {
            case .expressionStmt(let expression):
                visitStatement(expression.expression, place)
            case .returnStmt(let statement):
                guard let value = statement.expression else {
                    let host = host(.jump, statement, place)
                    host.faults.append(Fault(.jump, statement.range, ""))
                    return
                }
                let host = host(.statement, statement, place)
                visit(Syntax(value), place.inside(host))
            case .throwStmt(let statement):
                let host = host(.statement, statement, place)
                visit(Syntax(statement.expression), place.inside(host))
            case .breakStmt(let jump) where place.isInLoop:
                let host = host(.jump, jump, place)
                host.faults.append(Fault(.jump, jump.breakKeyword.range, "continue"))
            case .continueStmt(let jump):
                let host = host(.jump, jump, place)
                host.faults.append(Fault(.jump, jump.continueKeyword.range, "break"))
            default:
                visitChildren(Syntax(statement), place)
            }
        }
    }

    private func visitStatement(_ expression: ExprSyntax, _ place: Place) {
        if expression.is(IfExprSyntax.self) || expression.is(SwitchExprSyntax.self) {
            visit(Syntax(expression), place)
            return
        }
        let host = host(.statement, expression, place)
        if let call = call(in: expression) {
            if isIgnored(Syntax(call)) { return }
            host.faults.append(Fault(.omission, expression.range, ""))
        } else if let sequence = expression.as(SequenceExprSyntax.self),
            sequence.elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true,
            sequence.elements.first?.is(DiscardAssignmentExprSyntax.self) != true
        {
            host.faults.append(Fault(.omission, expression.range, ""))
        }
        visit(Syntax(expression), place.inside(host))
    }

    private func call(in expression: ExprSyntax) -> FunctionCallExprSyntax? {
        if let attempt = expression.as(TryExprSyntax.self) { return call(in: attempt.expression) }
        if let chain = expression.as(OptionalChainingExprSyntax.self) { return call(in: chain.expression) }
        return expression.as(FunctionCallExprSyntax.self)
    }

    // MARK: Conditions

    private func visitCondition(_ element: ConditionElementSyntax, _ place: Place) {
        switch element.condition {
        case .expression(let expression):
            let construct = element.parent?.parent
            let isLoop = construct?.is(WhileStmtSyntax.self) == true
            visitBoolean(expression, place, always: !isLoop, never: true)
        case .optionalBinding(let binding):
            if let value = binding.initializer?.value { visitExpression(value, place) }
        case .matchingPattern(let pattern):
            visitExpression(pattern.initializer.value, place)
        default:
            break
        }
    }

    /// - Parameters:
    ///   - always: Whether the condition that always holds is a fault.
    ///   - never: Whether the condition that never holds is a fault.
    private func visitBoolean(_ expression: ExprSyntax, _ place: Place, always: Bool, never: Bool) {
        let expression = withoutEffects(expression)
        if expression.is(BooleanLiteralExprSyntax.self) { return }
        let host = place.host ?? host(.condition, expression, place)
        if always { host.faults.append(Fault(.condition, expression.range, "true")) }
        if never { host.faults.append(Fault(.condition, expression.range, "false")) }
        visit(Syntax(expression), place.inside(host))
    }

    private func visitExpression(_ expression: ExprSyntax, _ place: Place) {
        if place.host != nil { return visit(Syntax(expression), place) }
        let expression = withoutEffects(expression)
        if expression.is(InOutExprSyntax.self) { return }
        let host = host(.expression, expression, place)
        visit(Syntax(expression), place.inside(host))
    }

    /// `try` covers the expressions on its right.
    private func withoutEffects(_ expression: ExprSyntax) -> ExprSyntax {
        if let attempt = expression.as(TryExprSyntax.self), attempt.questionOrExclamationMark == nil {
            return withoutEffects(attempt.expression)
        }
        if let wait = expression.as(AwaitExprSyntax.self) { return withoutEffects(wait.expression) }
        return expression
    }

    // MARK: Expressions

    private func isIgnored(_ node: Syntax) -> Bool {
        if let call = node.as(FunctionCallExprSyntax.self) {
            if let name = call.calledExpression.as(DeclReferenceExprSyntax.self) {
                return Self.ignoredCalls.contains(name.baseName.text)
            }
            if let member = call.calledExpression.as(MemberAccessExprSyntax.self) {
                return Self.ignoredCalls.contains(member.declName.baseName.text)
            }
        }
        if let argument = node.as(LabeledExprSyntax.self), let label = argument.label {
            return Self.ignoredLabels.contains(label.text)
        }
        return false
    }

    private static let comparisons = [
        "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
        "==": ["!="], "!=": ["=="], "===": ["!=="], "!==": ["==="],
    ]
    private static let operators = [
        "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "&*": "&+",
        "<<": ">>", ">>": "<<", "&<<": "&>>", "&>>": "&<<", "&": "|", "|": "&", "^": "|",
        "+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "&+=": "&-=", "&-=": "&+=", "&*=": "&+=",
        "<<=": ">>=", ">>=": "<<=", "&<<=": "&>>=", "&>>=": "&<<=", "&=": "|=", "|=": "&=", "^=": "|=",
    ]
    private static let trapping = ["&+": "+", "&-": "-", "&*": "*", "&+=": "+=", "&-=": "-=", "&*=": "*="]
    /// Tables with more elements get faults for some of them, because each fault copies the table.
    private static let longestTable = 16

    private func addFaults(of node: Syntax, to host: Host) {
        switch node.as(SyntaxEnum.self) {
        case .binaryOperatorExpr(let expression):
            let name = expression.operator.text
            let range = expression.operator.range
            if var others = Self.comparisons[name] {
                // In a condition that is only the comparison, the opposite comparison is little more than the constants.
                if host.form == .condition, let sequence = expression.parent?.parent?.as(SequenceExprSyntax.self),
                    sequence.elements.count == 3, sequence.range == host.range
                {
                    others.removeLast()
                }
                for other in others { host.faults.append(Fault(.comparison, range, other)) }
            } else if name == "&&" || name == "||" {
                host.faults.append(Fault(.logic, range, name == "&&" ? "||" : "&&"))
            } else if let other = Self.operators[name] {
                host.faults.append(Fault(.arithmetic, range, other))
                if let other = Self.trapping[name] { host.faults.append(Fault(.overflow, range, other)) }
            } else if name == "..<", let sequence = expression.parent?.parent?.as(SequenceExprSyntax.self) {
                let end = sequence.range.upperBound
                host.faults.append(Fault(.comparison, end..<end, " + 1"))
            }
        case .prefixOperatorExpr(let expression):
            let name = expression.operator.text
            if name == "!" {
                host.faults.append(Fault(.logic, expression.operator.range, ""))
            } else if name == "-" || name == "~", !expression.expression.is(IntegerLiteralExprSyntax.self) {
                host.faults.append(Fault(.arithmetic, expression.operator.range, ""))
            }
        case .integerLiteralExpr(let literal):
            if let table = literal.parent?.as(ArrayElementSyntax.self)?.parent?.as(ArrayElementListSyntax.self),
                table.count > Self.longestTable,
                let index = table.firstIndex(where: { $0.expression.id == literal.id }),
                table.distance(from: table.startIndex, to: index) % (table.count / 4) != 0
            {
                return
            }
            if let next = Self.successor(ofLiteral: literal.literal.text) {
                host.faults.append(Fault(.constant, literal.range, next))
            }
        case .booleanLiteralExpr(let literal):
            host.faults.append(
                Fault(.constant, literal.range, literal.literal.tokenKind == .keyword(.true) ? "false" : "true"))
        case .functionCallExpr(let call):
            guard let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName else { return }
            if name.text == "min" || name.text == "max" {
                host.faults.append(Fault(.branch, name.range, name.text == "min" ? "max" : "min"))
            }
            if name.text == "UInt8", call.arguments.first?.label?.text == "ascii",
                let text = call.arguments.first?.expression.as(StringLiteralExprSyntax.self),
                let other = Self.successor(ofCharacter: text.segments.description)
            {
                host.faults.append(Fault(.constant, text.segments.range, other))
            }
        case .unresolvedTernaryExpr(let conditional):
            guard let sequence = conditional.parent?.parent?.as(SequenceExprSyntax.self) else { return }
            let first = conditional.thenExpression.range
            let second = conditional.colon.range.upperBound..<sequence.range.upperBound
            guard let last = sequence.lastToken(viewMode: .sourceAccurate),
                last.range.upperBound == second.upperBound,
                let position = sequence.elements.first(where: {
                    $0.position.utf8Offset >= conditional.endPosition.utf8Offset
                })
            else { return }
            let other = position.range.lowerBound..<second.upperBound
            host.faults.append(
                Fault(
                    .branch, first, Self.text(of: tree, other),
                    and: [(other, conditional.thenExpression.trimmedDescription)]))
        default:
            break
        }
    }

    private static func text(of tree: SourceFileSyntax, _ range: Range<Int>) -> String {
        let bytes = tree.syntaxTextBytes
        return String(decoding: bytes[range], as: UTF8.self)
    }

    static func successor(ofLiteral text: String) -> String? {
        let digits = text.filter { $0 != "_" }
        for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where digits.hasPrefix(prefix) {
            guard let value = UInt64(digits.dropFirst(2), radix: radix), value < .max else { return nil }
            return prefix + String(value + 1, radix: radix)
        }
        guard let value = UInt64(digits), value < .max else { return nil }
        return String(value + 1)
    }

    /// The next character of ASCII, in the form of a literal's contents.
    static func successor(ofCharacter text: String) -> String? {
        switch text {
        case "\\n": return "\\t"
        case "\\r": return "\\n"
        case "\\t": return "\\n"
        case "\\\"": return "#"
        case "\\\\": return "]"
        case "[": return "\\\\"
        case "!": return "#"
        default:
            guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1, scalar.value < 0x7E else {
                return nil
            }
            return String(UnicodeScalar(UInt8(scalar.value + 1)))
        }
    }
}

extension SyntaxProtocol {
    /// The bytes of the node, without the white space and comments around it.
    var range: Range<Int> {
        positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
    }
}
