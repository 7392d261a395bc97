import Synchronization

/// The options of a decoder or encoder that change plans, and the plans and shapes settled under them.
///
/// Settled records and tables live as long as their environment; those of the standard one, for good.
final class PlanEnvironment: @unchecked Sendable {
    /// A shape, and what of it is wanted.
    private struct Place: Hashable {
        let shape: ObjectIdentifier
        let filter: ObjectIdentifier?
    }

    /// That of a decoder without options.
    static let standard = PlanEnvironment()

    let keys: JSONKeyStrategy
    let unknownKeys: JSONUnknownKeys
    /// Shapes that stand in for those of a type.
    let overrides: [ObjectIdentifier: JSONShape]
    let filter: PathFilter?
    private let isStandard: Bool
    // Unchecked sendability: all below is read and written under the lock alone.
    private let lock = Mutex<Void>(())
    private var settled: [Place: UnsafeMutablePointer<ShapeRecord>] = [:]
    private var roots: Set<Place> = []
    /// By their blueprint and filter.
    private var plans: [Place: CompiledPlan] = [:]
    /// Their addresses are keys here, so they have to stay.
    private var kept: [JSONShape] = []
    /// Of what was given up over a defect: tables of theirs may have been seen.
    private var givenUp: [CompiledPlan] = []
    private var unsettledPlans: [Place] = []
    private var forgotten: [UnsafeMutablePointer<ShapeRecord>] = []
    private var optionals: [ObjectIdentifier: JSONShape] = [:]
    private var whole: PlanEnvironment?

    private init() {
        keys = .asDeclared
        unknownKeys = .ignore
        overrides = [:]
        filter = nil
        isStandard = true
    }

    init(
        keys: JSONKeyStrategy, unknownKeys: JSONUnknownKeys, overrides: [ObjectIdentifier: JSONShape],
        only: [JSONPath]?, except: [JSONPath]?
    ) {
        self.keys = keys
        self.unknownKeys = unknownKeys
        self.overrides = overrides
        filter = only == nil && except == nil ? nil : PathFilter(only: only, except: except ?? [])
        isStandard = false
    }

    deinit { for record in Array(settled.values) + forgotten { record.deallocate() } }

