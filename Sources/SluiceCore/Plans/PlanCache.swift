/// The options of a decoder or encoder that affect plans, and the plans and layouts resolved under these options.
///
/// Resolved layouts and tables live as long as their cache. The standard cache lives as long as the process. Decoders and encoders with
/// equal options share a cache, so that a decoder that is configured for each call resolves its plans once.
///
/// A call first searches for its layout in a table that is read without a lock. The lock is held to look up and to publish
/// other results, and never while code of a client runs (plans, shapes, key strategies). Such code may decode under the
/// same options, or wait for another thread that does.
package final class PlanCache: @unchecked Sendable {
    /// The identity of a shape or plan together with a filter.
    struct Key: Equatable {
        let object: ObjectIdentifier
        let filter: ObjectIdentifier?

        init(_ object: AnyObject, _ filter: PathFilter?) {
            self.object = ObjectIdentifier(object)
            self.filter = filter.map { ObjectIdentifier($0) }
        }
    }

    /// The options that affect plans.
    package struct Configuration: Hashable, Sendable {
        package var keys = JSONKeyStrategy.asDeclared
        package var unknownKeys = JSONUnknownKeys.ignore
        /// The shapes that replace those of a type.
        package var overrides: [ObjectIdentifier: Override] = [:]
        package var only: [JSONPath]?
        package var except: [JSONPath]?
        /// Whether values are encoded. Objects may then be of a subclass of the declared class.
        package var isEncoding = false
        /// Whether properties are written with their names instead of their keys.
        package var writesNames = false

        /// Whether only some of the properties are coded.
        var isFiltered: Bool { only != nil || except != nil }
    }

    /// A shape that replaces that of a type.
    package struct Override: Hashable, Sendable {
        let shape: JSONShape
        /// The shape; a transform that can be compared; or the type of a transform without stored properties, whose values are equal.
        private nonisolated(unsafe) let identity: AnyHashable

        init(_ shape: JSONShape) { (self.shape, identity) = (shape, ObjectIdentifier(shape)) }

        init<T: JSONTransform>(_ transform: T) {
            shape = .fixed(by: transform)
            if MemoryLayout<T>.size == 0 {
                identity = ObjectIdentifier(T.self)
            } else {
                identity =
                    (transform as? any Hashable).map { AnyHashable($0) } ?? AnyHashable(ObjectIdentifier(shape))
            }
        }

        package static func == (one: Override, other: Override) -> Bool { one.identity == other.identity }
        package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
    }

    /// The cache for decoders and encoders without options.
    package static let standard = PlanCache(Configuration(), isStandard: true)
    /// The caches of the configurations that were used last.
    private static let others = Lock(RecentValues<Configuration, PlanCache>())

    let configuration: Configuration
    let filter: PathFilter?
    private let isStandard: Bool
    // Unchecked sendability: the lock guards all properties below except `layouts`, which is safe for threads.
    private let lock = Lock<Void>(())
    /// The layouts that are found without a lock, by shape: those of the types that calls decode or encode and, in the
    /// standard cache, all layouts.
    private let layouts = AddressTable()
    private var resolved = IdentityTable<LayoutReference>()
    /// The plans by model plan and filter.
    private var plans = IdentityTable<ResolvedPlan>()
    /// The shapes of the layouts, retained because their addresses are keys of the cache.
    private var retainedShapes: [JSONShape] = []
    /// The shapes of types whose payload or raw value has another shape, by type.
    private var derived: [ObjectIdentifier: JSONShape] = [:]

    private init(_ configuration: Configuration, isStandard: Bool) {
        self.configuration = configuration
        self.isStandard = isStandard
        filter =
            configuration.isFiltered
            ? PathFilter(only: configuration.only, except: configuration.except ?? []) : nil
    }

    /// Returns the cache of a configuration.
    static func shared(_ configuration: Configuration) -> PlanCache {
        if configuration == Configuration() { return standard }
        return others.withLock { $0.value(for: configuration) { PlanCache(configuration, isStandard: false) } }
    }

    var keys: JSONKeyStrategy { configuration.keys }
    var unknownKeys: JSONUnknownKeys { configuration.unknownKeys }
    var isEncoding: Bool { configuration.isEncoding }
    var writesNames: Bool { configuration.writesNames }

    /// Whether a shape replaces that of a type.
    func isOverridden(_ type: ObjectIdentifier) -> Bool { configuration.overrides[type] != nil }

    /// Whether shapes replace those of types.
    var hasOverrides: Bool { !configuration.overrides.isEmpty }

    deinit { for layout in resolved.values { layout.pointer.deallocate() } }

    /// Returns the resolved layout of a shape. Also resolves all layouts that the driver can reach from the shape.
    ///
    /// - Throws: The defect of a plan.
    package func layout(for shape: JSONShape) throws(JSONModelError) -> LayoutReference {
        try layout(for: shape, filter, isRoot: true)
    }

    /// Returns the resolved layout of a shape that is never released. Layouts that are known are found without a lock.
    @inline(__always)
    package func layout(for shape: Unmanaged<JSONShape>) throws(JSONModelError) -> LayoutReference {
        let key = UInt(bitPattern: shape.toOpaque())
        if let known = layouts[key] { return LayoutReference(untyped: known) }
        let layout = try layout(for: shape.takeUnretainedValue())
        _ = layouts.insert(layout.pointer, for: key)
        return layout
    }

    /// Returns the layout of an object's own class; nil if that is the declared class.
    ///
    /// - Parameter layout: The layout of the declared class.
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
        let shape = override(for: shape)
        let key = Key(shape, filter)
        while true {
            if let known = layout(at: key) { return known }
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
    func layout(at key: Key) -> LayoutReference? { lock.withLock { _ in resolved[key] } }

    /// Returns the resolved plan of a model plan and a filter, or nil.
    func plan(at key: Key) -> ResolvedPlan? { lock.withLock { _ in plans[key] } }

    /// Publishes the results of a resolution. Returns false if another thread has published some of them: a shape has one
    /// layout and a model plan has one resolved plan.
    private func publish(_ resolution: PlanResolution) -> Bool {
        lock.withLock { _ in
            let isNew =
                resolution.layouts.keys.allSatisfy { resolved[$0] == nil }
                && resolution.plans.keys.allSatisfy { plans[$0] == nil }
            guard isNew else { return false }
            for (key, plan) in zip(resolution.plans.keys, resolution.plans.values) { plans[key] = plan }
            for (shape, layout) in resolution.release() {
                resolved[layout.key] = LayoutReference(layout.value)
                retainedShapes.append(shape)
                if isStandard { _ = layouts.insert(layout.value, for: UInt(bitPattern: ObjectIdentifier(shape))) }
            }
            return true
        }
    }

    /// Returns the cache of the same options without a filter, for JSON that is decoded later.
    package func unfiltered() -> PlanCache {
        if filter == nil { return self }
        var configuration = configuration
        (configuration.only, configuration.except) = (nil, nil)
        return Self.shared(configuration)
    }

    /// Returns the shape that replaces a type's shape under these options.
    func override(for shape: JSONShape) -> JSONShape {
        if !hasOverrides || shape.isFixed { return shape }
        if let other = configuration.overrides[shape.typeID] { return other.shape.replacing(shape) }
        guard let other = derivedShape(of: shape) else { return shape }
        // A type has one shape, unless a property states that its value may be in a string.
        if other.layout.pointee.readsText { return other }
        return lock.withLock { _ in
            if let known = derived[shape.typeID] { return known }
            derived[shape.typeID] = other
            return other
        }
    }

    /// Returns a shape of a type whose payload or raw value has another shape under these options; nil for other types.
    private func derivedShape(of shape: JSONShape) -> JSONShape? {
        if let payload = shape.payload {
            let other = override(for: payload)
            return other === payload ? nil : JSONShape(optional: shape, of: other)
        }
        guard case .scalar(let scalar) = shape.category, let makeConverted = scalar.makeConverted,
            override(for: scalar.written) !== scalar.written
        else { return nil }
        let other = makeConverted()
        return shape.schemaHint.map { JSONShape(other, hint: $0) } ?? other
    }
}

extension PlanCache {
    /// The options of a decoder or encoder that affect plans, with their cache.
    package struct Options: Sendable {
        private(set) var planCache = PlanCache.standard
        package var configuration = Configuration() {
            didSet { planCache = .shared(configuration) }
        }
        /// The options of other modules, by type.
        var settings: [ObjectIdentifier: any Sendable] = [:]

        /// - Parameter isEncoding: Whether values are encoded.
        init(isEncoding: Bool = false) {
            // Until an option is set, the standard cache serves encoders, too.
            configuration.isEncoding = isEncoding
        }

        mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
            configuration.overrides[ObjectIdentifier(type)] = Override(shape)
        }

        mutating func register<T: JSONTransform>(_ transform: T) {
            configuration.overrides[ObjectIdentifier(T.Value.self)] = Override(transform)
        }

        /// Whether only some of the properties are coded.
        package var isFiltered: Bool { configuration.isFiltered }

        /// These options without a filter.
        package var unfiltered: Options {
            if !isFiltered { return self }
            var copy = self
            (copy.configuration.only, copy.configuration.except) = (nil, nil)
            return copy
        }
    }
}

