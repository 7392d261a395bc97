#if Macros
import SwiftSyntax

// A property as a field of the plan.
extension PlanRenderer {
    func field(_ property: ModelProperty) -> String {
        let label =
            switch property.location {
            case _ where property.isIgnored: "ignoring: "
            case .atKey: ""
            case .embedded: "embedded: "
            case .flattened: "flatten: "
            case .extra: "extra: "
            }
        var arguments = ["\(label)\\.\(property.reference)"]
        if let form = property.embedding, !property.isIgnored { arguments.append("as: \(form)") }
        arguments.append("name: \(quote(property.name))")
        for (position, key) in property.keys.enumerated() {
            let label = position == 0 ? "key: " : position == 1 ? "or: " : ""
            arguments.append(label + key.literal)
        }
        if let transform = property.transform { arguments.append("transform: \(transform)") }
        // Flattened and extra fields have no default. The plan ignores the initial value of such a property.
        if property.location == .atKey || property.location == .embedded, let value = property.defaultText {
            arguments.append(
                "default: \(property.hasWrongLiteral ? "\(sluice)_JSONMacro.initial(\(value))" : value)")
        }
        return ".init(\(arguments.joined(separator: ", ")))" + chained(property)
    }

    private func chained(_ property: ModelProperty) -> String {
        var calls = ""
        if let coercion = property.coercion { calls += ".coercion(\(coercion))" }
        if property.isLossy { calls += ".lossy()" }
        switch property.defaultCases {
        case .these(let cases): calls += ".defaulting(on: \(cases))"
        case .also(let cases):
            calls += ".defaulting(on: \(sluice)JSONDefaultCases([.missing, .null]).union(\(cases)))"
        case nil: break
        }
        if isPartial, property.partialPresence != nil { calls += ".whenComplete()" }
        if let direction = property.ignoredDirection { calls += ".ignored(\(direction))" }
        return calls
    }
}
#endif
