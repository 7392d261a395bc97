import Sluice

// The JSON of the standard library's types and of Sluice's own values.

enum SampledStrings {
    static let all = [
        "", "a", "short", "fifteen bytes..", "sixteen bytes...", "é", "naïve 東京", "😀😀", "a \"quote\"", "a/b\\c",
        "tab\tnull\0", "line\nline", "a long string without anything special in it, over several vectors",
        "ends with a backslash \\", "true", "12", "null", "point", "leaf", "type",
    ]
    /// Keys of dictionaries that are no keys of models.
    static let keys = [
        "k", "l", "é", "a key", "k\n", "x.y", "[0]", "a long key without anything special in it", "東京",
        "e\u{301}", "K", "\u{212A}",
    ]
}

extension Sampled where Self: FixedWidthInteger {
    static func sample(_ sampler: Sampler) -> JSONNode {
        let small = Int8(truncatingIfNeeded: sampler.below(128))
        let value: Self = sampler.pick([.min, .max, 0, 1, Self(small), Self.max / 3])
        switch sampler.below(12) {
        case 0 where sampler.coercion.accepts: return .string(" \(value)")
        case 1 where sampler.coercion.accepts: return .literal("true")
        case 2 where sampler.coercion == .mjExtension: return .string("7 of them")
        case 3 where sampler.coercion == .mjExtension: return .literal("1.75")
        case 4: return .literal("\(small).0")
        case 5: return .literal("\(small)e0")
        default: return .literal("\(value)")
        }
    }
}

extension Int: Sampled {}
extension Int8: Sampled {}
extension Int16: Sampled {}
extension Int32: Sampled {}
extension Int64: Sampled {}
extension Int128: Sampled {}
extension UInt: Sampled {}
extension UInt8: Sampled {}
extension UInt16: Sampled {}
extension UInt32: Sampled {}
extension UInt64: Sampled {}
extension UInt128: Sampled {}

extension Sampled where Self: BinaryFloatingPoint {
    static func sample(_ sampler: Sampler) -> JSONNode {
        if sampler.coercion.accepts, sampler.chance(8) { return .string("-2.5") }
        let texts = ["0", "-0.0", "1.5", "0.1", "1e-3", "12345", "-7", "3.14159265358979312", "1e-320", "65e2"]
        return .literal(sampler.pick(texts))
    }
}

extension Double: Sampled {}
extension Float: Sampled {}

extension Bool: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        if sampler.coercion.accepts, sampler.chance(4) { return sampler.pick([.string("yes"), .literal("0")]) }
        return .literal(sampler.pick(["true", "false"]))
    }
}

extension String: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        if sampler.coercion.accepts, sampler.chance(8) { return .literal(sampler.pick(["1.50", "true", "-7"])) }
        return .string(sampler.pick(SampledStrings.all))
    }
}

extension JSONValue: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode { sampler.anything() }
}

extension JSONRaw: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        let node = sampler.anything()
        return node.isNull ? .literal("true") : node
    }
}

// MARK: Containers

extension Optional: Sampled where Wrapped: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        sampler.isDeep || sampler.chance(4) ? .null : Wrapped.sample(sampler)
    }
    // The levels of nil of an optional of an optional are one null.
    static var roundTrips: Bool { Wrapped.roundTrips }
}

extension Array: Sampled where Element: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        .array((0..<sampler.containerCount).map { _ in sampler.value(Element.self) })
    }
    static var roundTrips: Bool { Element.roundTrips }
}

extension Set: Sampled where Element: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode { [Element].sample(sampler) }
    static var roundTrips: Bool { Element.roundTrips }
}

/// A dictionary's key that makes its own text.
protocol SampledKey: Hashable {
    static func sampleKey(_ sampler: Sampler) -> String
}

extension String: SampledKey {
    static func sampleKey(_ sampler: Sampler) -> String { sampler.pick(SampledStrings.keys) }
}

extension Int: SampledKey {
    static func sampleKey(_ sampler: Sampler) -> String { "\(sampler.below(20) - 10)" }
}

extension Dictionary: Sampled where Key: SampledKey, Value: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        var members: [JSONNode.Member] = []
        for _ in 0..<sampler.containerCount {
            let key = Key.sampleKey(sampler)
            if members.contains(where: { $0.key == key }) { continue }
            members.append(.init(key: key, value: sampler.value(Value.self)))
        }
        return .object(members)
    }
    static var roundTrips: Bool { Value.roundTrips }
}

// MARK: Wrapped values

extension JSONPresence: Sampled where Value: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        sampler.chance(4) ? .null : Value.sample(sampler)
    }
    static var roundTrips: Bool { Value.roundTrips }
}

extension JSONLazy: Sampled where Value: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode { Value.sample(sampler) }
}

/// The JSON of a value, or its JSON inside of a string.
enum Either<Value: Sampled>: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        let node = Value.sample(sampler)
        return sampler.chance(2) && !node.isNull ? .embedded(node) : node
    }
}

/// The JSON of a value inside of a string.
enum Embedding<Value: Sampled>: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode { .embedded(Value.sample(sampler)) }
}
