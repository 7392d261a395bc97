#if Macros
import SwiftDiagnostics
import SwiftSyntax

// The attributes of a decoded property, and the combinations that are errors.
extension ModelParser {
    mutating func addAttributes(
        to property: inout ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        checkTogether(property, declared, attributes)
        property.isLossy = attributes[.lossy] != nil
        property.coercion = attributes[.coercion]?.argumentList.first?.expression.trimmedDescription
        addTransform(to: &property, attributes)
        addDefault(to: &property, declared, attributes)
        addLocation(to: &property, declared, attributes)
        addPresence(to: &property, declared, attributes)
        if let lossy = attributes[.lossy], property.written == .single {
            report(.lossyOnOne(property.name), at: lossy, .remove(lossy, .lossy, from: declared.variable))
        } else if let lossy = attributes[.lossy], attributes.isInString {
            report(
                .together(
                    property.name, .embedded, .lossy, "the elements are in one string, which is read as a whole"),
                at: lossy, .remove(lossy, .lossy, from: declared.variable))
        }
    }

    private mutating func checkTogether(
        _ property: ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        for (position, (kind, node)) in attributes.ours.enumerated() where kind != .key {
            if attributes.ours.prefix(position).contains(where: { $0.kind == kind }) {
                report(.twice(kind, property.name), at: node, .remove(node, kind, from: declared.variable))
            }
        }
        for (kind, node) in attributes.ours {
            let conflicts = kind.conflicts
            guard let other = attributes.ours.first(where: { conflicts[$0.kind] != nil })?.kind,
                let reason = conflicts[other]
            else { continue }
            report(
                .together(property.name, other, kind, reason), at: node,
                .remove(node, kind, from: declared.variable))
        }
    }

    private mutating func addTransform(to property: inout ModelProperty, _ attributes: PropertyAttributes) {
        guard let argument = attributes[.transform]?.argumentList.first?.expression else { return }
        guard argument.memberName != "self" else {
            report(.transformIsType(argument.trimmedDescription), at: argument)
            return
        }
        property.transform = argument.trimmedDescription
    }

    private mutating func addDefault(
        to property: inout ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        guard let attribute = attributes[.default], attributes[.flatten] == nil, attributes[.extra] == nil else {
            return
        }
        let list = attribute.argumentList
        let cases = list.first { $0.label?.text == "on" }?.expression.trimmedDescription
        if let value = list.first(where: { $0.label == nil }) {
            property.declaredDefaultNode = value.expression
            property.defaultCases = cases.map { .these($0) }
            if value.expression.isNil, let type = property.type, !type.isOptional, type.isKnownNotOptional {
                report(.nilDefault(property.name), at: value.expression)
            }
            if property.value != nil {
                report(
                    .twoDefaults(property.name), at: attribute,
                    .remove(attribute, .default, from: declared.variable))
            }
        } else if let cases {
            property.defaultCases = .also(cases)
            if property.value == nil, !property.isOptional {
                report(.noDefault(property.name), at: attribute)
            }
        }
    }

    private mutating func addPresence(
        to property: inout ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        guard let attribute = attributes[.partial], let argument = attribute.argumentList.first else { return }
        guard options.isPartial else {
            report(.presenceWithoutPartial, at: attribute, .remove(attribute, .partial, from: declared.variable))
            return
        }
        guard let presence = argument.expression.memberName.flatMap(ModelProperty.PartialPresence.init(rawValue:))
        else {
            report(.presenceNotLiteral, at: argument.expression)
            return
        }
        property.partialPresence = presence
        guard presence == .required else { return }
        if property.isOptional {
            report(.requiredOptional(property.name), at: attribute)
        } else if property.type == nil {
            report(.requiredWithoutType(property.name), at: declared.identifier)
        }
    }

    private mutating func addLocation(
        to property: inout ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) {
        if let embedded = attributes[.embedded] {
            property.location = .embedded
            property.embedding = embedded.argumentList.first?.expression.trimmedDescription
        }
        if let flatten = attributes[.flatten] {
            property.location = .flattened
            if [.array, .set, .dictionary].contains(property.written) || property.type?.isScalar == true {
                report(.flattenNoModel(property.name), at: flatten)
            }
            if let value = property.value, !(property.isOptional && value.isNil) {
                report(.flattenWithDefault(property.name), at: declared.identifier)
            }
        }
        if let extra = attributes[.extra] {
            property.location = .extra
            if property.type?.isStringDictionary != true { report(.extraNoDictionary(property.name), at: extra) }
            if let other = properties.first(where: {
                $0.location == .extra
                    && !$0.conditions.exclude(property.conditions, haveOneName: $0.name == property.name)
            }) {
                report(.secondExtra(property.name, other.name), at: extra)
            }
        }
        if property.location == .flattened || property.location == .extra {
            property.derivedKey = nil
            property.keys = []
        }
    }
}
#endif
