import Sluice
import TestSupport

/// A type that describes its own JSON: `sample` makes a value that the type accepts.
protocol Sampled {
    /// Makes the JSON of a random value of this type. A part that the type refuses is made through `sampler.fault()`.
    static func sample(_ sampler: Sampler) -> JSONNode
    /// Whether decoding an encoded value gives the same value.
    static var roundTrips: Bool { get }
    /// Whether the order of members changes the value.
    static var isOrdered: Bool { get }
}

extension Sampled {
    static var roundTrips: Bool { true }
    static var isOrdered: Bool { false }
}

/// A model that describes the members of its object.
protocol SampledModel: Sampled, JSONModel {
    static func sampleMembers(_ object: ObjectSampler)
}

extension SampledModel {
    static func sample(_ sampler: Sampler) -> JSONNode { sampler.object(of: Self.self) }
}

/// Makes random documents of models.
final class Sampler {
    /// Facts of the decoder's options that change which documents are valid.
    struct Context {
        var keys = JSONKeyStrategy.asDeclared
        var coercion = SampledCoercion.strict
        /// Whether unknown keys are accepted by models that do not say otherwise.
        var allowsUnknownKeys = true
        var allowsDuplicateKeys = true
        /// Whether the transform of `Code` is registered.
        var codesAreNumbers = false
    }

    var random: SeededRandom
    let context: Context
    /// One part in so many is a fault; 0 for valid documents.
    let faultRate: Int
    /// The number of parts that may be refused.
    private(set) var faults = 0
    private(set) var hasDuplicates = false
    /// The coercion that holds for the model at hand.
    private(set) var coercion: SampledCoercion

    private let maximumDepth: Int
    private var depth = 0
    /// The number of values that may still be made.
    private var budget: Int

    init(_ random: SeededRandom, _ context: Context, faultRate: Int, depth: Int, budget: Int) {
        self.random = random
        self.context = context
        self.faultRate = faultRate
        self.budget = budget
        coercion = context.coercion
        maximumDepth = depth
    }

    func below(_ bound: Int) -> Int { random.below(bound) }
    func pick<T>(_ values: [T]) -> T { random.pick(values) }
    /// True once in `count` times.
    func chance(_ count: Int) -> Bool { random.below(count) == 0 }

    /// Whether containers stay empty and recursive types end.
    var isDeep: Bool { depth >= maximumDepth || budget <= 0 }

    /// The name that the key strategy makes of an enum's case.
    func caseName(_ name: String) -> String { context.keys.key(for: name) }

    // MARK: Values

    /// A value of a type, or at times a fault.
    func value<T: Sampled>(_ type: T.Type) -> JSONNode {
        if faultRate > 0, chance(faultRate) { return fault() }
        budget -= 1
        depth += 1
        defer { depth -= 1 }
        return T.sample(self)
    }

    /// Any value where the document becomes invalid, or may.
    func fault() -> JSONNode {
        faults += 1
        return anything()
    }

    /// The document may be refused for a reason that no value shows.
    func noteFault() { faults += 1 }

    /// Whether an object repeats a key at random, if the options accept repeated keys.
    func repeatsKey() -> Bool {
        guard context.allowsDuplicateKeys, chance(8) else { return false }
        hasDuplicates = true
        return true
    }

    /// Any JSON value.
    func anything() -> JSONNode {
        budget -= 1
        depth += 1
        defer { depth -= 1 }
        switch below(isDeep ? 6 : 9) {
        case 0: return .null
        case 1: return .literal(pick(["true", "false"]))
        case 2: return .literal("\(below(200) - 100)")
        case 3: return .literal(pick(["1.5", "-0", "1e3", "99999999999999999999", "1e400", "0.1"]))
        case 4: return .string(pick(SampledStrings.all))
        case 5: return .string(pick(["1", "true", "x", "{}", "[1]", ""]))
        case 6: return .array((0..<below(4)).map { _ in anything() })
        default: return .object(unknownMembers(below(4)))
        }
    }

    /// Members that no model has a property for.
    func unknownMembers(_ count: Int) -> [JSONNode.Member] {
        (0..<count).map { .init(key: "u\(below(10))-\($0)", value: anything()) }
    }

    /// Members of an enum's object that the enum does not read. They are a fault if unknown keys are rejected.
    ///
    /// - Parameter keys: The keys of other cases.
    func strayMembers(_ keys: [String] = []) -> [JSONNode.Member] {
        guard chance(4) else { return [] }
        if !context.allowsUnknownKeys {
            guard faultRate > 0 else { return [] }
            noteFault()
        }
        guard let key = keys.randomElement(using: &random), chance(2) else { return unknownMembers(1) }
        return [.init(key: key, value: anything())]
    }

    /// The number of elements of a container.
    var containerCount: Int { isDeep ? 0 : pick([0, 1, 1, 2, 2, 3, 5]) }

    // MARK: Objects

