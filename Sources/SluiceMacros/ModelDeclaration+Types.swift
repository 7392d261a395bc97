#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

// Facts about types, values and declarations that are known from syntax alone.

extension TypeSyntax {
    /// Whether the type is written as `T?`, `T!`, `Optional<T>` or `Swift.Optional<T>`.
    var isOptional: Bool { wrapped != nil }

    /// Whether the type is written as `T?` or `T!`. Only these forms give a `var` the implicit value nil.
    var isOptionalSugar: Bool {
        let type = core
        return type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    }

    /// Whether the type is a function or an optional function.
    var isFunction: Bool {
        wrapped?.isFunction ?? core.is(FunctionTypeSyntax.self)
    }

    /// Whether the type is certainly not a function. A name may be an alias of a function type.
    var isSurelyNoFunction: Bool {
        if let wrapped { return wrapped.isSurelyNoFunction }
        let type = core
        if type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self) { return true }
        if type.is(SomeOrAnyTypeSyntax.self) || type.is(MetatypeTypeSyntax.self) { return true }
        return type.knownName.map { Self.standard.contains($0) } ?? false
    }

    /// Whether the name is that of a scalar type of the standard library or of Foundation.
    var isScalar: Bool {
        if let wrapped { return wrapped.isScalar }
        return core.knownName.map { Self.scalars.contains($0) } ?? false
    }

    /// Whether the type, or the wrapped type of an optional, has this name.
    func refers(to name: String) -> Bool {
        wrapped?.refers(to: name) ?? (core.knownName == name)
    }

    /// Whether the type is a known scalar, or a container of known scalars. The type checker certainly accepts a field of such a type, which
    /// is `Sendable` and its own partial type.
    var isOfScalars: Bool {
        let key = core.as(DictionaryTypeSyntax.self)?.key
        return isScalar || (element?.isOfScalars ?? false) && key?.isScalar != false
    }

    /// The wrapped type of an optional, the element of an array, or the value of a dictionary.
    var element: TypeSyntax? {
        wrapped ?? core.as(ArrayTypeSyntax.self)?.element ?? core.as(DictionaryTypeSyntax.self)?.value
    }

    /// Whether the type is written as `[String: T]` or `Dictionary<String, T>`, and is not optional.
    var isStringDictionary: Bool {
        let type = core
        let key = type.as(DictionaryTypeSyntax.self)?.key ?? type.argument(of: "Dictionary")
        return key?.core.knownName == "String"
    }

    /// The shape of the written type, or of the wrapped type of an optional.
    var written: WrittenShape {
        if let wrapped { return wrapped.written }
        let type = core
        if type.is(ArrayTypeSyntax.self) { return .array }
        if type.is(DictionaryTypeSyntax.self) { return .dictionary }
        return switch type.knownName {
        case "Array": .array
        case "Set": .set
        case "Dictionary": .dictionary
        default: .single
        }
    }

    /// The name of a type of a known module, without generic arguments. Nil for a type of another module or inside of another type.
    ///
    /// A name without a qualifier is taken for that of a known type, unless the name is in backticks: see ``ModelParser/marked(_:)``.
    var knownName: String? {
        if let named = self.as(IdentifierTypeSyntax.self) {
            #if canImport(SwiftSyntax603)
            if let module = named.moduleSelector?.moduleName.text, !Self.knownModules.contains(module) {
                return nil
            }
            #endif
            return named.name.text
        }
        guard let member = self.as(MemberTypeSyntax.self),
            Self.knownModules.contains(member.baseType.trimmedDescription)
        else { return nil }
        return member.name.text
    }

    /// The modules of the types, protocols and attributes that the macro knows by name.
    private static let knownModules: Set<String> = [
        "Swift", "_Concurrency", "Foundation", "FoundationEssentials", "ObjectiveC", "Combine", "Observation",
        "Perception",
        "SwiftData", "Sluice", "SluiceCore",
    ]

    /// The first generic argument of a known type.
    private func argument(of name: String) -> TypeSyntax? {
        guard knownName == name,
            case .type(let argument)? =
                (self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
                ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause)?.arguments.first?.argument
        else { return nil }
        return argument
    }

    /// The type without attributes such as `@Sendable`, and without parentheses.
    private var core: TypeSyntax {
        if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.core }
        if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
            only.firstName == nil
        {
            return only.type.core
        }
        return self
    }

    /// The wrapped type of an optional.
    private var wrapped: TypeSyntax? {
        let type = core
        if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
        if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType }
        return type.argument(of: "Optional")
    }

    private static let scalars = numbers.union(["Bool", "String", "Data", "Date", "Decimal", "URL", "UUID"])
    private static let standard = scalars.union(["Character", "Array", "Dictionary", "Set"])
    /// The names that have a meaning for the macro in the type of a property or a value.
    static let meaningful = standard.union(["Optional", "Any", "AnyObject"])
    private static let numbers: Set<String> = [
        "Double", "Float", "Float16", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8", "UInt16",
        "UInt32", "UInt64", "UInt128",
    ]

    /// Whether the name is that of a standard or Foundation type that does not accept this kind of literal.
    ///
    /// A program can add conformances to literal protocols, which the macro does not see.
    func refuses(_ literal: ExprSyntax) -> Bool {
        if let wrapped { return wrapped.refuses(literal) && !literal.is(NilLiteralExprSyntax.self) }
        guard isScalar, let name = core.knownName else { return written != .single && literal.isScalarLiteral }
        let takesFraction = ["Double", "Float", "Float16", "Decimal"].contains(name)
        switch literal.as(ExprSyntaxEnum.self) {
        case .nilLiteralExpr: return true
        case .booleanLiteralExpr: return name != "Bool"
        case .stringLiteralExpr: return name != "String"
        case .integerLiteralExpr: return !Self.numbers.contains(name) && !takesFraction
        case .floatLiteralExpr: return !takesFraction
        default: return false
        }
    }

    /// Whether the type is certainly not optional. A name may be an alias of an optional.
    var isKnownNotOptional: Bool { !isOptional && (isScalar || written != .single) }

    /// Whether the name is that of a protocol, or of a class without stored properties, that many classes begin their
    /// inheritance clause with.
    var isKnownProtocol: Bool {
        if self.is(AttributedTypeSyntax.self) || self.is(SuppressedTypeSyntax.self) { return true }
        return knownName.map { Self.knownProtocols.contains($0) } ?? false
    }

    /// Whether the name is that of `NSObject`, the superclass of most classes from Objective-C.
    var isNSObject: Bool { knownName == "NSObject" }

    private static let knownProtocols: Set<String> = [
        "AnyObject", "Codable", "CodingKey", "Comparable", "CustomDebugStringConvertible", "CustomReflectable",
        "CustomStringConvertible", "Decodable", "Encodable", "Equatable", "Error", "Hashable", "Identifiable",
        "JSONConvertible", "JSONHooks", "JSONModel", "JSONValueHook", "NSObject", "ObservableObject", "Sendable",
    ]

    /// Whether the name is that of a type whose literals can be raw values of an enum.
    var isRawType: Bool {
        guard let knownName else { return false }
        return Self.numbers.contains(knownName) || Self.otherRawTypes.contains(knownName)
    }

    /// The raw types apart from the numbers of the standard library: texts, `Decimal`, and aliases of numbers.
    private static let otherRawTypes: Set<String> = [
        "Character", "Decimal", "String",
        "CChar", "CDouble", "CFloat", "CInt", "CLong", "CLongLong", "CShort", "CSignedChar", "CUnsignedChar",
        "CUnsignedInt", "CUnsignedLong", "CUnsignedLongLong", "CUnsignedShort", "TimeInterval",
    ]
}

