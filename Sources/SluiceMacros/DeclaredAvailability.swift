#if Macros
import SwiftSyntax

/// The limits that the `@available` attributes of a case or a property set to code that uses the declaration.
struct DeclaredAvailability: Equatable {
    /// Whether code that uses the declaration causes a warning.
    var isDeprecated = false
    /// Whether no code can use the declaration.
    var isUnavailable = false
    /// The conditions of `#if` for code that uses the declaration, such as `!os(macOS)`.
    var conditions: [String] = []
    /// The conditions of `if` for code that uses the declaration, such as `#available(macOS 15, *)`.
    var checks: [String] = []

    init() {}

    init(of attributes: AttributeListSyntax) {
        for case .attribute(let attribute) in attributes where attribute.isNamed("available") {
            if case .availability(let list)? = attribute.arguments { add(list.map(\.argument)) }
        }
    }

    /// Whether some builds or systems cannot use the declaration.
    var isLimited: Bool { isUnavailable || !conditions.isEmpty || !checks.isEmpty }

    private mutating func add(_ arguments: [AvailabilityArgumentSyntax.Argument]) {
        let versions = arguments.compactMap { $0.as(PlatformVersionSyntax.self) }
        if let language = versions.first(where: { $0.platform.text == "swift" }) {
            conditions.append("swift(>=\(language.version?.trimmedDescription ?? "0"))")
        } else if !versions.isEmpty {
            checks.append("#available(\(arguments.map(\.trimmedDescription).joined(separator: ", ")))")
        } else if let domain = arguments.first?.trimmedDescription {
            for argument in arguments.dropFirst() { add(argument, in: domain) }
        }
    }

    /// Adds an argument of the form with one platform, such as `@available(macOS, introduced: 15)`.
    private mutating func add(_ argument: AvailabilityArgumentSyntax.Argument, in domain: String) {
        let labeled = argument.as(AvailabilityLabeledArgumentSyntax.self)
        let version = labeled?.value.trimmedDescription ?? ""
        switch labeled?.label.text ?? argument.trimmedDescription {
        case "deprecated": isDeprecated = true
        case "unavailable" where ["*", "swift"].contains(domain): isUnavailable = true
        case "unavailable" where domain == "macCatalyst": conditions.append("!targetEnvironment(macCatalyst)")
        case "unavailable": conditions.append("!os(\(domain))")
        case "introduced" where domain == "swift": conditions.append("swift(>=\(version))")
        case "introduced": checks.append("#available(\(domain) \(version), *)")
        case "obsoleted" where domain == "swift": conditions.append("swift(<\(version))")
        default: break
        }
    }
}
#endif
