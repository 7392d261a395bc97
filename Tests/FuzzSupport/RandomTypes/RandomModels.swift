import Sluice
import TestSupport

// Models of random properties: structs, classes and trees, with options and hooks of their own.

/// The options and hooks of a random type.
protocol Style {
    static var keys: JSONKeyStrategy? { get }
    static var coercion: SampledCoercion? { get }
    static var jsonCoercion: JSONCoercion? { get }
    static var unknownKeys: JSONUnknownKeys? { get }
    static var defaultCases: JSONDefaultCases { get }
    static func adding<Model>(to plan: ModelPlan<Model>) -> ModelPlan<Model>
    /// Whether the hooks refuse some values.
    static var mayRefuse: Bool { get }
}

extension Style {
    static var keys: JSONKeyStrategy? { nil }
    static var coercion: SampledCoercion? { nil }
    static var jsonCoercion: JSONCoercion? { nil }
    static var unknownKeys: JSONUnknownKeys? { nil }
    static var defaultCases: JSONDefaultCases { [.missing, .null] }
    static func adding<Model>(to plan: ModelPlan<Model>) -> ModelPlan<Model> { plan }
    static var mayRefuse: Bool { false }

    static func plan<Model>(_ fields: JSONField<Model>...) -> ModelPlan<Model> {
        .shared {
            adding(
                to: ModelPlan(
                    fields, keys: keys, coercion: jsonCoercion, unknownKeys: unknownKeys, defaultsOn: defaultCases))
        }
    }

    static func sample(_ object: ObjectSampler, _ fields: (ObjectSampler) -> Void...) {
        object.uses(coercion ?? object.sampler.context.coercion)
        if let keys { object.uses(keys) }
        if unknownKeys == .reject { object.acceptsNoForeignMembers() }
        for field in fields { field(object) }
        if mayRefuse { object.sampler.noteFault() }
    }
}

enum Plain: Style {}
enum Rejecting: Style { static let unknownKeys: JSONUnknownKeys? = .reject }
enum Noting: Style { static let unknownKeys: JSONUnknownKeys? = .report }
enum Ignoring: Style { static let unknownKeys: JSONUnknownKeys? = .ignore }
enum SnakeCase: Style { static let keys: JSONKeyStrategy? = .snakeCase }
enum Lenient: Style {
    static let coercion: SampledCoercion? = .lenient
    static let jsonCoercion: JSONCoercion? = .lenient
}
enum Strict: Style {
    static let coercion: SampledCoercion? = .strict
    static let jsonCoercion: JSONCoercion? = .strict
}
enum DefaultsOnMismatch: Style { static let defaultCases = JSONDefaultCases.all }

/// Hooks that change nothing.
enum Calling: Style {
    static func adding<Model>(to plan: ModelPlan<Model>) -> ModelPlan<Model> {
        plan.hooks(didDecode: { _ in }, willEncode: { _ in })
    }
}

/// A hook that refuses some values.
enum Refusing: Style {
    static func adding<Model>(to plan: ModelPlan<Model>) -> ModelPlan<Model> {
        plan.hooks(validate: { if Refusal.refuses($0) { throw FuzzRefusal(reason: "a value of a model") } })
    }
    static var mayRefuse: Bool { true }
}

/// A hook for values that removes empty strings.
enum RemovingEmpty: Style {
    static func adding<Model>(to plan: ModelPlan<Model>) -> ModelPlan<Model> {
        plan.hooks(transform: { value, _ in value == "" ? nil : value })
    }
    static var mayRefuse: Bool { true }
}

/// A model of random properties.
protocol RandomModel: Part, SampledModel {}

extension Facts {
    /// The facts of a model with fields, of which those with keys may lead through the same objects.
    fileprivate init(_ fields: [any RandomField.Type], _ style: any Style.Type) {
        let inner = fields.map { ($0, $0.facts) }
        for (field, facts) in inner where !(field is any KeyedField.Type) { add(facts) }
        var keyed = Facts()
        for (field, facts) in inner where field is any KeyedField.Type { keyed.combine(facts) }
        add(keyed)
        if style == RemovingEmpty.self { hasExactSchema = false }
        rejects = style == Rejecting.self
        mayWriteNothing = mayWriteNothing || style == DefaultsOnMismatch.self
    }
}