/// The container that the declaration of a property states.
enum WrittenShape {
    case single, array, set, dictionary
    /// The declaration has no type, and the type of the value is not known.
    case unknown
}

extension ModelProperty {
    var written: WrittenShape { type?.written ?? value?.written ?? .unknown }
}

extension ExprSyntax {
    fileprivate var written: WrittenShape {
        switch self.as(ExprSyntaxEnum.self) {
        case .booleanLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .stringLiteralExpr: .single
        case .arrayExpr: .array
        case .dictionaryExpr: .dictionary
        default: .unknown
        }
    }

    /// The initial value of a property as an argument of a call, which `if` and `switch` can be only in a closure.
    var asArgument: ExprSyntax {
        guard self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) else { return self }
        return "{ \(raw: trimmedDescription) }()"
    }

    /// Whether the expression is `nil` or `.none`.
    var isNil: Bool {
        if self.is(NilLiteralExprSyntax.self) { return true }
        guard let member = self.as(MemberAccessExprSyntax.self) else { return false }
        let base = member.base?.trimmedDescription
        return member.declName.trimmedDescription == "none" && (base == nil || base == "Optional")
    }

    /// Whether the expression consists of literals only, and therefore calls no code of the program.
    var isLiteral: Bool {
        switch self.as(ExprSyntaxEnum.self) {
        case .booleanLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .nilLiteralExpr:
            return true
        case .stringLiteralExpr(let text): return text.representedLiteralValue != nil
        case .prefixOperatorExpr(let call): return call.expression.isLiteral
        case .arrayExpr(let list): return list.elements.allSatisfy { $0.expression.isLiteral }
        case .dictionaryExpr(let dictionary):
            guard case .elements(let list) = dictionary.content else { return true }
            return list.allSatisfy { $0.key.isLiteral && $0.value.isLiteral }
        case .tupleExpr(let tuple): return tuple.elements.allSatisfy { $0.expression.isLiteral }
        default: return false
        }
    }

    /// Whether the expression is a member without a call, such as `.plain` or `Kind.plain`.
    var isMemberOfType: Bool {
        guard let member = self.as(MemberAccessExprSyntax.self) else { return false }
        return member.base.map(\.isTypeName) ?? true
    }

    /// Whether the expression may call code of the program.
    var mayCall: Bool { !isLiteral && !isMemberOfType }

    /// Whether the expression is a literal of a scalar.
    var isScalarLiteral: Bool { written == .single }

    /// Whether the value is certainly not a function.
    ///
    /// Such values are literals, initializer calls such as `Cache()`, and implicit members such as `.case`, because a
    /// function type has no members. `.some` may contain a function.
    var isSurelyNoFunction: Bool {
        switch self.as(ExprSyntaxEnum.self) {
        case .booleanLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .stringLiteralExpr, .arrayExpr,
            .dictionaryExpr, .prefixOperatorExpr:
            return true
        case .functionCallExpr(let call):
            return call.calledExpression.isTypeName
        case .memberAccessExpr(let member):
            return member.base == nil && !["none", "some"].contains(member.declName.trimmedDescription)
        default:
            return false
        }
    }

    /// Whether the expression looks like a type, such as `Cache`, `Outer.Cache`, `Set<Int>` or `[Int]`.
    private var isTypeName: Bool {
        switch self.as(ExprSyntaxEnum.self) {
        case .arrayExpr, .dictionaryExpr: true
        case .declReferenceExpr(let name): name.baseName.bareName.first?.isUppercase ?? false
        case .memberAccessExpr(let member): member.declName.baseName.bareName.first?.isUppercase ?? false
        case .genericSpecializationExpr(let generic): generic.expression.isTypeName
        default: false
        }
    }
}

