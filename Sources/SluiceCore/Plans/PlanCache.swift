import Synchronization

/// The options of a decoder or encoder that change plans, and the plans and shapes settled under them.
///
/// Settled records and tables live as long as their environment; those of the standard one, for good.
///
/// The lock is held to look up and to publish what is settled, and never while code of a user runs (plans, shapes, key
/// strategies): such code may decode under the same options, or wait for another thread that does.
final class PlanCache: @unchecked Sendable {
    /// A shape or a plan, and what of it is wanted.
    struct Place: Hashable {
        let object: ObjectIdentifier
        let filter: ObjectIdentifier?

        init(_ object: AnyObject, _ filter: PathFilter?) {
            self.object = ObjectIdentifier(object)
            self.filter = filter.map { ObjectIdentifier($0) }
        }
    }

    /// That of a decoder without options.
    static let standard = PlanCache()

    let keys: JSONKeyStrategy
    let unknownKeys: JSONUnknownKeys
    /// Shapes that stand in for those of a type.
    let overrides: [ObjectIdentifier: JSONShape]
    let filter: PathFilter?
    /// Whether values are written. Objects may then be of a subclass of the declared class.
    private let isEncoding: Bool
    private let isStandard: Bool
    // Unchecked sendability: all below is read and written under the lock alone.
    private let lock = Mutex<Void>(())
    private var settled: [Place: UnsafePointer<TypeLayout>] = [:]
    /// By their erasedPlan and filter.
    private var plans: [Place: ResolvedPlan] = [:]
    /// Their addresses are keys here, so they have to stay.
    private var kept: [JSONShape] = []
    private var optionals: [ObjectIdentifier: JSONShape] = [:]
    private var whole: PlanCache?

    private init() {
        keys = .asDeclared
        unknownKeys = .ignore
        overrides = [:]
        filter = nil
        isEncoding = false
        isStandard = true
    }

    init(
        keys: JSONKeyStrategy, unknownKeys: JSONUnknownKeys, overrides: [ObjectIdentifier: JSONShape],
        only: [JSONPath]?, except: [JSONPath]?, isEncoding: Bool
    ) {
        self.keys = keys
        self.unknownKeys = unknownKeys
        self.overrides = overrides
        filter = only == nil && except == nil ? nil : PathFilter(only: only, except: except ?? [])
        self.isEncoding = isEncoding
        isStandard = false
    }

    deinit { for record in settled.values { record.deallocate() } }

    /// The settled record of a shape, with all that can be reached from it, so that the driver never has to look.
    ///
    /// - Throws: a plan's own defect.
    func record(for shape: JSONShape) throws(JSONModelError) -> UnsafePointer<TypeLayout> {
        try record(for: shape, filter, isRoot: true)
    }

    /// The record of an object's own class; nil if that is the class that is declared.
    ///
    /// - Parameter record: the declared class's.
    /// - Throws: a plan's own defect; also if the object's class has no plan of its own.
    func record(
        ofObjectAt address: UnsafeRawPointer, declaredAs record: UnsafePointer<TypeLayout>
    ) throws(JSONModelError) -> UnsafePointer<TypeLayout>? {
        guard let shape = record.pointee.shape._withUnsafeGuaranteedRef({ $0.dynamicShape?(address) }) else {
            return nil
        }
        let filter = record.pointee.table?.pointee.plan?.takeUnretainedValue().filter
        return try self.record(for: shape, filter, isRoot: false)
    }

    private func record(
        for shape: JSONShape, _ filter: PathFilter?, isRoot: Bool
    ) throws(JSONModelError) -> UnsafePointer<TypeLayout> {
        if isStandard, let record = shape.standardRecord.load(ordering: .acquiring) { return record }
        let shape = standIn(for: shape)
        let place = Place(shape, filter)
        while true {
            if let known = record(at: place) { return known }
            let resolution = PlanResolution(in: self)
            let record = try resolution.settle(shape, filter)
            if isRoot, let filter {
                let defect = FilterCoverage.defect(
                    of: filter, on: UnsafePointer(record), acceptsSubclasses: isEncoding)
                if let defect { throw defect }
            }
            if publish(resolution) { return record }
            // Another thread was faster with a part of it, which is there now.
        }
    }

    /// A settled record, or nil.
    func record(at place: Place) -> UnsafePointer<TypeLayout>? { lock.withLock { _ in settled[place] } }

    /// The plan of a erasedPlan and a filter, or nil.
    func plan(at place: Place) -> ResolvedPlan? { lock.withLock { _ in plans[place] } }

    /// Takes over what was settled, unless something of it is there already: there is one record for each shape and one
    /// plan for each erasedPlan.
    private func publish(_ resolution: PlanResolution) -> Bool {
        lock.withLock { _ in
            let isNew =
                resolution.records.keys.allSatisfy { settled[$0] == nil }
                && resolution.plans.keys.allSatisfy { plans[$0] == nil }
            guard isNew else { return false }
            plans.merge(resolution.plans) { $1 }
            for (shape, record) in resolution.release() {
                settled[record.key] = UnsafePointer(record.value)
                kept.append(shape)
                if isStandard { shape.standardRecord.store(UnsafePointer(record.value), ordering: .releasing) }
            }
            return true
        }
    }

    /// The environment of the same options, under which everything is wanted: for text that is decoded later.
    func unfiltered() -> PlanCache {
        if filter == nil { return self }
        return lock.withLock { _ in
            if let known = whole { return known }
            let made = PlanCache(
                keys: keys, unknownKeys: unknownKeys, overrides: overrides, only: nil, except: nil,
                isEncoding: isEncoding)
            whole = made
            return made
        }
    }

    /// What a type's shape is under these options.
    func standIn(for shape: JSONShape) -> JSONShape {
        if overrides.isEmpty || shape.isFixed { return shape }
        if let other = overrides[shape.typeID] { return other }
        guard let payload = shape.payload else { return shape }
        let other = standIn(for: payload)
        if other === payload { return shape }
        let made = JSONShape(optional: shape, of: other)
        return lock.withLock { _ in
            if let known = optionals[shape.typeID] { return known }
            optionals[shape.typeID] = made
            return made
        }
    }
}

extension PlanCache {
    /// The options, from which an environment is made when one of them changes.
    struct Options: Sendable {
        private(set) var environment = PlanCache.standard
        private(set) var overrides: [ObjectIdentifier: JSONShape] = [:]
        var keys = JSONKeyStrategy.asDeclared { didSet { renew() } }
        var unknownKeys = JSONUnknownKeys.ignore { didSet { renew() } }
        var only: [JSONPath]? { didSet { renew() } }
        var except: [JSONPath]? { didSet { renew() } }
        /// Whether values are written.
        var isEncoding = false
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

        private mutating func dropFilter(_ other: PlanCache) {
            (only, except) = (nil, nil)
            environment = other
        }

        private mutating func renew() {
            environment = PlanCache(
                keys: keys, unknownKeys: unknownKeys, overrides: overrides, only: only, except: except,
                isEncoding: isEncoding)
        }
    }
}