extension RandomModel {
    static func sample(_ sampler: Sampler) -> JSONNode {
        let facts = facts
        if facts.sharesKeys || facts.enumCount > 0 && (facts.rejects || !sampler.context.allowsUnknownKeys) {
            sampler.noteFault()
        }
        return sampler.object(of: Self.self)
    }
}

struct Two<S: Style, F: RandomField, G: RandomField>: RandomModel, ObjectPart {
    let one: F.Value
    let two: G.Value

    static var plan: ModelPlan<Two> { S.plan(F.field(\.one), G.field(\.two)) }
    static func sampleMembers(_ object: ObjectSampler) { S.sample(object, F.sample, G.sample) }
    static var facts: Facts { Facts([F.self, G.self], S.self) }
}

struct Three<S: Style, F: RandomField, G: RandomField, H: RandomField>: RandomModel, ObjectPart {
    let one: F.Value
    let two: G.Value
    let three: H.Value

    static var plan: ModelPlan<Three> { S.plan(F.field(\.one), G.field(\.two), H.field(\.three)) }
    static func sampleMembers(_ object: ObjectSampler) { S.sample(object, F.sample, G.sample, H.sample) }
    static var facts: Facts { Facts([F.self, G.self, H.self], S.self) }
}

/// A model that contains itself.
struct Tree<S: Style, F: RandomField>: RandomModel, ObjectPart {
    let one: F.Value
    let children: [Tree]

    static var plan: ModelPlan<Tree> { S.plan(F.field(\.one), JSONField(\.children, key: "sub", default: [])) }
    static func sampleMembers(_ object: ObjectSampler) {
        S.sample(object) {
            F.sample($0)
            if $0.isFree("sub") { $0.optional("sub", as: [Tree].self) }
        }
    }
    static var facts: Facts {
        var facts = Facts([F.self], S.self)
        facts.add(Facts(keys: ["sub"]))
        return facts
    }
}

/// A class with variables, which a merge changes in place.
class Base<S: Style, F: RandomField>: RandomModel {
    struct Storage { var one: F.Value }

    var one: F.Value

    init(_ storage: consuming Storage) {
        one = storage.one
        FuzzInstances.instances.add()
    }

    deinit { FuzzInstances.instances.remove() }

    private static var ownPlan: ModelPlan<Base> {
        .shared {
            S.adding(
                to: ModelPlan(
                    storage: Storage.self, [F.field(\.one)], keys: S.keys, coercion: S.jsonCoercion,
                    unknownKeys: S.unknownKeys, defaultsOn: S.defaultCases, make: { Base($0) },
                    read: { Storage(one: $0.one) }, assign: { $1.one = $0.one }))
        }
    }
    class var plan: _AnyModelPlan { ownPlan._erased }
    class func sampleMembers(_ object: ObjectSampler) { S.sample(object, F.sample) }
    class var facts: Facts { Facts([F.self], S.self) }
}

/// A class with the properties of its superclass, which a merge replaces.
final class Derivation<S: Style, R: Style, F: RandomField, G: RandomField>: Base<R, F> {
    struct OwnStorage {
        var base: Base<R, F>.Storage
        var two: G.Value
    }

    let two: G.Value

    init(_ storage: consuming OwnStorage) {
        two = storage.two
        super.init(storage.base)
    }

    private static var ownPlan: ModelPlan<Derivation> {
        .shared {
            S.adding(
                to: ModelPlan(
                    storage: OwnStorage.self, superclass: Base<R, F>.plan, base: \.base, [G.field(\.two)],
                    keys: S.keys, coercion: S.jsonCoercion, unknownKeys: S.unknownKeys,
                    defaultsOn: S.defaultCases, make: { Derivation($0) },
                    read: { OwnStorage(base: .init(one: $0.one), two: $0.two) }))
        }
    }
    override class var plan: _AnyModelPlan { ownPlan._erased }
    override class func sampleMembers(_ object: ObjectSampler) {
        super.sampleMembers(object)
        S.sample(object, G.sample)
    }
    override class var facts: Facts {
        var facts = Facts([F.self, G.self], S.self)
        if R.self == RemovingEmpty.self { facts.hasExactSchema = false }
        return facts
    }
}
