/// The options of a decoder or encoder that affect plans, and the plans and layouts resolved under these options.
///
/// Resolved layouts and tables live as long as their cache. The standard cache lives as long as the process.
///
/// A call first searches for its layout in a table that is read without a lock. The lock is held to look up and to publish
/// other results, and never while code of a client runs (plans, shapes, key strategies). Such code may decode under the
/// same options, or wait for another thread that does.
final class PlanCache: @unchecked Sendable {
    /// The identity of a shape or plan together with a filter.
    struct Place: Hashable {
        let object: ObjectIdentifier
        let filter: ObjectIdentifier?

        init(_ object: AnyObject, _ filter: PathFilter?) {
            self.object = ObjectIdentifier(object)
            self.filter = filter.map { ObjectIdentifier($0) }
        }
    }

    /// The cache for decoders and encoders without options.
    static let standard = PlanCache()

    let keys: JSONKeyStrategy
    let unknownKeys: JSONUnknownKeys
    /// The shapes that replace those of a type.
    let overrides: [ObjectIdentifier: JSONShape]
    let filter: PathFilter?
    /// Whether values are encoded. Objects may then be of a subclass of the declared class.
    private let isEncoding: Bool
    private let isStandard: Bool
    // Unchecked sendability: the lock guards all properties below except `layouts`, which is safe for threads.
    private let lock = Lock<Void>(())
    /// The layouts that are found without a lock, by shape: those of the types that calls decode or encode and, in the
    /// standard cache, all layouts.
    private let layouts = AddressTable()
    private var resolved: [Place: LayoutReference] = [:]
    /// The plans by model plan and filter.
    private var plans: [Place: ResolvedPlan] = [:]
    /// The shapes of the layouts, retained because their addresses are keys of the cache.
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

    deinit { for layout in resolved.values { layout.pointer.deallocate() } }

    /// Returns the resolved layout of a shape. All layouts that the driver can reach from there are resolved, too.
    ///
    /// - Throws: The defect of a plan.
    func layout(for shape: JSONShape) throws(JSONModelError) -> LayoutReference {
        try layout(for: shape, filter, isRoot: true)
    }

    /// Returns the resolved layout of a shape that is never released. Layouts that are known are found without a lock.
    @inline(__always)
    func layout(for shape: Unmanaged<JSONShape>) throws(JSONModelError) -> LayoutReference {
        let key = UInt(bitPattern: shape.toOpaque())
        if let known = layouts[key] { return LayoutReference(untyped: known) }
        let layout = try layout(for: shape.takeUnretainedValue())
        _ = layouts.insert(layout.pointer, for: key)
        return layout
    }

    /// Returns the layout of an object's own class; nil if that is the declared class.
    ///
    /// - Parameter record: The layout of the declared class.
    /// - Throws: The defect of a plan; also if the object's class has no plan of its own.
    func layout(
        ofObjectAt address: UnsafeRawPointer, declaredAs layout: LayoutReference
    ) throws(JSONModelError) -> LayoutReference? {
        guard let shape = layout.withModel({ $0.dynamicShape(address) }) else { return nil }
        let filter = layout.table?.plan?.filter
        return try self.layout(for: shape, filter, isRoot: false)
    }

    private func layout(
        for shape: JSONShape, _ filter: PathFilter?, isRoot: Bool
    ) throws(JSONModelError) -> LayoutReference {
        if isStandard, let known = layouts[UInt(bitPattern: ObjectIdentifier(shape))] {
            return LayoutReference(untyped: known)
        }
        let shape = standIn(for: shape)
        let place = Place(shape, filter)
        while true {
            if let known = layout(at: place) { return known }
            let resolution = PlanResolution(in: self)
            let layout = try resolution.resolve(shape, filter)
            if isRoot, let filter {
                let defect = FilterCoverage.defect(of: filter, on: layout, isEncoding: isEncoding)
                if let defect { throw defect }
            }
            if publish(resolution) { return layout }
            // Another thread has published a part of the result, which the next attempt uses.
        }
    }

    /// Returns a resolved layout, or nil.
    func layout(at place: Place) -> LayoutReference? { lock.withLock { _ in resolved[place] } }

    /// Returns the resolved plan of a model plan and a filter, or nil.
    func plan(at place: Place) -> ResolvedPlan? { lock.withLock { _ in plans[place] } }

    /// Publishes the results of a resolution. Returns false if another thread has published some of them: a shape has one
    /// layout and a model plan has one resolved plan.
    private func publish(_ resolution: PlanResolution) -> Bool {
        lock.withLock { _ in
            let isNew =
                resolution.layouts.keys.allSatisfy { resolved[$0] == nil }
                && resolution.plans.keys.allSatisfy { plans[$0] == nil }
            guard isNew else { return false }
            plans.merge(resolution.plans) { $1 }
            for (shape, layout) in resolution.release() {
                resolved[layout.key] = LayoutReference(layout.value)
                kept.append(shape)
                if isStandard { _ = layouts.insert(layout.value, for: UInt(bitPattern: ObjectIdentifier(shape))) }
            }
            return true
        }
    }

    /// Returns the cache of the same options without a filter, for JSON that is decoded later.
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

    /// Returns the shape that replaces a type's shape under these options.
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
    /// The options of a decoder or encoder. A change of an option makes a new cache.
    struct Options: Sendable {
        private(set) var planCache = PlanCache.standard
        private(set) var overrides: [ObjectIdentifier: JSONShape] = [:]
        var keys = JSONKeyStrategy.asDeclared { didSet { renew() } }
        var unknownKeys = JSONUnknownKeys.ignore { didSet { renew() } }
        var only: [JSONPath]? { didSet { renew() } }
        var except: [JSONPath]? { didSet { renew() } }
        /// Whether values are encoded.
        var isEncoding = false
        /// The options of other modules, by type.
        var settings: [ObjectIdentifier: any Sendable] = [:]

        mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
            overrides[ObjectIdentifier(type)] = shape
            renew()
        }

        /// The same options without a filter.
        var unfiltered: Options {
            if only == nil, except == nil { return self }
            var copy = self
            copy.dropFilter(planCache.unfiltered())
            return copy
        }

        private mutating func dropFilter(_ other: PlanCache) {
            (only, except) = (nil, nil)
            planCache = other
        }

        private mutating func renew() {
            planCache = PlanCache(
                keys: keys, unknownKeys: unknownKeys, overrides: overrides, only: only, except: except,
                isEncoding: isEncoding)
        }
    }
}