/// The layouts and plans that are reached from one shape and not published yet. Used by one thread only.
///
/// Code of clients runs during a resolution, and may resolve and publish the same shapes under the same options. In that
/// case the resolution is discarded and repeated with the published results.
final class PlanResolution {
    typealias Key = PlanCache.Key

    private let planCache: PlanCache
    private(set) var layouts = IdentityTable<UnsafeMutablePointer<TypeLayout>>()
    private(set) var plans = IdentityTable<ResolvedPlan>()
    /// The shapes of the layouts, in their order. Those from `next` on are not resolved yet.
    private var shapes: [(shape: JSONShape, filter: PathFilter?)] = []
    private var next = 0
    private var models:
        [(layout: UnsafeMutablePointer<TypeLayout>, erasedPlan: _AnyModelPlan, filter: PathFilter?)] =
            []

    init(in planCache: PlanCache) { self.planCache = planCache }

    deinit { for layout in layouts.values { layout.deallocate() } }

    /// Resolves a shape and all shapes and plans that can be reached from the shape.
    ///
    /// - Throws: The first defect.
    func resolve(_ root: JSONShape, _ filter: PathFilter?) throws(JSONModelError) -> LayoutReference {
        let result = layout(of: root, filter)
        // Plans may reach further shapes, so both steps repeat until none remains.
        while true {
            try resolveShapes()
            guard let (layout, erasedPlan, filter) = models.popLast() else {
                for plan in plans.values { plan.resolve() }
                if !planCache.isEncoding { for plan in plans.values { plan.joinCases() } }
                return result
            }
            layout.pointee.table = try plan(of: erasedPlan, filter).table
        }
    }

