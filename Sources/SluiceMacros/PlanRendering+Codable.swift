#if Macros
import SwiftSyntax

// The members of `Codable` for the option `.codable`. They use the plan, and are omitted if the type declares them.
extension PlanRenderer {
    var codable: [[String]] {
        guard model.options.isCodable, !model.inheritsCodable, !model.superclassIsCodable else { return [] }
        return (model.declares.initFromDecoder ? [] : [decoding])
            + (model.declares.encodeToEncoder ? [] : [encoding])
    }

    private var decoding: [String] {
        let isOnActor =
            usesIsolatedConformance
            || model.isClass && !model.isInMainActorModule && model.initializesOnItsActor
        let isolation = isOnActor ? "" : "nonisolated "
        let convenience = model.isClass ? "convenience " : ""
        let head = "\(access)\(isolation)\(convenience)init(from decoder: any \(swift)Decoder) throws {"
        guard model.isClass else { return [head, indented("self = try Self.jsonDecoded(from: decoder)"), "}"] }
        // An initializer of a class cannot assign `self`.
        let storage = "try Self._jsonStorageDecoded(from: decoder, as: _JSONStorage.self)"
        let body =
            model.inheritsInitializers
            ? [
                "let storage = \(storage)", "self.init(_jsonStorage: storage._jsonInitial)",
                "storage._jsonFinish(self)",
            ]
            : ["self.init(_jsonStorage: \(storage))"]
        return deprecation + [head] + body.map(indented) + ["}"]
    }

    private var encoding: [String] {
        let isolation = usesIsolatedConformance ? "" : "nonisolated "
        return [
            "\(access)\(isolation)func encode(to encoder: any \(swift)Encoder) throws {",
            indented("try jsonEncode(to: encoder)"), "}",
        ]
    }

    /// Whether the members use a conformance to `JSONModel` that may be on the main actor.
    private var usesIsolatedConformance: Bool { model.isInMainActorModule && !hasNonisolatedConformances }
}
#endif
