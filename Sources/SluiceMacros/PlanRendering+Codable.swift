#if Macros
import SwiftSyntax

// The members of `Codable` for the option `.codable`. They use the plan, and are omitted if the type declares them.
extension PlanRenderer {
    var codable: [[String]] {
        guard model.options.isCodable, !model.inheritsCodable, !model.superclassIsCodable else { return [] }
        return [
            guarded(decoding, unless: model.declares.initFromDecoder.map(\.conditions)),
            guarded(encoding, unless: model.declares.encodeToEncoder.map(\.conditions)),
        ].filter { !$0.isEmpty }
    }

    private var decoding: [String] {
        let isOnActor =
            usesIsolatedConformance
            || model.isClass && !model.isInMainActorModule && model.initializesOnItsActor
        let isolation = isOnActor ? "" : "nonisolated "
        let convenience = model.isClass ? "convenience " : ""
        let head = "\(access)\(isolation)\(convenience)init(from decoder: any \(swift)Decoder) throws {"
        return (model.isClass ? deprecation : []) + [head] + decodingBody.map(indented) + ["}"]
    }

    private var decodingBody: [String] {
        let type = hidesSelf ? model.name : "Self"
        guard model.isClass else {
            let decoded = "try \(type).jsonDecoded(from: decoder)"
            guard model.properties.contains(where: \.isFixed) else { return ["self = \(decoded)"] }
            // Constants with a value cannot be assigned.
            return ["let model = \(decoded)"]
                + model.properties.filter { !$0.isFixed && !$0.isLazy }.flatMap {
                    $0.conditional(["self.\($0.reference) = model.\($0.reference)"])
                }
        }
        // An initializer of a class cannot assign `self`.
        let storage = "try \(type)._jsonStorageDecoded(from: decoder, as: _JSONStorage.self)"
        let initialization =
            model.inheritsInitializers
            ? [
                "let storage = \(storage)", "self.init(_jsonStorage: storage._jsonInitial)",
                "storage._jsonFinish(self)",
            ] : ["self.init(_jsonStorage: \(storage))"]
        return initialization + ["try _jsonDidDecode(from: decoder)"]
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