    private func resolveShapes() throws(JSONModelError) {
        while next < shapes.count {
            let (shape, filter) = shapes[next]
            next += 1
            guard let layout = layouts[Key(shape, filter)] else { continue }
            if let defect = shape.defect { throw JSONModelError(.invalidPlan(defect), model: shape.typeName) }
            // Only types of C have a greater alignment than 16 bytes. Values are made in memory that is aligned to 64.
            if layout.pointee.alignmentMask > TypeLayout.maximumAlignmentMask {
                let reason =
                    "its memory is aligned to \(layout.pointee.alignmentMask + 1) bytes, and 64 are possible"
                throw JSONModelError(.invalidPlan(reason), model: shape.typeName)
            }
            if let child = shape.element {
                // The shape that replaces a type's shape may convert a value of this very type. A scalar without a shape of its raw values
                // reads and writes its JSON itself.
                let isOwn =
                    layout.pointee.kind == .scalar
                    || sequence(first: shape, next: \.payload).contains { $0.typeID == child.typeID }
                layout.pointee.element = self.layout(of: isOwn ? child : planCache.override(for: child), filter)
            }
            // JSON in a string: the shape of the string, and that of its contents.
            if case .embedded(let embedded) = shape.category {
                layout.pointee.contents = self.layout(of: planCache.override(for: embedded.contents), filter)
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
        let key = Key(shape, filter)
        if let known = layouts[key] { return LayoutReference(known) }
        if let known = planCache.layout(at: key) { return known }
        let layout = UnsafeMutablePointer<TypeLayout>.allocate(capacity: 1)
        layout.initialize(to: shape.layout.pointee)
        if layout.pointee.kind == .model, shape.model?.plan.hasFlattenedEnum == true {
            layout.pointee.kind = .composite
        }
        layouts[key] = layout
        shapes.append((shape, filter))
        return LayoutReference(layout)
    }

    private func plan(of erasedPlan: _AnyModelPlan, _ filter: PathFilter?) throws(JSONModelError) -> ResolvedPlan {
        let key = Key(erasedPlan, filter)
        if let known = plans[key] ?? planCache.plan(at: key) { return known }
        let plan = ResolvedPlan(erasedPlan, in: planCache, filter: filter) { shape, filter in
            self.layout(of: self.planCache.override(for: shape), filter)
        }
        if let defect = plan.defect { throw JSONModelError(.invalidPlan(defect), model: erasedPlan.modelName) }
        plans[key] = plan
        return plan
    }

    private func check(
        _ erasedPlan: _AnyModelPlan, of model: ModelWitness, _ shape: JSONShape
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
    func release() -> [(shape: JSONShape, layout: (key: Key, value: UnsafeMutablePointer<TypeLayout>))] {
        let released = shapes.map { shape, filter in
            let key = Key(shape, filter)
            return (shape, (key: key, value: layouts[key]!))
        }
        layouts = IdentityTable()
        return released
    }
}

/// The values of shapes or plans, each with a filter.
///
/// A dictionary searches the conformance of its keys to `Hashable` when its type is first used, which takes a third of the first call of
/// a process.
///
/// Invariant: `keys` and `values` have the same number of elements, and the values are in the order of their keys.
struct IdentityTable<Value> {
    private(set) var keys: [PlanCache.Key] = []
    private(set) var values: [Value] = []
    /// A hash table with open addressing: the index of a key plus one, or 0 for a free slot. Empty while the keys are few.
    private var slots: [Int] = []

    /// The number of keys that are compared one after another.
    private static var maximumComparedCount: Int { 8 }

    /// The value of a key; nil if the key is new. A value that was set is not changed.
    subscript(key: PlanCache.Key) -> Value? {
        get { index(of: key).map { values[$0] } }
        set {
            guard let newValue, index(of: key) == nil else { return }
            keys.append(key)
            values.append(newValue)
            if keys.count * 2 > slots.count, keys.count > Self.maximumComparedCount {
                slots = Array(repeating: 0, count: max(slots.count * 2, 64))
                for index in keys.indices { slots[slot(of: keys[index])] = index + 1 }
            } else if !slots.isEmpty {
                slots[slot(of: key)] = keys.count
            }
        }
    }

    private func index(of key: PlanCache.Key) -> Int? {
        if slots.isEmpty { return keys.firstIndex(of: key) }
        let index = slots[slot(of: key)] - 1
        return index < 0 ? nil : index
    }

    /// Returns the slot of a key, or the free slot where the key belongs.
    private func slot(of key: PlanCache.Key) -> Int {
        let filter = key.filter.map { UInt(bitPattern: $0) } ?? 0
        // The low bits of addresses are zero.
        let hash = ((UInt(bitPattern: key.object) ^ (filter &* 31)) &* 0x9E37_79B9) >> 16
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0, keys[slots[slot] - 1] != key { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }
}
