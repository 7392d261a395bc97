import Sluice
import TestSupport

/// Options of a decoder that a case chooses at random.
struct FuzzOptions: CustomStringConvertible {
    var coercion = SampledCoercion.strict
    var keys = FuzzOptions.strategies[0]
    var unknownKeys = JSONUnknownKeys.ignore
    var duplicateKeys = JSONModelDecoder.DuplicateKeys.lastWins
    var errors = JSONModelDecoder.ErrorPolicy.first
    var only: [JSONPath]?
    /// The paths that an encoder leaves out.
    var except: [JSONPath]?
    var limits = JSONLimits()
    var registersTransform = false

    static let strategies: [(name: String, strategy: JSONKeyStrategy)] = [
        ("asDeclared", .asDeclared), ("snakeCase", .snakeCase), ("snakeCasePerLetter", .snakeCasePerLetter),
        ("kebabCase", .kebabCase), ("screamingSnakeCase", .screamingSnakeCase), ("upperCase", .upperCase),
        ("firstLetterUppercase", .firstLetterUppercase), ("custom", .custom { "my-\($0)" }),
    ]

    /// Paths of the pool's properties, of which some are chosen.
    static let paths: [JSONPath] = [
        "id", "mark", "name", "items", "owner.id", "items[*].id", "children.mark", "spans", "way", "all.one",
        "radius",
        "internal.name", "by_name.mark", "list[1]", "f3", "embedded.mark", "lazy", "inner.shape",
        "items[0].id", "g[*].m[*].id", "g[1].mark", "rest", "idd", "owner.idd", "home.city", "type", "signal_id",
        "envelope.id", "envelope_note", "way", "array[1].leaf",
    ]

    init() {}

    init(_ random: inout SeededRandom) {
        if random.below(3) == 0 { coercion = random.pick([.lenient, .mjExtension]) }
        if random.below(3) == 0 { keys = random.pick(Self.strategies) }
        if random.below(4) == 0 { unknownKeys = random.pick([.reject, .report]) }
        if random.below(4) == 0 { duplicateKeys = .reject }
        if random.below(2) == 0 { errors = .collect(limit: random.pick([.max, .max, .max, 1, 2, 5])) }
        if random.below(12) == 0 { only = (0...random.below(4)).map { _ in random.pick(Self.paths) } }
        if random.below(16) == 0 { except = (0...random.below(4)).map { _ in random.pick(Self.paths) } }
        if random.below(16) == 0 { limits = Self.limits(&random) }
        registersTransform = random.below(4) == 0
    }

    private static func limits(_ random: inout SeededRandom) -> JSONLimits {
        var limits = JSONLimits()
        switch random.below(5) {
        case 0: limits.depth = random.below(12)
        case 1: limits.string = random.below(30)
        case 2: limits.key = 1 + random.below(12)
        case 3: limits.number = 1 + random.below(8)
        default: limits.document = random.below(400)
        }
        return limits
    }

    /// Whether a document that fits the model is decoded, whatever its size.
    var acceptsValidDocuments: Bool { only == nil && limits == JSONLimits() }

    /// The facts that the document generator needs.
    var context: Sampler.Context {
        Sampler.Context(
            keys: keys.strategy, coercion: coercion, allowsUnknownKeys: unknownKeys != .reject,
            allowsDuplicateKeys: duplicateKeys == .lastWins, codesAreNumbers: registersTransform)
    }

    func decoder(from source: JSONModelDecoder.Source = JSONModelDecoder().source) -> JSONModelDecoder {
        var decoder = JSONModelDecoder(from: source)
        decoder.coercion =
            switch coercion {
            case .strict: .strict
            case .lenient: .lenient
            case .mjExtension: .mjExtension
            }
        decoder.keyStrategy = keys.strategy
        decoder.unknownKeys = unknownKeys
        decoder.duplicateKeys = duplicateKeys
        decoder.errorPolicy = errors
        decoder.only = only
        decoder.limits = limits
        if registersTransform { decoder.register(CodeFromNumber()) }
        return decoder
    }

    /// An encoder that writes what `decoder` reads.
    var encoder: JSONModelEncoder {
        var encoder = JSONModelEncoder()
        encoder.keyStrategy = keys.strategy
        if registersTransform { encoder.register(CodeFromNumber()) }
        return encoder
    }

    /// The options that differ from the default.
    var description: String {
        var parts: [String] = []
        if coercion != .strict { parts.append("coercion .\(coercion)") }
        if keys.name != "asDeclared" { parts.append("keys .\(keys.name)") }
        if unknownKeys != .ignore { parts.append("unknownKeys .\(unknownKeys)") }
        if duplicateKeys != .lastWins { parts.append("duplicateKeys .\(duplicateKeys)") }
        if errors != .first { parts.append("errors .\(errors)") }
        if let only { parts.append("only \(only.map(\.description))") }
        if let except { parts.append("except \(except.map(\.description))") }
        if limits != JSONLimits() { parts.append("\(limits)") }
        if registersTransform { parts.append("CodeFromNumber registered") }
        return parts.isEmpty ? "default options" : parts.joined(separator: ", ")
    }
}
