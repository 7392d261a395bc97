#if Macros
import SwiftDiagnostics
import SwiftSyntax

// The properties of one `var` or `let` declaration.
extension ModelParser {
    mutating func parse(_ variable: VariableDeclSyntax, _ conditions: [Condition]) {
        let attributes = PropertyAttributes(of: variable.attributes)
        if variable.isStatic {
            reportNoEffect(of: attributes, on: variable.bindings.first, of: variable, kind: .static)
            return
        }
        if variable.modifiers.contains(.override) {
            reportNoEffect(of: attributes, on: variable.bindings.first, of: variable, kind: .overriding)
            return
        }
        if variable.bindings.count > 1, let attribute = attributes.ours.first {
            report(.severalProperties(attribute.kind, count: variable.bindings.count), at: attribute.node)
        }

        // In `var x, y: Double`, the type also applies to preceding names without a type and a value.
        var types: [TypeSyntax?] = []
        var following: TypeSyntax?
        for binding in variable.bindings.reversed() {
            following = binding.typeAnnotation?.type ?? (binding.initializer == nil ? following : nil)
            types.append(following)
        }
        for (binding, type) in zip(variable.bindings, types.reversed()) {
            parse(binding, type: type, of: variable, attributes, conditions)
        }
    }

    private mutating func parse(
        _ binding: PatternBindingSyntax, type: TypeSyntax?, of variable: VariableDeclSyntax,
        _ attributes: PropertyAttributes, _ conditions: [Condition]
    ) {
        if binding.isComputed {
            reportNoEffect(of: attributes, on: binding, of: variable, kind: .computed)
            return
        }
        guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
            report(.tuplePattern, at: binding.pattern)
            return
        }
        var property = ModelProperty(
            conditions: conditions, name: identifier.bareName, reference: identifier.trimmedDescription)
        property.documentation = variable.documentation
        property.node = Syntax(identifier)
        property.isDeprecated = DeclaredAvailability(of: variable.attributes).isDeprecated
        property.type = type.map(marked)
        property.typeNode = type
        property.value = binding.initializer.map { $0.value.trimmed.asArgument }
        property.isLazy = variable.modifiers.contains(.lazy)
        property.isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
        property.access =
            [.public, .open, .package].contains(variable.modifiers.access)
            ? variable.modifiers.access.map { $0 == .package ? "package" : "public" } : nil
        property.wrapper = attributes.foreign
        property.isPrivate = [.private, .fileprivate].contains(variable.modifiers.access)

