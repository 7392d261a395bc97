import Sluice
import TestSupport

// The properties of random models: each kind of field, for a key and a type.

/// The key of a property.
protocol Name {
    /// The path of the property; the name of the property if the key strategy derives its key.
    static var path: String { get }
    static var isDerived: Bool { get }
}

extension Name { static var isDerived: Bool { false } }

enum KeyA: Name { static let path = "a" }
enum KeyB: Name { static let path = "b" }
enum KeyType: Name { static let path = "type" }
enum KeyT: Name { static let path = "t" }
enum KeyFirst: Name { static let path = "first" }
enum PathX: Name { static let path = "o.x" }
enum PathY: Name { static let path = "o.y.z" }
enum PathList: Name { static let path = "l[1]" }
enum Derived: Name {
    static let path = "fooBar"
    static let isDerived = true
}

/// A property of a random model.
protocol RandomField {
    associatedtype Value
    static func field<Model>(_ keyPath: KeyPath<Model, Value>) -> JSONField<Model>
    static func sample(_ object: ObjectSampler)
    static var facts: Facts { get }
}

/// A property with a key.
protocol KeyedField: RandomField {
    associatedtype Key: Name
    associatedtype Content: Part
}

extension KeyedField {
    static var key: String? { Key.isDerived ? nil : Key.path }
    static var name: String? { Key.isDerived ? Key.path : nil }
    static var facts: Facts { Facts(keyed: Self.self) }
    /// The path of the property in an object, if no other member is there. Otherwise the document may be refused.
    static func path(_ object: ObjectSampler) -> String? {
        let path = Key.isDerived ? object.key(Key.path) : Key.path
        if object.isFree(path) { return path }
        object.sampler.noteFault()
        return nil
    }

    static func sample(_ object: ObjectSampler) { optional(object, as: Content.self) }
    static func required<T: Sampled>(_ object: ObjectSampler, as type: T.Type) {
        if let path = path(object) { object.required(path, as: type) }
    }
    static func optional<T: Sampled>(_ object: ObjectSampler, as type: T.Type) {
        if let path = path(object) { object.optional(path, as: type) }
    }
    static func tolerant<T: Sampled>(_ object: ObjectSampler, as type: T.Type) {
        if let path = path(object) { object.tolerant(path, as: type) }
    }
}

enum Required<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, Content>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key)
    }
    static func sample(_ object: ObjectSampler) { required(object, as: Content.self) }
}

enum Maybe<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, Content?>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key)
    }
}

/// One of two keys.
enum TwoKeys<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, Content?>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key, or: "alt")
    }
    static func sample(_ object: ObjectSampler) {
        guard let path = path(object) else { return }
        object.isFree("alt") ? object.optional(path, or: "alt", as: Content.self) : object.sampler.noteFault()
    }
    static var facts: Facts { Facts(keyed: Self.self, or: ["alt"]) }
}

enum Defaulted<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, Content>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key, default: Standard.value(Content.self))
    }
}

/// A default for anything that is no value.
enum Tolerant<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, Content>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key, default: Standard.value(Content.self)).defaulting(on: .all)
    }
    static func sample(_ object: ObjectSampler) { tolerant(object, as: Content.self) }
}

enum LossyList<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, [Content]>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key, default: []).lossy()
    }
    static func sample(_ object: ObjectSampler) { optional(object, as: [Tolerated<Content>].self) }
}

enum LossyMap<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, [String: Content]?>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key).lossy()
    }
    static func sample(_ object: ObjectSampler) { optional(object, as: [String: Tolerated<Content>].self) }
}

enum InString<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, Content>) -> JSONField<Model> {
        JSONField(embedded: keyPath, name: name, key: key)
    }
    static func sample(_ object: ObjectSampler) { required(object, as: Quoted<Content>.self) }
}

/// JSON in a string, whose text is the same for every order of members: a fallback may keep it.
private enum Quoted<Content: Part>: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        .string(String(decoding: NodeWriter.document(Content.sample(sampler), &sampler.random), as: UTF8.self))
    }
}

enum MaybeInString<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, Content?>) -> JSONField<Model> {
        JSONField(embedded: keyPath, as: .either, name: name, key: key)
    }
    static func sample(_ object: ObjectSampler) {
        object.sampler.chance(2)
            ? optional(object, as: Content.self) : optional(object, as: Quoted<Content>.self)
    }
}

enum MaybeBox<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, Box<Content>?>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key, transform: Boxing<Content>())
    }
}

