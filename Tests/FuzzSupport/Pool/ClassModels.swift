import Sluice
import TestSupport

// Classes: made of storage, with and without assignment, and with a superclass.

/// A class that contains itself.
final class TrackedNode: SampledModel, Sendable {
    struct Storage {
        let name: String
        let mark: Tracked?
        let children: [TrackedNode]
    }

    let name: String
    let mark: Tracked?
    let children: [TrackedNode]

    init(_ storage: consuming Storage) {
        name = storage.name
        mark = storage.mark
        children = storage.children
        FuzzInstances.instances.add()
    }

    deinit { FuzzInstances.instances.remove() }

    static let plan = ModelPlan<TrackedNode>(
        storage: Storage.self,
        [
            JSONField(\.name, key: "name"), JSONField(\.mark, key: "mark", or: "label"),
            JSONField(\.children, key: "children", default: []),
        ],
        make: { TrackedNode($0) }, read: { Storage(name: $0.name, mark: $0.mark, children: $0.children) })

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("name", as: String.self)
        object.optional("mark", or: "label", as: Tracked.self)
        object.optional("children", as: [TrackedNode].self)
    }
}

/// A class of variables, which a merge changes in place.
final class Account: SampledModel, JSONHooks {
    struct Storage {
        var id: Int
        var owner: Leaf?
        var login: Tracked
        var scores: [String: Int]
        var friends: [Account]
    }

    var id: Int
    var owner: Leaf?
    var login: Tracked
    var scores: [String: Int]
    var friends: [Account]
    var isDecoded = false

    init(_ storage: consuming Storage) {
        (id, owner, login) = (storage.id, storage.owner, storage.login)
        (scores, friends) = (storage.scores, storage.friends)
        FuzzInstances.instances.add()
    }

    deinit { FuzzInstances.instances.remove() }

    func didDecode() { isDecoded = true }
    func validate() throws { if id == 13 { throw FuzzRefusal(reason: "an account 13") } }

    static let plan = ModelPlan<Account>(
        storage: Storage.self,
        [
            JSONField(\.id, key: "id"), JSONField(\.owner, key: "owner"), JSONField(\.login, key: "owner_login"),
            JSONField(\.scores, key: "scores", default: [:]), JSONField(\.friends, key: "friends", default: []),
        ],
        make: { Account($0) },
        read: { Storage(id: $0.id, owner: $0.owner, login: $0.login, scores: $0.scores, friends: $0.friends) },
        assign: { storage, account in
            (account.id, account.owner, account.login) = (storage.id, storage.owner, storage.login)
            (account.scores, account.friends) = (storage.scores, storage.friends)
        })

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("id", as: SampledID.self)
        object.optional("owner", as: Leaf.self)
        object.required("owner_login", as: Tracked.self)
        object.optional("scores", as: [String: Int].self)
        object.optional("friends", as: [Account].self)
    }
}

/// An identifier that the hooks accept, or at times refuse.
enum SampledID: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode {
        if sampler.faultRate > 0, sampler.chance(2 * sampler.faultRate) {
            sampler.noteFault()
            return .literal("13")
        }
        return .literal("\(14 + sampler.below(80))")
    }
}

class Animal: SampledModel {
    struct Storage {
        var name: Tracked
        var legs: Int
    }

    let name: Tracked
    let legs: Int

    init(_ storage: consuming Storage) { (name, legs) = (storage.name, storage.legs) }

    private nonisolated static let ownPlan = ModelPlan<Animal>(
        storage: Storage.self, [JSONField(\.name, key: "name"), JSONField(\.legs, key: "legs", default: 4)],
        make: { Animal($0) }, read: { Storage(name: $0.name, legs: $0.legs) })

    class var plan: _AnyModelPlan { ownPlan._erased }

    class func sampleMembers(_ object: ObjectSampler) {
        object.required("name", as: Tracked.self)
        object.optional("legs", as: Int.self)
    }
}

final class Dog: Animal {
    struct DogStorage {
        var base: Animal.Storage
        var breed: Tracked?
        var puppies: [Dog]
    }

    let breed: Tracked?
    let puppies: [Dog]

    init(_ storage: consuming DogStorage) {
        (breed, puppies) = (storage.breed, storage.puppies)
        super.init(storage.base)
    }

    private nonisolated static let ownPlan = ModelPlan<Dog>(
        storage: DogStorage.self, superclass: Animal.plan, base: \.base,
        [JSONField(\.breed, key: "breed"), JSONField(\.puppies, key: "puppies", default: [])],
        make: { Dog($0) },
        read: { DogStorage(base: .init(name: $0.name, legs: $0.legs), breed: $0.breed, puppies: $0.puppies) })

    override class var plan: _AnyModelPlan { ownPlan._erased }

    override class func sampleMembers(_ object: ObjectSampler) {
        super.sampleMembers(object)
        object.optional("breed", as: Tracked.self)
        object.optional("puppies", as: [Dog].self)
    }
}
