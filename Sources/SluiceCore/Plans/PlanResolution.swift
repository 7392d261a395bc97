/// The layouts and plans that are reached from one shape and not published yet. Used by one thread only.
///
/// Code of clients runs during a resolution, and may resolve and publish the same shapes under the same options. In that
/// case the resolution is discarded and repeated with the published results.
final class PlanResolution {
    typealias Place = PlanCache.Place

    private let planCache: PlanCache
    private(set) var layouts: [Place: UnsafeMutablePointer<TypeLayout>] = [:]
    private(set) var plans: [Place: ResolvedPlan] = [:]
    /// The shapes of the layouts, in their order. Those from `next` on are not resolved yet.
    private var shapes: [(shape: JSONShape, filter: PathFilter?)] = []
    private var next = 0
    private var models:
        [(layout: UnsafeMutablePointer<TypeLayout>, erasedPlan: AnyModelPlan, filter: PathFilter?)] =
            []

    init(in planCache: PlanCache) { self.planCache = planCache }

    deinit { for layout in layouts.values { layout.deallocate() } }

    /// Resolves a shape and everything that can be reached from there.
    ///
    /// - Throws: The first defect.
    func resolve(_ root: JSONShape, _ filter: PathFilter?) throws(JSONModelError) -> LayoutReference {
        let result = layout(of: root, filter)
        // Plans may reach further shapes, so both steps repeat until none remains.
        while true {
            try resolveShapes()
            guard let (layout, erasedPlan, filter) = models.popLast() else { return result }
            layout.pointee.table = try plan(of: erasedPlan, filter).table
        }
    }

    private func resolveShapes() throws(JSONModelError) {
        while next < shapes.count {
            let (shape, filter) = shapes[next]
            next += 1
            guard let layout = layouts[Place(shape, filter)] else { continue }
            if let defect = shape.defect { throw JSONModelError(.invalidPlan(defect), model: shape.typeName) }
            if let child = shape.element {
                // The shape that replaces a type's shape may convert a value of this very type.
                let isSame = sequence(first: shape, next: \.payload).contains { $0.typeID == child.typeID }
                layout.pointee.element = self.layout(of: isSame ? child : planCache.standIn(for: child), filter)
            }
            // JSON in a string: the shape of the string, and that of its contents.
            if case .embedded(let embedded) = shape.category {
                layout.pointee.objectForm = self.layout(of: planCache.standIn(for: embedded.contents), filter)
            }
            guard let model = shape.model else { continue }
            let erasedPlan = model.plan
            try check(erasedPlan, of: model, shape)
            layout.pointee.hasStorage = erasedPlan.storage != nil
            models.append((layout, erasedPlan, filter))
        }
    }

    /// Returns the layout of a shape. Makes the layout if the cache has none.
    private func layout(of shape: JSONShape, _ filter: PathFilter?) -> LayoutReference {
        let place = Place(shape, filter)
        if let known = layouts[place] { return LayoutReference(known) }
        if let known = planCache.layout(at: place) { return known }
        let made = UnsafeMutablePointer<TypeLayout>.allocate(capacity: 1)
        made.initialize(to: shape.layout.pointee)
        if made.pointee.kind == .model, shape.model?.plan.hasFlattenedEnum == true {
            made.pointee.kind = .composite
        }
        layouts[place] = made
        shapes.append((shape, filter))
        return LayoutReference(made)
    }

    private func plan(of erasedPlan: AnyModelPlan, _ filter: PathFilter?) throws(JSONModelError) -> ResolvedPlan {
        let place = Place(erasedPlan, filter)
        if let known = plans[place] ?? planCache.plan(at: place) { return known }
        let plan = ResolvedPlan(erasedPlan, in: planCache, filter: filter) { shape, filter in
            self.layout(of: self.planCache.standIn(for: shape), filter)
        }
        if let defect = plan.defect { throw JSONModelError(.invalidPlan(defect), model: erasedPlan.modelName) }
        plans[place] = plan
        return plan
    }

    private func check(
        _ erasedPlan: AnyModelPlan, of model: ModelWitness, _ shape: JSONShape
    ) throws(JSONModelError) {
        if erasedPlan.model != model.type {
            let defect =
                "its plan is that of \(erasedPlan.modelName): add @JSONModel to \(shape.typeName), or a plan"
            throw JSONModelError(.invalidPlan(defect), model: shape.typeName)
        }
        if let defect = erasedPlan.defect {
            throw JSONModelError(.invalidPlan(defect), model: erasedPlan.modelName)
        }
        if (erasedPlan.union != nil) != model.isUnion {
            let defect =
                erasedPlan.union == nil
                ? "it is a JSONEnum whose plan has no cases" : "its plan has cases: make it a JSONEnum"
            throw JSONModelError(.invalidPlan(defect), model: erasedPlan.modelName)
        }
    }

    /// Passes the ownership of all layouts to the caller.
    func release() -> [(shape: JSONShape, layout: (key: Place, value: UnsafeMutablePointer<TypeLayout>))] {
        let released = shapes.map { shape, filter in
            let place = Place(shape, filter)
            return (shape, (key: place, value: layouts[place]!))
        }
        layouts = [:]
        return released
    }
}