extension PatternBindingSyntax {
    /// Whether the property has accessors other than observers.
    var isComputed: Bool {
        switch accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let accessors):
            !accessors.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }
}

extension ExtensionDeclSyntax {
    /// Whether the extension shows that the extended type is generic. The name of another module's or file's type does not.
    var isGeneric: Bool {
        genericWhereClause != nil || extendedType.isGeneric
    }
}

extension TypeSyntax {
    /// Whether the type, or a type around it, is written with generic arguments or is a generic type of the standard library.
    fileprivate var isGeneric: Bool {
        let isSugar = tokens(viewMode: .sourceAccurate).contains {
            [.leftAngle, .leftSquare].contains($0.tokenKind)
        }
        let isKnown = ["Array", "Dictionary", "Optional", "Result", "Set"].contains(knownName)
        return isSugar || isKnown || self.as(MemberTypeSyntax.self)?.baseType.isGeneric == true
    }
}

extension DeclGroupSyntax {
    /// The superclass or the raw type, if the declaration has one, or a protocol.
    var firstInheritedType: TypeSyntax? { inheritanceClause?.inheritedTypes.first?.type }
}

extension InheritanceClauseSyntax {
    /// Whether the inheritance clause names this protocol.
    func names(_ name: String) -> Bool {
        inheritedTypes.contains {
            let known = $0.type.withoutIsolation.knownName
            return known == name || known == "Codable" && ["Decodable", "Encodable"].contains(name)
        }
    }
}

extension TypeSyntax {
    /// The protocol of a conformance with an isolation, as in `nonisolated JSONModel`. `@unchecked Sendable` remains as written.
    fileprivate var withoutIsolation: TypeSyntax {
        guard let attributed = self.as(AttributedTypeSyntax.self),
            !attributed.attributes.contains(where: { $0.isNamed("unchecked") })
        else { return self }
        return attributed.baseType
    }
}

extension VariableDeclSyntax {
    var isStatic: Bool { modifiers.contains(.static) || modifiers.contains(.class) }
}

extension DeclModifierListSyntax {
    func contains(_ keyword: Keyword) -> Bool {
        contains { $0.name.tokenKind == .keyword(keyword) }
    }

    /// The access level. `private(set)` is not an access level of the declaration.
    var access: Keyword? {
        let levels: [Keyword] = [.open, .public, .package, .internal, .fileprivate, .private]
        return levels.first { level in contains { $0.name.tokenKind == .keyword(level) && $0.detail == nil } }
    }

    /// The modifier of a property whose value does not come from outside.
    var undecoded: ModelMessage.Unplanned? { contains(.lazy) ? .lazy : contains(.weak) ? .weak : nil }

    /// `weak` or `unowned`, without a detail in parentheses.
    var ownership: String? {
        first { [.keyword(.weak), .keyword(.unowned)].contains($0.name.tokenKind) }?.name.text
    }
}
#endif
