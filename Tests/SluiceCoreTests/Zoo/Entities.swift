import SluiceCore
import TestSupport

// A family of classes: an open class, and subclasses with variables, constants, a nested model and a flattened enum.

class Entity: JSONModel {
    struct Storage {
        var id: Int
        var version = 1
    }
    var id: Int
    var version: Int
    init(_ storage: Storage) { (id, version) = (storage.id, storage.version) }
    convenience init(_ id: Int) { self.init(Storage(id: id)) }
    var entity: Storage { Storage(id: id, version: version) }

    class var plan: _AnyModelPlan { entityPlan._erased }
    private static let entityPlan = ModelPlan<Entity>(
        storage: Storage.self, [JSONField(\.id), JSONField(\.version, default: 1)], make: { Entity($0) },
        read: { $0.entity }, assign: { ($1.id, $1.version) = ($0.id, $0.version) })
}

/// A subclass of variables, which are changed in place. The title `refused` is invalid.
final class Chore: Entity, JSONHooks {
    struct ChoreStorage {
        var entity: Storage
        var title: String
        var parent: Entity?
    }
    var title: String
    var parent: Entity?
    init(_ storage: ChoreStorage) {
        (title, parent) = (storage.title, storage.parent)
        super.init(storage.entity)
    }
    convenience init(_ id: Int, _ title: String) { self.init(.init(entity: .init(id: id), title: title)) }

    override class var plan: _AnyModelPlan { chorePlan._erased }
    private static let chorePlan = ModelPlan<Chore>(
        storage: ChoreStorage.self, superclass: Entity.plan, base: \.entity,
        [JSONField(\.title), JSONField(\.parent)], make: { Chore($0) },
        read: { ChoreStorage(entity: $0.entity, title: $0.title, parent: $0.parent) },
        assign: {
            ($1.id, $1.version) = ($0.entity.id, $0.entity.version)
            ($1.title, $1.parent) = ($0.title, $0.parent)
        })

    func validate() throws { if title == "refused" { throw Refusal() } }
    struct Refusal: Error {}
}

/// A subclass with a constant, of which a merge makes a new object. Each kind is a class of its own.
final class Fixed<Kind>: Entity {
    struct FixedStorage {
        var entity: Storage
        let name: String
    }
    let name: String
    init(_ storage: FixedStorage) {
        name = storage.name
        super.init(storage.entity)
    }
    convenience init(_ id: Int, _ name: String) { self.init(.init(entity: .init(id: id), name: name)) }

    override class var plan: _AnyModelPlan {
        ModelPlan<Fixed>.shared {
            ModelPlan<Fixed>(
                storage: FixedStorage.self, superclass: Entity.plan, base: \.entity, [JSONField(\.name)],
                make: { Fixed($0) }, read: { FixedStorage(entity: $0.entity, name: $0.name) })
        }._erased
    }
}

/// A subclass with a model as a property, which has other properties for each model.
final class Sized<Size: JSONModel>: Entity {
    let size: Size
    init(_ id: Int, _ size: Size) {
        self.size = size
        super.init(Storage(id: id))
    }

    override class var plan: _AnyModelPlan {
        ModelPlan<Sized>.shared {
            ModelPlan<Sized>(
                storage: (Storage, Size).self, superclass: Entity.plan, base: \.0,
                [JSONField(\.1, name: "size", key: "size")], make: { Sized($0.0.id, $0.1) },
                read: { ($0.entity, $0.size) })
        }._erased
    }
}

/// An enum of entities.
enum EntityKind: JSONEnum {
    case entity(Entity)
    static let plan = ModelPlan<EntityKind>(cases: [.of("entity", Self.entity)])
}

/// A subclass whose JSON has the members of an enum.
final class Kinded: Entity {
    struct KindedStorage {
        var entity: Storage
        var kind: EntityKind
    }
    var kind: EntityKind
    init(_ storage: KindedStorage) {
        kind = storage.kind
        super.init(storage.entity)
    }

    override class var plan: _AnyModelPlan { kindedPlan._erased }
    private static let kindedPlan = ModelPlan<Kinded>(
        storage: KindedStorage.self, superclass: Entity.plan, base: \.entity, [JSONField(flatten: \.kind)],
        make: { Kinded($0) }, read: { KindedStorage(entity: $0.entity, kind: $0.kind) })
}

/// A subclass without a plan.
final class Draft: Entity {}

/// Entities in every position.
struct Board: JSONModel {
    var first: Entity
    var maybe: Entity?
    var byName: [String: Entity] = [:]
    var all: [Entity] = []
    static let plan = ModelPlan<Board>(
        JSONField(\.first), JSONField(\.maybe), JSONField(\.byName, default: [:]), JSONField(\.all, default: []))
}
