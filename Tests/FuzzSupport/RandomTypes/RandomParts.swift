import Sluice
import Synchronization
import TestSupport

// Values that random types are made of, and values around other values.

/// A type that random types contain.
protocol Part: Sampled, JSONConvertible {
    static var facts: Facts { get }
}

extension Part {
    static var facts: Facts { Facts() }
    static var roundTrips: Bool { facts.roundTrips }
}

/// A part whose members can be those of an enclosing object.
protocol ObjectPart: Part, JSONModel {
    /// Makes the JSON of a value beside other members.
    static func sampleInside(_ sampler: Sampler) -> JSONNode
}

extension ObjectPart where Self: SampledModel {
    static func sampleInside(_ sampler: Sampler) -> JSONNode { sampler.object(of: Self.self, .none) }
}

/// What is known of a type, because of which some oracles do not apply.
struct Facts {
    /// The members that a value reads from its object; nil if it reads any member.
    var keys: Set<String>? = []
    /// The number of enums in the object of the model.
    var enumCount = 0
    /// Whether a model somewhere in the type has an enum in its object.
    var flattensEnums = false
    /// Whether two parts of the type read one member. What is encoded then has the value of one part.
    var sharesKeys = false
    /// Whether decoding an encoded value gives the same value.
    var roundTrips = true
    /// Whether the schema states all that is refused.
    var hasExactSchema = true
    /// Whether unknown keys are refused.
    var rejects = false
    /// Whether members may be present of which nothing is encoded.
    var mayWriteNothing = false

    init(keys: Set<String>?) { self.keys = keys }

    /// The facts of a type with values of other types.
    init(inside parts: [Facts] = []) {
        roundTrips = parts.allSatisfy(\.roundTrips)
        sharesKeys = parts.contains(where: \.sharesKeys)
        hasExactSchema = parts.allSatisfy(\.hasExactSchema)
        flattensEnums = parts.contains(where: \.flattensEnums)
    }

    func shares(with other: Facts) -> Bool {
        guard let keys, let others = other.keys else { return keys?.isEmpty != true && other.keys?.isEmpty != true }
        return !keys.isDisjoint(with: others)
    }

    /// Adds another part that reads other members of the same object.
    mutating func combine(_ other: Facts) {
        sharesKeys = sharesKeys || other.sharesKeys
        roundTrips = roundTrips && other.roundTrips && !sharesKeys
        enumCount += other.enumCount
        flattensEnums = flattensEnums || other.flattensEnums
        mayWriteNothing = mayWriteNothing || other.mayWriteNothing
        hasExactSchema = hasExactSchema && other.hasExactSchema && enumCount < 2
        if let others = other.keys { keys?.formUnion(others) } else { keys = nil }
    }

    /// Adds another part that reads members of the same object, which may be the same.
    mutating func add(_ other: Facts) {
        sharesKeys = sharesKeys || shares(with: other)
        combine(other)
    }
}

extension Int: Part {}
extension Int8: Part {}
extension Double: Part {}
extension Bool: Part {}
extension String: Part {}
extension Color: Part {}
extension Level: Part {}
extension Tracked: Part where Group == FuzzInstances {}
extension JSONValue: Part {}
extension JSONRaw: Part {}
extension Optional: Part where Wrapped: Part {
    static var facts: Facts { Wrapped.facts }
}
extension Array: Part where Element: Part {
    static var facts: Facts { Facts(inside: [Element.facts]) }
}
extension Dictionary: Part where Key: SampledKey & JSONDictionaryKey, Value: Part {
    static var facts: Facts {
        var facts = Facts(inside: [Value.facts])
        facts.keys = nil
        return facts
    }
}
/// A value whose JSON has the name of its case as it was read. The encoder refuses another name than the one that it writes.
protocol LazyPart {}
extension JSONLazy: LazyPart {}
extension JSONLazy: Part where Value: Part {
    static var facts: Facts {
        var facts = Value.facts
        facts.hasExactSchema = false
        return facts
    }
}
extension TrackedNode: Part {
    static var facts: Facts { Facts(keys: ["name", "mark", "label", "children"]) }
}
extension Leaf: ObjectPart {
    static var facts: Facts { Facts(keys: ["radius", "mark"]) }
}
extension Size: ObjectPart {
    static var facts: Facts { Facts(keys: ["width", "size_note", "spare"]) }
}
extension Point: ObjectPart {
    static var facts: Facts { Facts(keys: ["x", "pos"]) }
}

/// A value that only a transform makes.
struct Box<Value: Part> {
    let value: Value
}

struct Boxing<Value: Part>: JSONTransform {
    func decode(_ json: Value) throws -> Box<Value> { Box(value: json) }
    func encode(_ box: Box<Value>) throws -> Value { box.value }
}

/// A transform that refuses some values.
struct Choosing<Value: Part>: JSONTransform {
    func decode(_ json: Value) throws -> Box<Value> {
        if Refusal.refuses(json) { throw FuzzRefusal(reason: "a value of a box") }
        return Box(value: json)
    }
    func encode(_ box: Box<Value>) throws -> Value { box.value }
}

/// A value whose type has a transform of its own.
struct Converted1<Value: Part>: Part {
    private struct Transform: JSONTransform {
        func decode(_ json: Value) throws -> Converted1 { Converted1(value: json) }
        func encode(_ converted: Converted1) throws -> Value { converted.value }
    }

    let value: Value
    static var jsonShape: JSONShape { .transformed(by: Transform()) }
    static func sample(_ sampler: Sampler) -> JSONNode { Value.sample(sampler) }
    static var facts: Facts { Value.facts }
}

/// Which values the hooks and transforms of random types refuse.
enum Refusal {
    /// Whether a value is refused: one in eight is, by the text of the value.
    static func refuses(_ value: Any) -> Bool {
        let sum = Rendering.text(of: value, .byMeaning).utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        return sum % 8 == 0
    }
}

/// The defaults of properties: for each type, a text that is decoded to the default.
enum Standard {
    private static let texts = Mutex<[ObjectIdentifier: [UInt8]]>([:])

    /// Finds the default of a type. Returns whether the type has one.
    static func prepare<Value: Part>(_ type: Value.Type) -> Bool {
        for seed: UInt64 in 1...8 {
            var random = SeededRandom(seed: seed)
            // A default that keeps its text is encoded by decoders that reject unknown keys, too.
            let context = Sampler.Context(allowsUnknownKeys: false)
            let sampler = Sampler(random, context, faultRate: 0, depth: 2, budget: 6)
            let text = NodeWriter.document(Value.sample(sampler), &random)
            guard (try? JSONModelDecoder().decode(type, from: text)) != nil else { continue }
            texts.withLock { $0[ObjectIdentifier(type)] = text }
            return true
        }
        return false
    }

    /// Makes the default of a type.
    static func value<Value: Part>(_ type: Value.Type) -> Value {
        let text = texts.withLock { $0[ObjectIdentifier(type)]! }
        return try! JSONModelDecoder().decode(type, from: text)
    }
}
