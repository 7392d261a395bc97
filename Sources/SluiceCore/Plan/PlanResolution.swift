/// The records and plans that are reached from one shape and are not published yet: seen by one thread alone.
///
/// Code of users runs meanwhile, and may settle and publish the same under the same options. Then all this is thrown away,
/// and settled anew with what is there.
final class PlanResolution {
    typealias Place = PlanEnvironment.Place

    private let environment: PlanEnvironment
    private(set) var records: [Place: UnsafeMutablePointer<ShapeRecord>] = [:]
    private(set) var plans: [Place: CompiledPlan] = [:]
    /// The shapes of the records, in their order; from `next` on they have to be looked at yet.
    private var shapes: [(shape: JSONShape, filter: PathFilter?)] = []
    private var next = 0
    private var models:
        [(record: UnsafeMutablePointer<ShapeRecord>, blueprint: PlanBlueprint, filter: PathFilter?)] =
            []

    init(in environment: PlanEnvironment) { self.environment = environment }

    deinit { for record in records.values { record.deallocate() } }

    /// Settles a shape and all that can be reached from it.
    ///
    /// - Throws: the first defect.
    func settle(_ root: JSONShape, _ filter: PathFilter?) throws(JSONModelError) -> UnsafePointer<ShapeRecord> {
        let result = record(of: root, filter)
        // Plans may reach further shapes, so both go on until nothing is left.
        while true {
            try settleShapes()
            guard let (record, blueprint, filter) = models.popLast() else { return result }
            record.pointee.table = try plan(of: blueprint, filter).table
        }
    }

    private func settleShapes() throws(JSONModelError) {
        while next < shapes.count {
            let (shape, filter) = shapes[next]
            next += 1
            guard let record = records[Place(shape, filter)] else { continue }
            if let defect = shape.defect { throw JSONModelError(.invalidPlan(defect), model: shape.typeName) }
            if let child = shape.children.first {
                // What stands in for a type may be made of a value of this very type.
                let isSame = sequence(first: shape, next: \.payload).contains { $0.typeID == child.typeID }
                record.pointee.element = self.record(of: isSame ? child : environment.standIn(for: child), filter)
            }
            // JSON in a string: the string, and what stands in it.
            if shape.children.count > 1 {
                record.pointee.objectForm = self.record(of: environment.standIn(for: shape.children[1]), filter)
            }
            guard let blueprint = shape.blueprint?() else { continue }
            try check(blueprint, of: shape)
            record.pointee.hasStorage = blueprint.storage != nil
            models.append((record, blueprint, filter))
        }
    }

    /// The record of a shape, which is settled here if the environment has none.
    private func record(of shape: JSONShape, _ filter: PathFilter?) -> UnsafePointer<ShapeRecord> {
        let place = Place(shape, filter)
        if let known = records[place] { return UnsafePointer(known) }
        if let known = environment.record(at: place) { return known }
        let made = UnsafeMutablePointer<ShapeRecord>.allocate(capacity: 1)
        made.initialize(to: shape.record.pointee)
        if made.pointee.kind == .model, shape.blueprint?().hasFlattenedEnum == true {
            made.pointee.kind = .composite
        }
        records[place] = made
        shapes.append((shape, filter))
        return UnsafePointer(made)
    }

    private func plan(of blueprint: PlanBlueprint, _ filter: PathFilter?) throws(JSONModelError) -> CompiledPlan {
        let place = Place(blueprint, filter)
        if let known = plans[place] ?? environment.plan(at: place) { return known }
        let plan = CompiledPlan(blueprint, in: environment, filter: filter) { shape, filter in
            self.record(of: self.environment.standIn(for: shape), filter)
        }
        if let defect = plan.defect { throw JSONModelError(.invalidPlan(defect), model: blueprint.modelName) }
        plans[place] = plan
        return plan
    }

    private func check(_ blueprint: PlanBlueprint, of shape: JSONShape) throws(JSONModelError) {
        if blueprint.model != shape.model {
            let defect =
                "its plan is that of \(blueprint.modelName): add @JSONModel to \(shape.typeName), or a plan"
            throw JSONModelError(.invalidPlan(defect), model: shape.typeName)
        }
        if let defect = blueprint.defect {
            throw JSONModelError(.invalidPlan(defect), model: blueprint.modelName)
        }
        if (blueprint.union != nil) != (shape.record.pointee.kind == .union) {
            let defect =
                blueprint.union == nil
                ? "it is a JSONEnum whose plan has no cases" : "its plan has cases: make it a JSONEnum"
            throw JSONModelError(.invalidPlan(defect), model: blueprint.modelName)
        }
    }

    /// Gives up all records, which the caller owns from here on.
    func release() -> [(shape: JSONShape, record: (key: Place, value: UnsafeMutablePointer<ShapeRecord>))] {
        let released = shapes.map { shape, filter in
            let place = Place(shape, filter)
            return (shape, (key: place, value: records[place]!))
        }
        records = [:]
        return released
    }
}
