#if Macros
import SwiftSyntax

/// The facts that `@JSONModel` needs about a type. The renderer has no other input.
struct ModelDeclaration {
    enum Kind: Equatable {
        case structure
        case finalClass
        /// A class that may have subclasses.
        case openClass
        /// An enum with a raw type, which has no plan.
        case rawEnum
        /// An enum without a raw type, whose plan is a union.
        case union
    }

    var kind: Kind
    /// The name as written, with backticks.
    var name: String
    /// The text of the documentation comment.
    var documentation: String?
    /// The access level that `plan` needs to satisfy the protocol, or nil if no access level is written.
    var access: String?
    var isOpen = false
    /// The superclass as written, if the superclass is a model.
    var superclass: String?
    /// Whether the type or an enclosing type may be generic. Generic types cannot have static stored properties.
    var isGeneric = false
    /// Whether the class may see the private members of its superclass, in whose body it is declared.
    var isInsideSuperclass = false
    /// Whether an extension at file level cannot refer to the type.
    ///
    /// This is the case for types that are private in another type, and for types nested in such a type.
    var isHidden = false
    /// Whether the type is on a global actor other than the main actor. Only this actor can read the model.
    var isOnOtherActor = false
    /// Whether the type is on the main actor, or may be because its module is by default.
    var isOnMainActor = false
    /// Whether the module isolates its declarations to the main actor by default. Conformances may be isolated, too.
    var isInMainActorModule = false
    /// Whether a macro of the class makes its variables computed, as `@Observable` does.
    var isObserved = false
    /// Whether the declaration names `Sendable`.
    var isSendable = false
    /// Whether the declaration names `Identifiable`.
    var isIdentifiable = false
    /// Whether the class may have a superclass that is not a model.
    var mayHaveOtherSuperclass = false
    /// Whether the class certainly has a superclass that is not a model. Its `init()` is overridden.
    var hasOtherSuperclass = false
    /// Whether the superclass has the members of `Codable`.
    var superclassIsCodable = false
    /// The `@available` attributes of the type and its enclosing types, which the extension repeats.
    var availability: [String] = []
    var options = ModelOptions()
    /// All stored properties, in order.
    var properties: [ModelProperty] = []
    /// The cases of an enum, in order.
    var cases: [ModelCase] = []
    /// Whether a case is indirect.
    var hasIndirectCases = false
    /// Other declarations in the body of the type.
    var declares = DeclaredMembers()
    /// Whether the body declares a member that the macro would add. The macro then adds no members.
    var hasTakenName = false
    /// Whether an error was reported. The members are then stubs, so that the compiler reports no further errors.
    var isRefused = false
}

extension ModelDeclaration {
    var isClass: Bool { kind == .finalClass || kind == .openClass }

    /// Whether the core writes to a storage struct from which the model is made, instead of the memory of the model.
    var usesStorage: Bool {
        isClass || properties.contains { !$0.isAddressable }
    }

    /// Whether the initializer from storage is part of the extension. There, a struct keeps its memberwise initializer.
    var initializesInExtension: Bool { kind == .structure && !isHidden }

    /// The properties that are decoded or encoded.
    var planned: [ModelProperty] {
        properties.filter { !$0.isIgnored }
    }

    /// Whether the class loses its implicit `init()`, so that the macro has to add the initializer.
    ///
    /// Swift synthesizes `init()` for a class whose properties all have values and that declares no initializer. The
    /// initializer of the macro counts as declared.
    var losesImplicitInitializer: Bool {
        isClass && superclass == nil && !conditionsOfInitializers.contains([])
    }

    /// Whether the class inherits the initializers of its superclass. An initializer of the macro would prevent this.
    var inheritsInitializers: Bool { superclass != nil && conditionsOfInitializers.isEmpty }

    /// The conditions of the designated initializers, and of the properties without a value. Any of them prevents implicit and inherited
    /// initializers.
    var conditionsOfInitializers: [[Condition]] {
        declares.designatedInitializers + properties.filter { !$0.hasImplicitValue }.map(\.conditions)
    }

    /// Whether the plan uses a deprecated property or case.
    var usesDeprecated: Bool {
        properties.contains(where: \.isDeprecated) || cases.contains(where: \.availability.isDeprecated)
    }

    /// The protocols of the type.
    ///
    /// Each protocol is named, even if another one implies the protocol: outside the file of the type, the compiler finds
    /// the conformances of a macro only by their names.
    var conformances: [String] {
        let own =
            kind == .rawEnum ? ["JSONConvertible"] : superclass == nil ? ["JSONModel", "JSONConvertible"] : []
        guard options.isCodable else { return own }
        return own + ["Decodable", "Encodable"] + (inheritsCodable ? ["_JSONCodableModel"] : [])
    }

    /// Whether a protocol of the core has the members of `Codable`.
    ///
    /// The initializer of a class that may have subclasses would be a required one, which an extension cannot declare and
    /// which each subclass would have to declare. If the initializer from storage has the isolation of its class, so would that one, but
    /// the conformance has none.
    ///
    /// An initializer of a struct that has a constant with a value cannot assign `self`, except that of a protocol. Assignments of the other
    /// properties instead are no general way: a struct on an actor may have properties that are not `Sendable`.
    var inheritsCodable: Bool {
        guard !isHidden else { return false }
        if kind == .structure { return !isInMainActorModule && properties.contains(where: \.isFixed) }
        guard isClass else { return false }
        return kind == .openClass || !isInMainActorModule && !superclassIsCodable && initializesOnItsActor
    }

    /// The hooks that the plan of the type calls. The plan of the superclass calls overridden hooks.
    var hooks: [DeclaredMembers.Hook] {
        declares.hooks.filter { superclass == nil || !$0.isOverride }
    }
}

