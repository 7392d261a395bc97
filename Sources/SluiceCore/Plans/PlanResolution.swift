/// The records and plans that are reached from one shape and are not published yet: seen by one thread alone.
///
/// Code of users runs meanwhile, and may settle and publish the same under the same options. Then all this is thrown away,
/// and settled anew with what is there.
final class PlanResolution {
    typealias Place = PlanCache.Place

    private let environment: PlanCache
    private(set) var records: [Place: UnsafeMutablePointer<TypeLayout>] = [:]
    private(set) var plans: [Place: ResolvedPlan] = [:]
    /// The shapes of the records, in their order; from `next` on they have to be looked at yet.
    private var shapes: [(shape: JSONShape, filter: PathFilter?)] = []
    private var next = 0
    private var models:
        [(record: UnsafeMutablePointer<TypeLayout>, erasedPlan: AnyModelPlan, filter: PathFilter?)] =
            []

    init(in environment: PlanCache) { self.environment = environment }

    deinit { for record in records.values { record.deallocate() } }

    /// Settles a shape and all that can be reached from it.
    ///
    /// - Throws: the first defect.
    func settle(_ root: JSONShape, _ filter: PathFilter?) throws(JSONModelError) -> UnsafePointer<TypeLayout> {
        let result = record(of: root, filter)
        // Plans may reach further shapes, so both go on until nothing is left.
        while true {
            try settleShapes()
            guard let (record, erasedPlan, filter) = models.popLast() else { return result }
            record.pointee.table = try plan(of: erasedPlan, filter).table
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
            guard let erasedPlan = shape.erasedPlan?() else { continue }
            try check(erasedPlan, of: shape)
            record.pointee.hasStorage = erasedPlan.storage != nil
            models.append((record, erasedPlan, filter))
        }
    }

    /// The record of a shape, which is settled here if the environment has none.
    private func record(of shape: JSONShape, _ filter: PathFilter?) -> UnsafePointer<TypeLayout> {
        let place = Place(shape, filter)
        if let known = records[place] { return UnsafePointer(known) }
        if let known = environment.record(at: place) { return known }
        let made = UnsafeMutablePointer<TypeLayout>.allocate(capacity: 1)
        made.initialize(to: shape.record.pointee)
        if made.pointee.kind == .model, shape.erasedPlan?().hasFlattenedEnum == true {
            made.pointee.kind = .composite
        }
        records[place] = made
        shapes.append((shape, filter))
        return UnsafePointer(made)
    }

    private func plan(of erasedPlan: AnyModelPlan, _ filter: PathFilter?) throws(JSONModelError) -> ResolvedPlan {
        let place = Place(erasedPlan, filter)
        if let known = plans[place] ?? environment.plan(at: place) { return known }
        let plan = ResolvedPlan(erasedPlan, in: environment, filter: filter) { shape, filter in
            self.record(of: self.environment.standIn(for: shape), filter)
        }
        if let defect = plan.defect { throw JSONModelError(.invalidPlan(defect), model: erasedPlan.modelName) }
        plans[place] = plan
        return plan
    }

    private func check(_ erasedPlan: AnyModelPlan, of shape: JSONShape) throws(JSONModelError) {
        if erasedPlan.model != shape.model {
            let defect =
                "its plan is that of \(erasedPlan.modelName): add @JSONModel to \(shape.typeName), or a plan"
            throw JSONModelError(.invalidPlan(defect), model: shape.typeName)
        }
        if let defect = erasedPlan.defect {
            throw JSONModelError(.invalidPlan(defect), model: erasedPlan.modelName)
        }
        if (erasedPlan.union != nil) != (shape.record.pointee.kind == .union) {
            let defect =
                erasedPlan.union == nil
                ? "it is a JSONEnum whose plan has no cases" : "its plan has cases: make it a JSONEnum"
            throw JSONModelError(.invalidPlan(defect), model: erasedPlan.modelName)
        }
    }

    /// Gives up all records, which the caller owns from here on.
    func release() -> [(shape: JSONShape, record: (key: Place, value: UnsafeMutablePointer<TypeLayout>))] {
        let released = shapes.map { shape, filter in
            let place = Place(shape, filter)
            return (shape, (key: place, value: records[place]!))
        }
        records = [:]
        return released
    }
}