    /// The settled record of a shape, with all that can be reached from it, so that the driver never has to look.
    ///
    /// - Throws: a plan's own defect.
    func record(for shape: JSONShape) throws(JSONModelError) -> UnsafePointer<ShapeRecord> {
        if isStandard, shape.isPrepared.load(ordering: .acquiring) { return UnsafePointer(shape.record) }
        let shape = shape
        let result: Result<UnsafePointer<ShapeRecord>, JSONModelError> = lock.withLock { _ in
            do throws(JSONModelError) { return .success(try settle(shape)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// - Precondition: the lock is held.
    private func settle(_ root: JSONShape) throws(JSONModelError) -> UnsafePointer<ShapeRecord> {
        let place = Place(shape: ObjectIdentifier(root), filter: filter.map { ObjectIdentifier($0) })
        if roots.contains(place), let known = self.settled[place] { return UnsafePointer(known) }
        var open: [(shape: JSONShape, filter: PathFilter?)] = []
        func record(_ shape: JSONShape, _ filter: PathFilter?) -> UnsafePointer<ShapeRecord> {
            settled(standIn(for: shape), filter)
        }
        func settled(_ shape: JSONShape, _ filter: PathFilter?) -> UnsafePointer<ShapeRecord> {
            let place = Place(shape: ObjectIdentifier(shape), filter: filter.map { ObjectIdentifier($0) })
            if let known = self.settled[place] { return UnsafePointer(known) }
            let made: UnsafeMutablePointer<ShapeRecord>
            if isStandard {
                made = shape.record
            } else {
                made = .allocate(capacity: 1)
                made.initialize(to: shape.record.pointee)
            }
            self.settled[place] = made
            kept.append(shape)
            open.append((shape, filter))
            return UnsafePointer(made)
        }
        let result = record(root, filter)
        var models: [(UnsafeMutablePointer<ShapeRecord>, PlanBlueprint, PathFilter?)] = []
        var next = 0
        // Plans may reach further shapes, so both go on until nothing is left.
        while true {
            while next < open.count {
                let (shape, filter) = open[next]
                next += 1
                let place = Place(shape: ObjectIdentifier(shape), filter: filter.map { ObjectIdentifier($0) })
                guard let made = self.settled[place] else { continue }
                if let child = shape.children.first {
                    // What stands in for a type may be made of a value of this very type.
                    let isSame = sequence(first: shape, next: \.payload).contains { $0.typeID == child.typeID }
                    made.pointee.element = isSame ? settled(child, filter) : record(child, filter)
                }
                // JSON in a string: the string, and what stands in it.
                if shape.children.count > 1 { made.pointee.objectForm = record(shape.children[1], filter) }
                guard let blueprint = shape.blueprint?() else { continue }
                do { try check(blueprint, of: shape) } catch {
                    forget()
                    throw error
                }
                made.pointee.hasStorage = blueprint.storage != nil
                models.append((made, blueprint, filter))
            }
            guard let (made, blueprint, filter) = models.popLast() else { break }
            let place = Place(shape: ObjectIdentifier(blueprint), filter: filter.map { ObjectIdentifier($0) })
            let plan = plans[place] ?? CompiledPlan(blueprint, in: self, filter: filter, record: record)
            if plans.updateValue(plan, forKey: place) == nil { unsettledPlans.append(place) }
            if let defect = plan.defect {
                forget()
                throw JSONModelError(.invalidPlan(defect), model: blueprint.modelName)
            }
            made.pointee.table = plan.table
        }
        if isStandard { for (shape, _) in open { shape.isPrepared.store(true, ordering: .releasing) } }
        for place in self.settled.keys { roots.insert(place) }
        unsettledPlans = []
        return result
    }

    /// Forgets what a defect has left half settled, so that the next call finds the defect too.
    private func forget() {
        for (place, record) in settled where !roots.contains(place) {
            if !isStandard { forgotten.append(record) }
            settled[place] = nil
        }
        // With a plan, the shapes of its fields would not be looked at again.
        givenUp += unsettledPlans.compactMap { plans.removeValue(forKey: $0) }
        unsettledPlans = []
    }

    private func check(_ blueprint: PlanBlueprint, of shape: JSONShape) throws(JSONModelError) {
        if blueprint.model != shape.model {
            throw JSONModelError(.invalidPlan("its plan is of another type"), model: shape.typeName)
        }
        if let defect = blueprint.defect {
            throw JSONModelError(.invalidPlan(defect), model: blueprint.modelName)
        }
    }

    /// The environment of the same options, under which everything is wanted: for text that is decoded later.
    func unfiltered() -> PlanEnvironment {
        if filter == nil { return self }
        return lock.withLock { _ in
            if let known = whole { return known }
            let made = PlanEnvironment(
                keys: keys, unknownKeys: unknownKeys, overrides: overrides, only: nil, except: nil)
            whole = made
            return made
        }
    }

    /// What a type's shape is under these options.
    private func standIn(for shape: JSONShape) -> JSONShape {
        if overrides.isEmpty || shape.isFixed { return shape }
        if let other = overrides[shape.typeID] { return other }
        guard let payload = shape.payload else { return shape }
        let other = standIn(for: payload)
        if other === payload { return shape }
        if let known = optionals[shape.typeID] { return known }
        let made = JSONShape(optional: shape, of: other)
        optionals[shape.typeID] = made
        return made
    }
}

extension PlanEnvironment {
    /// The options, from which an environment is made when one of them changes.
    struct Options: Sendable {
        private(set) var environment = PlanEnvironment.standard
        private(set) var overrides: [ObjectIdentifier: JSONShape] = [:]
        var keys = JSONKeyStrategy.asDeclared { didSet { renew() } }
        var unknownKeys = JSONUnknownKeys.ignore { didSet { renew() } }
        var only: [JSONPath]? { didSet { renew() } }
        var except: [JSONPath]? { didSet { renew() } }
        /// Of other modules, by type.
        var settings: [ObjectIdentifier: any Sendable] = [:]

        mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
            overrides[ObjectIdentifier(type)] = shape
            renew()
        }

        /// The same options, under which everything is wanted.
        var unfiltered: Options {
            if only == nil, except == nil { return self }
            var copy = self
            copy.dropFilter(environment.unfiltered())
            return copy
        }

        private mutating func dropFilter(_ other: PlanEnvironment) {
            (only, except) = (nil, nil)
            environment = other
        }

        private mutating func renew() {
            environment = PlanEnvironment(
                keys: keys, unknownKeys: unknownKeys, overrides: overrides, only: only, except: except)
        }
    }
}