enum LossyBoxes<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, [Box<Content>]>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key, transform: Choosing<Content>(), default: []).lossy()
    }
    static func sample(_ object: ObjectSampler) { optional(object, as: [Tolerated<Content>].self) }
}

/// Nil for anything that is no value.
enum TolerantBox<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, Box<Content>?>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key, transform: Choosing<Content>(), default: nil)
            .defaulting(on: .all)
    }
    static var facts: Facts { Facts(keyed: Self.self, mayWriteNothing: true) }
    static func sample(_ object: ObjectSampler) { tolerant(object, as: Content.self) }
}

enum Present<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, JSONPresence<Content>>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key)
    }
}

/// The values of all elements of an array of objects.
enum Collected<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, [Content]>) -> JSONField<Model> {
        JSONField(keyPath, key: "\(Key.path)[*].v", default: []).lossy()
    }
    static func sample(_ object: ObjectSampler) {
        guard !Key.isDerived else { return }
        optional(object, as: [Item].self)
    }
    // Elements without a value are not written.
    static var facts: Facts { Facts(keyed: Self.self, roundTrips: false) }

    private enum Item: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            sampler.object(.none) { $0.optional("v", as: Tolerated<Content>.self) }
        }
    }
}

/// A property that is complete in partial values, and not written.
enum Unwritten<Key: Name, Content: Part>: KeyedField {
    static func field<Model>(_ keyPath: KeyPath<Model, Content?>) -> JSONField<Model> {
        JSONField(keyPath, name: name, key: key).whenComplete().ignored(.encoding)
    }
    static var facts: Facts { Facts(keyed: Self.self, roundTrips: false) }
}

// MARK: Members of the enclosing object

enum Flattened<Content: ObjectPart>: RandomField {
    static func field<Model>(_ keyPath: KeyPath<Model, Content>) -> JSONField<Model> {
        JSONField(flatten: keyPath)
    }
    static func sample(_ object: ObjectSampler) { object.addFlattened(Content.self) }
    static var facts: Facts { Facts(flattened: Content.self) }
}

enum MaybeFlattened<Content: ObjectPart>: RandomField {
    static func field<Model>(_ keyPath: KeyPath<Model, Content?>) -> JSONField<Model> {
        JSONField(flatten: keyPath)
    }
    static func sample(_ object: ObjectSampler) {
        object.addFlattened(Content.self, isPresent: object.sampler.chance(2))
    }
    static var facts: Facts {
        var facts = Facts(flattened: Content.self)
        if facts.mayWriteNothing { facts.roundTrips = false }
        return facts
    }
}

/// All other members, without those that are no values.
enum Others<Content: Part>: RandomField {
    static func field<Model>(_ keyPath: KeyPath<Model, [String: Content]>) -> JSONField<Model> {
        JSONField(extra: keyPath).lossy()
    }
    static func sample(_ object: ObjectSampler) {
        object.acceptsNoForeignMembers()
        for _ in 0..<object.sampler.containerCount {
            let key = object.sampler.pick(["rest", "more", "é", "c", "t", "second"])
            if object.isFree(key) { object.set(key: key, object.sampler.value(Tolerated<Content>.self)) }
            // The key may be one of an enum.
            if key == "t" || key == "c" || key == "second" { object.sampler.noteFault() }
        }
    }
    static var facts: Facts { Facts(inside: [Content.facts]) }
}

extension Facts {
    fileprivate init<F: KeyedField>(
        keyed type: F.Type, or others: [String] = [], mayWriteNothing: Bool = false, roundTrips: Bool = true
    ) {
        self.init(inside: [F.Content.facts])
        keys = Set([String(F.Key.path.prefix { $0 != "." && $0 != "[" })] + others)
        self.mayWriteNothing = mayWriteNothing
        self.roundTrips = self.roundTrips && roundTrips
    }

    fileprivate init<Content: ObjectPart>(flattened type: Content.Type) {
        self = type.facts
        if type is any JSONEnum.Type { (enumCount, flattensEnums) = (enumCount + 1, true) }
        // A schema does not state the values of a dictionary that has all other members.
        if keys == nil { hasExactSchema = false }
    }
}

extension ObjectSampler {
    fileprivate func addFlattened<Content: ObjectPart>(_ type: Content.Type, isPresent: Bool = true) {
        if isPresent { add(type.sampleInside(sampler)) }
        membersDependOnEachOther()
        // An enum or extra keys may receive foreign members.
        acceptsNoForeignMembers()
    }
}
