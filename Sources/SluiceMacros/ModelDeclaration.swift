#if Macros
import SwiftSyntax

/// What `@JSONModel` knows of the type it is on. The renderer needs nothing else.
struct ModelDeclaration {
    enum Kind: Equatable {
        case structure
        case finalClass
        /// A class that may have subclasses.
        case openClass
        /// An enum of raw values, which has no plan.
        case rawEnum
        /// An enum whose cases are told apart by a tag.
        case union
    }

    var kind: Kind
    /// As written, with its back-ticks.
    var name: String
    /// The access that `plan` needs, so that it can serve the public protocol; nil where none need be written.
    var access: String?
    var isOpen = false
    /// The superclass as it is written, where that is a model too.
    var superclass: String?
    /// Static stored properties are not allowed in generic types, nor in types nested in them.
    var isGeneric = false
    /// Private in another type, or nested in such a one: no extension at file level can name it.
    var isHidden = false
    /// On a global actor that is not the main one: nobody but that actor can read it.
    var isOnOtherActor = false
    var isOnMainActor = false
    /// `@available` attributes of the type and its enclosing types, which the extension needs as well.
    var availability: [String] = []
    var options = ModelOptions()
    /// All stored properties, in order.
    var properties: [ModelProperty] = []
    /// The cases of an enum, in order.
    var cases: [ModelCase] = []
    /// What else its body declares.
    var declares = DeclaredMembers()
    /// The body declares a member that the macro has to add, so that nothing can be added.
    var hasTakenName = false
    /// Something was reported: the members are stubs then, so that no errors follow from the first.
    var isRefused = false
}

extension ModelDeclaration {
    var isClass: Bool { kind == .finalClass || kind == .openClass }

    /// Whether the core fills the type's own memory, or a storage struct's from which the model is made.
    var usesStorage: Bool {
        isClass || properties.contains { !$0.isAddressable }
    }

    /// Whether its initializer from storage goes into the extension, where it leaves a struct's memberwise
    /// initializer alone.
    var initializesInExtension: Bool { kind == .structure && !isHidden }

    var planned: [ModelProperty] {
        properties.filter { !$0.isIgnored }
    }

    /// Swift makes `init()` for a class whose properties all have values, unless another one is written. Ours
    /// counts as written, so the implicit one has to be.
    var losesImplicitInitializer: Bool {
        isClass && superclass == nil && hasOnlyValues
    }

    /// Whether its superclass's initializers are its own too. One of ours would take them away.
    var inheritsInitializers: Bool { superclass != nil && hasOnlyValues }

    private var hasOnlyValues: Bool {
        !declares.designatedInitializer && properties.allSatisfy(\.hasImplicitValue)
    }

    /// The protocols that it needs. Each has to be named, also where one implies the other: in other files than the
    /// type's own the compiler finds a macro's conformances by their names only.
    var conformances: [String] {
        let own =
            kind == .rawEnum ? ["JSONConvertible"] : superclass == nil ? ["JSONModel", "JSONConvertible"] : []
        return own + (options.isCodable ? ["Decodable", "Encodable"] : [])
    }

    /// The hooks that its own plan calls. One that overrides a superclass's is called by the superclass's plan.
    var hooks: [DeclaredMembers.Hook] {
        declares.hooks.filter { superclass == nil || !$0.isOverride }
    }
}

/// What the body of a type declares, beside its properties, that the macro goes by.
struct DeclaredMembers {
    var designatedInitializer = false
    var hooks: [Hook] = []
    var initFromDecoder = false
    var encodeToEncoder = false

    /// A method that the core is to call.
    struct Hook {
        var kind: ModelHook
        var isOverride: Bool
        var `throws`: Bool
        /// Whether the method returns false for a model that it refuses.
        var returnsBool: Bool
    }
}

/// A stored property.
struct ModelProperty {
    enum Place: Equatable {
        case ofItsKey
        /// `@JSONEmbedded`: in a string at its key.
        case embedded
        /// `@JSONFlatten`: its fields are among the object's own.
        case flattened
        /// `@JSONExtra`: what no other property took.
        case extra
    }

    /// Without back-ticks: the default key, and the name in messages.
    var name: String
    /// As code refers to it, with back-ticks where they were written.
    var reference: String
    /// Where the name is written.
    var node: Syntax?
    var type: TypeSyntax?
    /// Where the type is written.
    var typeNode: TypeSyntax?
    var value: ExprSyntax?
    var isConstant = false
    /// Declared `private` or `fileprivate`.
    var isPrivate = false
    /// No part of the plan's work: `@JSONIgnore`, or a constant that has its value.
    var isIgnored = false
    /// Whether the core may fill it by a key path's offset.
    var isAddressable = true
    var place = Place.ofItsKey
    /// Its keys, the first candidate first. Empty where the core makes the key of its name.
    var keys: [ModelKey] = []
    /// The spot that its name stands for, where `keys` is empty and no strategy makes another one.
    var derivedKey: ModelKey?
    /// The arguments of its attributes, as they are written.
    var transform: String?
    var coercion: String?
    var declaredDefault: String?
    var defaultCases: DefaultCases?
    var ignoredDirection: String?
    var isLossy = false

    /// In which cases `@JSONDefault` wants the default taken.
    enum DefaultCases {
        case these(String)
        /// Those, and where there is nothing or null.
        case also(String)
    }

    var isOptional: Bool { type?.isOptional ?? false }

    /// Whether Swift has a value for it without being told. Only the sugar `T?` on a `var` has an implicit nil.
    var hasImplicitValue: Bool {
        value != nil || (!isConstant && type?.isOptionalSugar == true)
    }

    /// A constant with a value can't be given another one.
    var isFixed: Bool { isConstant && value != nil }

    /// Whether the compiler surely reports the initial value, at the property: the plan then does not repeat the error.
    var hasWrongLiteral: Bool {
        guard declaredDefault == nil, let type, let value else { return false }
        return type.refuses(value)
    }

    /// What the plan fills in when the key is missing, if anything: an Optional is nil by itself.
    var defaultText: String? {
        if let declaredDefault { return declaredDefault }
        if let value, !(isOptional && value.isNil) { return value.trimmedDescription }
        // Where the core has to make the value also for other reasons, nil has to be said.
        return isIgnored || (isOptional && defaultCases != nil) ? "nil" : nil
    }
}

/// One key of one property.
struct ModelKey {
    /// The literal for the generated code.
    var literal: String
    var path: KeyText
    /// Where to report on it: the literal in `@JSONKey`, else the property's name.
    var node: Syntax
}

/// A case of an enum without raw values.
struct ModelCase {
    enum Payload {
        case none
        case value(TypeSyntax)
        /// A struct of the labels' names stands for them.
        case labelled([ModelProperty])
    }

    /// Without back-ticks: the default key, and the name in messages.
    var name: String
    /// As code refers to it.
    var reference: String
    /// Where the name is written.
    var node: Syntax?
    /// Literals; empty where the core makes the key of the name.
    var keys: [String] = []
    var payload = Payload.none
    /// Whether the payload is JSON in a string.
    var isEmbedded = false
    /// The name of the struct of the labels.
    var structName = ""
}
#endif