        let declared = Declared(
            variable: variable, identifier: identifier, isObserved: binding.accessorBlock != nil)
        for (kind, node) in attributes.conditional { report(.conditionalAttribute(kind, property.name), at: node) }
        let ignoring = attributes[.ignore].map { direction(of: $0) }
        if ignoring != .both, property.hasImplicitValue, let kind = variable.modifiers.undecoded {
            property.isIgnored = true
            property.isAddressable = false
            checkUndecoded(property, declared, attributes, kind)
        } else if case .both? = ignoring {
            property.isIgnored = true
            property.isAddressable = declared.isSurelyAddressable(property, attributes)
            checkIgnored(property, declared, attributes)
        } else if property.isFixed, ignoring != .decoding {
            property.isIgnored = true
            property.isAddressable = declared.isSurelyAddressable(property, attributes)
            checkConstant(property, declared, attributes)
        } else {
            // A key path to a wrapped property has no offset.
            property.isAddressable = !declared.isObserved && !property.mayBeWrapped
            property.ignoredDirection = ignoring.map { ".\($0)" }
            checkPlanned(property, declared, attributes)
            addKeys(to: &property, declared, attributes)
            addAttributes(to: &property, declared, attributes)
            if ignoring == .decoding, !property.hasImplicitValue, property.declaredDefault == nil {
                report(.ignoredWithoutDefault(property.name), at: declared.identifier)
            }
        }
        properties.append(property)
    }

    /// The direction in which `@JSONIgnore` excludes a property.
    private enum Direction: String {
        case both, decoding, encoding
    }

    private mutating func direction(of ignore: AttributeSyntax) -> Direction {
        guard let argument = ignore.argumentList.first else { return .both }
        if let name = argument.expression.memberName, let direction = Direction(rawValue: name) {
            return direction
        }
        report(.directionNotLiteral, at: argument.expression)
        return .both
    }

    private mutating func checkIgnored(
        _ property: ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        for (kind, node) in attributes.ours where kind != .ignore {
            report(.ignoredWith(kind, property.name), at: node, .remove(node, kind, from: declared.variable))
        }
        // An attribute with arguments may give the property its value, as in `@Environment(\.locale) var locale`.
        if !property.hasImplicitValue, attributes.foreign?.arguments == nil {
            report(.ignoredWithoutDefault(property.name), at: declared.identifier)
        }
    }

    private mutating func checkUndecoded(
        _ property: ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes,
        _ kind: ModelMessage.Unplanned
    ) {
        for (attribute, node) in attributes.ours {
            report(
                .withoutEffect(attribute, on: property.name, kind), at: node,
                .remove(node, attribute, from: declared.variable))
        }
        if attributes.ours.isEmpty {
            report(.undecoded(property.name, kind), at: declared.identifier, .ignore(declared.variable))
        }
    }

    private mutating func checkConstant(
        _ property: ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        if let (kind, node) = attributes.ours.first {
            report(.constantWith(kind, property.name), at: node, .makeVar(declared.variable))
        } else {
            report(
                .constant(property.name), at: declared.identifier, .makeVar(declared.variable),
                .ignore(declared.variable))
        }
    }

    /// Reports the first reason why a property can't be decoded. The most helpful reasons come first.
    private mutating func checkPlanned(
        _ property: ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        // An ignored property needs a value. The fix-it is offered only for a property that has a value.
        let ignore = property.hasImplicitValue ? FixIt.ignore(declared.variable) : nil
        let name = property.name
        if let ownership = declared.variable.modifiers.ownership {
            report(.ownership(name, ownership), at: declared.identifier, ignore)
        } else if let foreign = attributes.foreign, let kind = attributes.misspelled {
            report(.misspelled(foreign.trimmedName, kind), at: foreign, .rename(foreign, to: kind))
        } else if property.isFunction {
            report(.function(name), at: declared.identifier, ignore)
        } else if property.type == nil, property.value == nil {
            report(.noType(name), at: declared.identifier)
        } else if attributes[.transform] == nil, let type = property.type?.withoutJSON {
            report(
                .withoutJSON(name, type.trimmedDescription, isAny: type.refers(to: "Any")), at: declared.identifier,
                ignore)
        }
    }

    private mutating func reportNoEffect(
        of attributes: PropertyAttributes, on binding: PatternBindingSyntax?, of variable: VariableDeclSyntax,
        kind: ModelMessage.Unplanned
    ) {
        let name = binding?.pattern.as(IdentifierPatternSyntax.self)?.identifier.bareName ?? "_"
        for (attribute, node) in attributes.ours {
            report(
                .withoutEffect(attribute, on: name, kind), at: node, .remove(node, attribute, from: variable))
        }
    }
}

/// The syntax of one property, as needed by the checks.
struct Declared {
    var variable: VariableDeclSyntax
    var identifier: TokenSyntax
    var isObserved: Bool

    /// Whether a key path certainly has an offset for this property.
    ///
    /// The core needs the offset of an ignored property as well. A named type may be an alias of a function type, which has
    /// no offset. In this case the model uses a storage struct.
    func isSurelyAddressable(_ property: ModelProperty, _ attributes: PropertyAttributes) -> Bool {
        guard !isObserved, attributes.foreign == nil, variable.modifiers.ownership == nil,
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
    /// The identifier without backticks.
    var bareName: String { identifier?.name ?? text }
}
#endif