/// The declarations in the body of a type, other than properties, that change the expansion.
struct DeclaredMembers {
    /// The conditions of each.
    var designatedInitializers: [[Condition]] = []
    var hooks: [Hook] = []
    /// The names of `init(from:)` and `encode(to:)`, which the macro does not add then.
    var initFromDecoder: [Coding] = []
    var encodeToEncoder: [Coding] = []

    struct Coding: Conditional {
        var name: TokenSyntax
        var conditions: [Condition]
    }

    /// A method that the core calls.
    struct Hook: Conditional {
        var conditions: [Condition]
        var kind: ModelHook
        var isOverride: Bool
        var `throws`: Bool
        /// Whether the method returns a `Bool`, which is `false` for an invalid model.
        var returnsBool: Bool
        /// Whether the method has the signature of the protocol.
        var isRequirement: Bool
        var isNonisolated: Bool
        /// Whether the method is on the main actor by an attribute of its own.
        var isOnMainActor: Bool
    }
}

/// A stored property.
struct ModelProperty: Conditional {
    var conditions: [Condition] = []
    /// The location of a property in the JSON of its model.
    enum Location: Equatable {
        /// At a key of the property.
        case atKey
        /// In a string at the property's key: `@JSONEmbedded`.
        case embedded
        /// In the members of the enclosing object: `@JSONFlatten`.
        case flattened
        /// In the members that belong to no other property: `@JSONExtra`.
        case extra
    }

    /// The name without backticks, which is the default key and the name in messages.
    var name: String
    /// The name in code, with backticks if they were written.
    var reference: String
    /// The text of the documentation comment.
    var documentation: String?
    /// The syntax of the name.
    var node: Syntax?
    var type: TypeSyntax?
    /// The syntax of the type in the source.
    var typeNode: TypeSyntax?
    var value: ExprSyntax?
    var isConstant = false
    /// The access level as written, if it is more than internal.
    var access: String?
    /// Whether the property is `private` or `fileprivate`.
    var isPrivate = false
    /// Whether the property is deprecated.
    var isDeprecated = false
    /// Whether the property is neither decoded nor encoded, by `@JSONIgnore` or as a constant with a value.
    var isIgnored = false
    /// Whether the initial value is evaluated later than the initializer.
    var isLazy = false
    /// Whether the core may write to the property by the offset of a key path.
    var isAddressable = true
    /// The attribute that may be a property wrapper. The compiler may reject an assignment.
    var wrapper: AttributeSyntax?
    var mayBeWrapped: Bool { wrapper != nil }
    var location = Location.atKey
    /// The argument of `@JSONEmbedded` as written.
    var embedding: String?
    /// The keys in order of precedence. If empty, the core derives the key from the name.
    var keys: [ModelKey] = []
    /// The key that equals the name. Used if `keys` is empty and the model has no key strategy.
    var derivedKey: ModelKey?
    /// The transform of `@JSONTransform` as written. The next properties are arguments of other attributes.
    var transform: String?
    var coercion: String?
    var declaredDefault: String? { declaredDefaultNode?.trimmedDescription }
    var declaredDefaultNode: ExprSyntax?
    var defaultCases: DefaultCases?
    var ignoredDirection: String?
    var isLossy = false
    /// The argument of `@JSONPartial`.
    var partialPresence: PartialPresence?

    /// When a property of a partial model has its value.
    enum PartialPresence: String { case whenComplete, required }

    /// The cases in which the default is used, as written in `@JSONDefault`.
    enum DefaultCases {
        /// These cases only.
        case these(String)
        /// These cases, a missing key, and null.
        case also(String)
    }

    var isOptional: Bool { type?.isOptional ?? false }

    /// Whether the property has an initial value or an implicit nil. Only a `var` written as `T?` or `T!` is implicitly nil.
    var hasImplicitValue: Bool {
        value != nil || (!isConstant && type?.isOptionalSugar == true)
    }

    /// Whether the property is a constant with a value, which can't be assigned.
    var isFixed: Bool { isConstant && value != nil }

    /// Whether the compiler certainly reports the initial value at the property. The plan then avoids a second error.
    var hasWrongLiteral: Bool {
        guard declaredDefault == nil, let type, let value else { return false }
        return type.refuses(value)
    }

    /// The default in the plan, or nil without a default. An optional needs no default to become nil.
    var defaultText: String? {
        if let declaredDefault { return declaredDefault }
        if let value, !(isOptional && value.isNil) { return value.trimmedDescription }
        // If the core creates the value in other cases as well, the default nil is written.
        return isIgnored || (isOptional && defaultCases != nil) ? "nil" : nil
    }
}

/// A key of a property.
struct ModelKey {
    /// The literal in generated code.
    var literal: String
    var path: JSONPath
    /// The location of diagnostics: the literal in `@JSONKey`, or the name of the property.
    var node: Syntax
}

/// A case of an enum without raw values.
struct ModelCase: Conditional {
    var conditions: [Condition] = []
    enum Payload {
        case none
        case value(TypeSyntax)
        /// Labeled values, which are decoded as a struct with one property for each label.
        case labelled([ModelProperty])
    }

    /// The name without backticks, which is the default key and the name in messages.
    var name: String
    /// The name in code.
    var reference: String
    /// The text of the documentation comment.
    var documentation: String?
    /// The syntax of the name.
    var node: Syntax?
    var availability = DeclaredAvailability()
    /// The literals of the keys. If empty, the core derives the key from the name.
    var keys: [String] = []
    var payload = Payload.none
    /// Whether the payload is, or may be, a string that contains JSON.
    var isEmbedded = false
    /// The argument of `@JSONEmbedded` as written.
    var embedding: String?
    /// The name of the struct for labeled values.
    var structName = ""
}
#endif
