#if Macros
import SwiftDiagnostics
import SwiftSyntax

// One `var` or `let` declaration to its properties.
extension ModelParser {
    mutating func parse(_ variable: VariableDeclSyntax) {
        let attributes = PropertyAttributes(of: variable)
        if variable.isStatic {
            reportNoEffect(of: attributes, on: variable.bindings.first, of: variable, kind: .static)
            return
        }
        if variable.bindings.count > 1, let attribute = attributes.first {
            report(.severalProperties(attribute.kind, count: variable.bindings.count), at: attribute.node)
        }

        // `var x, y: Double`: a type goes to the names before it that have neither a type nor a value.
        var types: [TypeSyntax?] = []
        var following: TypeSyntax?
        for binding in variable.bindings.reversed() {
            following = binding.typeAnnotation?.type ?? (binding.initializer == nil ? following : nil)
            types.append(following)
        }
        for (binding, type) in zip(variable.bindings, types.reversed()) {
            parse(binding, type: type, of: variable, attributes)
        }
    }

    private mutating func parse(
        _ binding: PatternBindingSyntax, type: TypeSyntax?, of variable: VariableDeclSyntax,
        _ attributes: PropertyAttributes
    ) {
        if binding.isComputed {
            reportNoEffect(of: attributes, on: binding, of: variable, kind: .computed)
            return
        }
        guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
            report(.tuplePattern, at: binding.pattern)
            return
        }
        var property = ModelProperty(name: identifier.bareName, reference: identifier.trimmedDescription)
        property.type = type?.trimmed
        property.value = binding.initializer?.value.trimmed
        property.isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)

        let declared = Declared(
            variable: variable, identifier: identifier, isObserved: binding.accessorBlock != nil)
        if let ignore = attributes.ignore {
            property.isIgnored = true
            property.isAddressable = declared.isSurelyAddressable(property, attributes)
            checkIgnored(property, ignore, declared, attributes)
        } else if property.isConstant, property.value != nil {
            property.isIgnored = true
            property.isAddressable = declared.isSurelyAddressable(property, attributes)
            checkConstant(property, declared, attributes)
        } else {
            property.isAddressable = !declared.isObserved
            checkPlanned(property, declared, attributes)
            property.keys = keys(of: property, declared, attributes)
        }
        properties.append(property)
    }

    private mutating func checkIgnored(
        _ property: ModelProperty, _ ignore: AttributeSyntax, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        for key in attributes.keys {
            report(.ignoredWithKey(property.name), at: key, .remove(key, .key, from: declared.variable))
        }
        if !property.hasImplicitValue {
            report(.ignoredWithoutDefault(property.name), at: declared.identifier)
        }
    }

    private mutating func checkConstant(
        _ property: ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        if let key = attributes.keys.first {
            report(.constantWithKey(property.name), at: key, .makeVar(declared.variable))
        } else {
            report(
                .constant(property.name), at: declared.identifier, .makeVar(declared.variable),
                .ignore(declared.variable))
        }
    }

    /// What keeps a property from being filled, in the order a reader would want to hear of it.
    private mutating func checkPlanned(
        _ property: ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        // An ignored property needs a value, so the fix-it is offered only where there is one.
        let ignore = property.hasImplicitValue ? FixIt.ignore(declared.variable) : nil
        let name = property.name
        if declared.variable.modifiers.contains(.lazy) {
            report(.lazy(name), at: declared.identifier, ignore)
        } else if let ownership = declared.variable.modifiers.ownership {
            report(.ownership(name, ownership), at: declared.identifier, ignore)
        } else if let wrapper = attributes.wrapper {
            report(.wrapped(name, wrapper.trimmedName), at: declared.identifier, ignore)
        } else if property.isFunction {
            report(.function(name), at: declared.identifier, ignore)
        } else if property.type == nil, property.value == nil {
            report(.noType(name), at: declared.identifier)
        }
    }

    private mutating func reportNoEffect(
        of attributes: PropertyAttributes, on binding: PatternBindingSyntax?, of variable: VariableDeclSyntax,
        kind: ModelMessage.Unplanned
    ) {
        let name = binding?.pattern.as(IdentifierPatternSyntax.self)?.identifier.bareName ?? "_"
        for key in attributes.keys {
            report(.keyWithoutEffect(name, kind), at: key, .remove(key, .key, from: variable))
        }
        if let ignore = attributes.ignore {
            report(.ignoreWithoutEffect(name, kind), at: ignore, .remove(ignore, .ignore, from: variable))
        }
    }
}

/// The syntax around one property that the checks look at.
struct Declared {
    var variable: VariableDeclSyntax
    var identifier: TokenSyntax
    var isObserved: Bool

    /// Whether a key path surely has an offset for this property, which the core need not fill but has to know.
    /// A type by name may be an alias of a function type, which has none: then storage is the safe way.
    func isSurelyAddressable(_ property: ModelProperty, _ attributes: PropertyAttributes) -> Bool {
        guard !isObserved, attributes.wrapper == nil, variable.modifiers.ownership == nil,
            !variable.modifiers.contains(.lazy)
        else { return false }
        return property.type?.isSurelyNoFunction == true || property.value?.isSurelyNoFunction == true
    }
}

extension ModelProperty {
    var isFunction: Bool {
        type?.isFunction ?? value?.is(ClosureExprSyntax.self) ?? false
    }
}

extension TokenSyntax {
    /// An identifier without its back-ticks.
    var bareName: String { identifier?.name ?? text }
}
#endif