    /// How foreign members are added to an object.
    enum Foreign {
        /// Unknown and duplicate keys, where the options accept them.
        case accepted
        /// None: every key has a meaning.
        case none
    }

    /// Makes an object of a model, which does not have the coercion of the model around.
    func object<T: SampledModel>(of type: T.Type, _ foreign: Foreign = .accepted) -> JSONNode {
        withCoercion(nil) { object(foreign) { T.sampleMembers($0) } }
    }

    func object(_ foreign: Foreign = .accepted, _ build: (ObjectSampler) -> Void) -> JSONNode {
        let outer = coercion
        defer { coercion = outer }
        let sampled = ObjectSampler(self, foreign)
        build(sampled)
        var members = sampled.members
        if sampled.foreign == .accepted {
            if context.allowsUnknownKeys, chance(3) { members += unknownMembers(1 + below(2)) }
            if context.allowsDuplicateKeys, !members.isEmpty, chance(12), !isDeep {
                hasDuplicates = true
                coercion = outer
                let other = ObjectSampler(self, foreign)
                build(other)
                if !other.members.isEmpty {
                    let copy = pick(other.members)
                    members.append(copy)
                    // The null of one candidate may be the last value of another.
                    if members.contains(where: { $0.key == copy.key && $0.value.containsNull }) { noteFault() }
                }
                // Half a flattened model, or a value that a hook refuses beside another.
                if sampled.isInterdependent { noteFault() }
            }
        }
        return .object(
            sampled.foreign == .accepted ? members.shuffled(using: &random) : members.shuffledStably(&random))
    }

    fileprivate func set(_ coercion: SampledCoercion?) { if let coercion { self.coercion = coercion } }

    /// Makes a value under a coercion, or that of the decoder.
    func withCoercion(_ own: SampledCoercion?, _ make: () -> JSONNode) -> JSONNode {
        let outer = coercion
        defer { coercion = outer }
        coercion = own ?? context.coercion
        return make()
    }
}

/// Which other scalars a document may have for a value.
enum SampledCoercion {
    case strict, lenient, mjExtension

    var accepts: Bool { self != .strict }
}

/// Collects the members of an object.
final class ObjectSampler {
    let sampler: Sampler
    fileprivate(set) var members: [JSONNode.Member] = []
    fileprivate private(set) var foreign: Sampler.Foreign
    /// Whether one member's presence requires another.
    fileprivate private(set) var isInterdependent = false
    private var keys: JSONKeyStrategy

    fileprivate init(_ sampler: Sampler, _ foreign: Sampler.Foreign) {
        self.sampler = sampler
        self.foreign = foreign
        keys = sampler.context.keys
    }

    // MARK: Options of the model

    func uses(_ coercion: SampledCoercion) { sampler.set(coercion) }
    func uses(_ keys: JSONKeyStrategy) { self.keys = keys }
    func acceptsNoForeignMembers() { foreign = .none }
    func membersDependOnEachOther() { isInterdependent = true }

    // MARK: Members

    /// The key that the strategy makes of a property's name.
    func key(_ name: String) -> String { keys.key(for: name) }

    func set(_ path: String, _ node: JSONNode) { members.set(path, to: node) }
    /// Whether a path does not lead through a member that is present, apart from objects on the way to several values.
    func isFree(_ path: String) -> Bool {
        let root = path.prefix { $0 != "." && $0 != "[" }
        guard let known = members.first(where: { $0.key == root }) else { return true }
        if case .object = known.value { return root != path }
        return false
    }
    /// Adds the members of another object. A member that is present is kept, and the document may be refused.
    func add(_ node: JSONNode) {
        guard case .object(let others) = node else { return sampler.noteFault() }
        for member in others {
            if members.contains(where: { $0.key == member.key }) {
                sampler.noteFault()
            } else {
                members.append(member)
            }
        }
    }
    /// Sets a key that may contain dots and brackets.
    func set(key: String, _ node: JSONNode) { members.append(.init(key: key, value: node)) }

    /// A member that must be present. Of several candidates at least one is.
    func required<T: Sampled>(_ path: String, or others: String..., as type: T.Type) {
        if sampler.faultRate > 0, sampler.chance(4 * sampler.faultRate) { return sampler.noteFault() }
        let first = sampler.pick([path] + others)
        set(first, sampler.value(type))
        for other in [path] + others where other != first && sampler.chance(3) {
            set(other, sampler.chance(2) ? .null : sampler.value(type))
        }
    }

    /// A member that may be absent or null.
    func optional<T: Sampled>(_ path: String, or others: String..., as type: T.Type) {
        for path in [path] + others where !sampler.chance(others.isEmpty ? 3 : 2) {
            set(path, sampler.chance(5) ? .null : sampler.value(type))
        }
    }

    /// A member for which anything is accepted.
    func tolerant<T: Sampled>(_ path: String, as type: T.Type) {
        if sampler.chance(4) { return }
        set(path, sampler.chance(3) ? sampler.anything() : sampler.value(type))
    }
}
