#if Macros
import SwiftSyntax

/// What `@JSONModel` knows of the type it is on, without its syntax. The renderer needs nothing else.
struct ModelDeclaration {
    enum Kind {
        case structure
        case finalClass
    }

    var kind: Kind
    /// As written, with its back-ticks.
    var name: String
    /// The access that `plan` needs, so that it can serve the public protocol; nil where none need be written.
    var access: String?
    /// Static stored properties are not allowed in generic types, nor in types nested in them.
    var isGeneric = false
    /// Private in another type, or nested in such a one: no extension at file level can name it.
    var isHidden = false
    /// `@available` attributes of the type and its enclosing types, which the extension needs as well.
    var availability: [String] = []
    /// All stored properties, in order.
    var properties: [ModelProperty] = []
    var hasDesignatedInitializer = false
    /// Something was reported: the members are stubs then, so that no errors follow from the first.
    var isRefused = false

    /// Whether the core fills the type's own memory, or a storage struct's from which the model is made.
    var usesStorage: Bool {
        kind == .finalClass || properties.contains { !$0.isAddressable }
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
        kind == .finalClass && !hasDesignatedInitializer && properties.allSatisfy(\.hasImplicitValue)
    }
}

/// A stored property.
struct ModelProperty {
    /// Without back-ticks: the default key, and the name in messages.
    var name: String
    /// As code refers to it, with back-ticks where they were written.
    var reference: String
    var type: TypeSyntax?
    var value: ExprSyntax?
    var isConstant = false
    /// Left alone by the decoder: `@JSONIgnore`, or a constant that has its value.
    var isIgnored = false
    /// Whether the core may fill it by a key path's offset.
    var isAddressable = true
    /// Its keys, the first candidate first. Never empty, unless the property is ignored or was refused.
    var keys: [ModelKey] = []

    var isOptional: Bool { type?.isOptional ?? false }

    /// Whether Swift has a value for it without being told. Only the sugar `T?` on a `var` has an implicit nil.
    var hasImplicitValue: Bool {
        value != nil || (!isConstant && type?.isOptionalSugar == true)
    }

    /// What the plan fills in when the key is missing, if anything: an Optional is nil by itself.
    var defaultText: String? {
        guard let value, !(isOptional && value.isNil) else { return nil }
        return value.trimmedDescription
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
#endif
