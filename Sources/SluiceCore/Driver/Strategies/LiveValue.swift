// The value as far as it is read, as a value of its type that grows with the input.
//
// The driver has the parts of an open value in frames, element buffers and fields, from which the value is made at its end. A live value
// follows the driver: each look copies what came since the last one, along the open containers, to the memory of a value. What is complete
// is copied once, and shared with the driver.
//
// A caller may keep the value of a look. Changes of a value whose arrays, dictionaries and strings are shared copy them. Therefore two
// values are advanced in turn: the one that was returned two looks ago is usually no longer in use.

/// Two values that follow the value that a driver makes.
///
/// A value can be followed if its open containers are arrays, dictionaries, models that have all required values and no hooks, and enums
/// with the payload of such a model. An open part of another type is made as a whole at each look.
final class LiveValue {
    /// An open container, of which both values have a copy.
    private struct Level {
        var form: Form
        /// The position of the frame on the driver's stack.
        let index: Int
    }

    /// The form of a value that is followed.
    enum Form {
        case model(LiveModel)
        case elements(LiveElements)
        case members(LiveMembers)
        case union(LiveUnion)
    }

    /// The open containers that were followed at the last look, from the outermost. The frames are the same as long as they have the flag
    /// `isFollowed`, which new frames do not have.
    @exclusivity(unchecked) private var levels: [Level] = []
    private let copies: (first: LiveCopy, second: LiveCopy)
    /// Whether the next look advances the second copy.
    @exclusivity(unchecked) private var isSecondNext = false
    @exclusivity(unchecked) private var models: [UnsafeRawPointer: LiveModel?] = [:]
    @exclusivity(unchecked) private var elements: [UnsafeRawPointer: LiveElements?] = [:]
    @exclusivity(unchecked) private var members: [UnsafeRawPointer: LiveMembers?] = [:]
    private let options: DecodingOptions.Shared
    /// What the reader of changes knows; nil before the first call.
    @exclusivity(unchecked) var cursor: ChangeCursor?

    /// Creates values that follow the open value of a driver, and the next elements of a stream. Returns nil if no value is open.
    ///
    /// - Parameter options: The options of the driver for a partial value.
    init?(following driver: borrowing Driver, _ options: DecodingOptions.Shared) {
        guard let layout = driver.firstValueFrame?.layout else { return nil }
        copies = (LiveCopy(layout), LiveCopy(layout))
        self.options = options
    }

    /// The copy that the next look advances.
    private var next: LiveCopy { isSecondNext ? copies.second : copies.first }

    /// Releases the values, after the value is complete or another element has begun.
    private func release() {
        levels.removeAll()
        copies.first.release()
        copies.second.release()
        cursor = nil
    }

    private func keepLevels(_ count: Int) {
        if levels.count > count { levels.removeLast(levels.count - count) }
        copies.first.keepMarks(count)
        copies.second.keepMarks(count)
        if let known = cursor?.marks.count, known > count { cursor?.marks.removeLast(known - count) }
    }

    // MARK: The open containers that are followed

    var levelCount: Int { levels.count }

    func frame(at depth: Int, _ driver: borrowing Driver) -> FrameReference {
        driver.openFrame(at: levels[depth].index)
    }

    func form(at depth: Int) -> Form { levels[depth].form }

    /// What a value that is followed contains besides complete values.
    enum Part {
        /// Nothing, or a value that is left out.
        case none
        /// A string whose contents so far are stored.
        case text
        /// The frame of a value that is made as a whole.
        case whole(FrameReference)
        /// A value that is followed. `isKnown` states whether the reader has the beginning of the value.
        case open(FrameReference, Form, isKnown: Bool)

        var isText: Bool { if case .text = self { true } else { false } }
        var isKnown: Bool { if case .open(_, _, isKnown: true) = self { true } else { false } }

        /// The memory of the value in the driver.
        fileprivate func slot(_ driver: borrowing Driver) -> ValueSlot {
            switch self {
            case .none, .text: driver.slot
            case .whole(let frame), .open(let frame, _, _): frame.destination
            }
        }

        /// The field of the part in the model around it; nil for no part.
        func field(_ driver: borrowing Driver) -> Int? {
            switch self {
            case .none: nil
            case .text: driver.top.entry?.field
            case .whole(let inner), .open(let inner, _, _): inner.below.entry?.field
            }
        }
    }

    /// Returns the part of the value at a depth.
    ///
    /// - Parameters:
    ///   - rest: The part of the innermost value that is followed.
    ///   - knownCount: The number of values, from the outermost, of which the reader has the beginning.
    func part(at depth: Int, _ driver: borrowing Driver, rest: Part, knownCount: Int) -> Part {
        guard depth + 1 < levels.count else { return rest }
        return .open(frame(at: depth + 1, driver), levels[depth + 1].form, isKnown: depth + 1 < knownCount)
    }

    // MARK: Looking

    /// Returns the value as far as it is read; nil if the value cannot be followed.
    ///
    /// - Parameters:
    ///   - token: The token that is not complete yet.
    ///   - readText: Continues to read the open string.
    ///   - end: The issue of an input that ends here.
    func look(
        _ driver: borrowing Driver, _ token: OpenToken, readText: @escaping (inout OpenText) -> Void,
        end: @escaping () -> JSONIssue
    ) -> LiveCopy? {
        guard let rest = prepare(driver, token) else { return nil }
        let copy = next
        isSecondNext.toggle()
        copy.hasText = driver.isReadingText(token)
        if !copy.issues.isEmpty { copy.issues = [] }
        advance(copy, driver, rest, readText: readText, end: end)
        return copy
    }

    /// Finds the open containers that are followed, or releases the values if there are none.
    ///
    /// - Returns: The part of the innermost of them; nil if the value cannot be followed.
    func prepare(_ driver: borrowing Driver, _ token: OpenToken) -> Part? {
        if !driver.hasResult, driver.replayDepth == 0,
            let first = driver.firstValueFrame
        {
            let rest = follow(driver, from: first, isText: driver.isReadingText(token))
            if !levels.isEmpty { return rest }
        }
        release()
        return nil
    }

    /// Returns the text so far of the open string, which the next value that is returned contains.
    func text(readText: (inout OpenText) -> Void) -> String {
        readText(&next.text)
        return next.text.text
    }

    /// Finds the open containers that can be followed. Returns the part of the innermost of them.
    private func follow(_ driver: borrowing Driver, from first: FrameReference, isText: Bool) -> Part {
        var (frame, depth, whole) = (first, 0, FrameReference?.none)
        while frame <= driver.top {
            let index = driver.index(of: frame)
            let isKnown =
                depth < levels.count && levels[depth].index == index && frame.flags.contains(.isFollowed)
            if frame.isNode, frame.owner != frame {
                // The fields of other objects and arrays on paths are collected one by one.
                if frame.form != .object || frame.entry?.addsToContainer == true { whole = frame.owner }
            } else if !isKnown, frame.below.hidesCurrentValue {
                keepLevels(depth)
                return .none
            } else if let form = isKnown ? knownForm(at: depth, frame, driver) : form(of: frame, driver) {
                if isKnown {
                    // The same frame may have another case.
                    if case .union = form { levels[depth].form = form }
                } else {
                    keepLevels(depth)
                    levels.append(Level(form: form, index: index))
                    frame.flags.insert(.isFollowed)
                }
                depth += 1
                // The value that is added to a container is not part of it.
                if frame.isNode, frame.entry?.addsToContainer == true, frame < driver.top || isText {
                    whole = frame
                }
            } else {
                whole = frame
            }
            if whole != nil { break }
            frame = frame.above
        }
        if let part = whole {
            let recovered = driver.frameOfRecovery(from: part, above: first)
            while depth > 0, levels[depth - 1].index >= driver.index(of: recovered) { depth -= 1 }
            whole = recovered
            // The payload of an enum is followed, or the enum is made as a whole.
            if depth > 0, case .union = levels[depth - 1].form {
                depth -= 1
                whole = driver.openFrame(at: levels[depth].index)
            }
        }
        keepLevels(depth)
        if let whole { return .whole(whole) }
        return isText && driver.storesText ? .text : .none
    }

    /// The model whose value a frame makes; nil if the model cannot be followed.
    private func model(of frame: FrameReference) -> LiveModel? {
        let key = UnsafeRawPointer(frame.layout.pointer)
        if let known = models[key] { return known }
        let model = LiveModel(frame.layout)
        models[key] = .some(model)
        return model
    }

    /// The enum whose payload is open; nil for another value, or if the payload cannot be followed.
    private func union(of frame: FrameReference, _ driver: borrowing Driver) -> LiveUnion? {
        guard frame.form == .union || frame.form == .converted, frame < driver.top, let union = frame.layout.union,
            let index = frame.form == .union ? frame.unionCase : frame.payloadCase, frame.recordingStart == nil,
            let projection = union.projection, !union.hasHooks
        else { return nil }
        let inner = frame.above
        guard inner.form == .object, inner.owner == inner, inner.canBeFollowed, let model = model(of: inner),
            model.canBeMade(inner)
        else { return nil }
        return LiveUnion(union: union, index: index, payload: model, projection: projection)
    }

    /// Returns the form of a level that was followed at the last look; nil if it can no longer be.
    private func knownForm(at depth: Int, _ frame: FrameReference, _ driver: borrowing Driver) -> Form? {
        guard frame.canBeFollowed else { return union(of: frame, driver).map { .union($0) } }
        let form = levels[depth].form
        if case .model(let model) = form, !model.canBeMade(frame) { return nil }
        return form
    }

    /// Returns the form of a level; nil for a value that cannot be followed.
    private func form(of frame: FrameReference, _ driver: borrowing Driver) -> Form? {
        guard frame.canBeFollowed else { return union(of: frame, driver).map { .union($0) } }
        let layout = frame.layout
        let key = UnsafeRawPointer(layout.pointer)
        switch frame.form {
        case .object:
            guard let model = model(of: frame), model.canBeMade(frame) else { return nil }
            return .model(model)
        case .array:
            let elements = elements[key] ?? LiveElements.of(layout)
            self.elements[key] = .some(elements)
            return elements.map { .elements($0) }
        case .pairs:
            // A pair that is dropped is not found in the dictionary.
            let members = members[key] ?? (layout.isLossy ? nil : LiveMembers.of(layout))
            self.members[key] = .some(members)
            return members.map { .members($0) }
        default: return nil
        }
    }

    // MARK: Advancing a copy

    private func advance(
        _ copy: LiveCopy, _ driver: borrowing Driver, _ rest: Part,
        readText: @escaping (inout OpenText) -> Void, end: @escaping () -> JSONIssue
    ) {
        // Text that is stored is read when the value no longer has the text before.
        if copy.hasText, !rest.isText { readText(&copy.text) }
        var address = copy.memory
        if copy.marks.isEmpty {
            copy.releaseValue()
            Self.makeEmpty(driver.openFrame(at: levels[0].index), levels[0].form, address)
            copy.isPresent = true
        }
        var look = Look(copy: copy, readText: readText, end: end)
        for depth in 0..<levels.count {
            let frame = driver.openFrame(at: levels[depth].index)
            if depth == copy.marks.count { copy.marks.append(LiveCopy.Mark()) }
            look.part = part(at: depth, driver, rest: rest, knownCount: copy.marks.count)
            switch levels[depth].form {
            case .model(let model): address = advance(model, frame, at: address, &copy.marks[depth], driver, look)
            case .elements(let elements):
                address = advance(elements, frame, at: address, &copy.marks[depth], driver, look)
            case .members(let members):
                address = advance(members, frame, at: address, &copy.marks[depth], driver, look)
            case .union(let union):
                address = union.takePayload(at: address, frame, &copy.marks[depth], look.part.isKnown)
            }
        }
        for depth in levels.indices.reversed() {
            guard case .union(let union) = levels[depth].form else { continue }
            union.putPayload(driver.openFrame(at: levels[depth].index).layout, copy.marks[depth])
        }
    }

    /// What a container is advanced with.
    private struct Look {
        let copy: LiveCopy
        var part = Part.none
        let readText: (inout OpenText) -> Void
        let end: () -> JSONIssue

        /// Makes the open string. No other part of the copy has the text before.
        func storeText(_ layout: LayoutReference, _ address: UnsafeMutableRawPointer) {
            readText(&copy.text)
            let slot = ValueSlot(address: address, layout: layout)
            if layout.kind == .value {
                slot.initialize(to: JSONValue.string(copy.text.text))
            } else {
                slot.initialize(to: copy.text.text)
            }
        }
    }

    /// Advances a model. Returns the address of its part.
    private func advance(
        _ model: LiveModel, _ frame: FrameReference, at address: UnsafeMutableRawPointer,
        _ mark: inout LiveCopy.Mark, _ driver: borrowing Driver, _ look: borrowing Look
    ) -> UnsafeMutableRawPointer {
        let field = look.part.field(driver)
        if let open = mark.openField, !(look.part.isKnown && field == open) {
            model.reset(open, at: address)
            mark.openField = nil
        }
        mark.fields.follow(frame, model.wordCount) { field, isFilled in
            model.reset(field, at: address, to: isFilled ? frame.base : nil)
        }
        for field in model.growing where frame.isFilled(field) {
            model.updateContainer(field, at: address, from: frame.base)
        }
        guard let field, field >= 0 else { return address }
        let offset = model.fields[field].offset
        if look.part.isKnown, mark.openField == field { return address + offset }
        func open(_ make: (UnsafeMutableRawPointer) -> Void) {
            model.fields[field].destroy(address + offset)
            make(address + offset)
            mark.openField = field
            // The value in the driver, if there is one, is that of another candidate.
            mark.fields.remove(field)
        }
        switch look.part {
        case .none: break
        case .text: open { look.storeText(driver.slot.layout, $0) }
        case .whole(let inner):
            withPart(inner, driver, look) { part in
                open { $0.copyMemory(from: part, byteCount: inner.layout.size) }
            }
        case .open(let inner, let form, _): open { Self.makeEmpty(inner, form, $0) }
        }
        return address + offset
    }

    /// Advances an array. Returns the address of its last element, if this is open.
    private func advance(
        _ elements: LiveElements, _ frame: FrameReference, at address: UnsafeMutableRawPointer,
        _ mark: inout LiveCopy.Mark, _ driver: borrowing Driver, _ look: borrowing Look
    ) -> UnsafeMutableRawPointer {
        let isContinued = look.part.isKnown && mark.hasOpen && !driver.hasElements(of: frame, after: mark.position)
        if mark.hasOpen, !isContinued {
            elements.removeLast(of: address)
            mark.hasOpen = false
        }
        driver.forEachChunk(of: frame, from: &mark.position) { elements.append($0, $1, to: address) }
        func append(_ make: (UnsafeMutableRawPointer) -> Void) {
            look.part.slot(driver).layout.withTemporaryMemory { memory in
                make(memory)
                elements.append(moving: memory, to: address)
            }
            mark.hasOpen = true
        }
        switch look.part {
        case .none: return address
        case .text: append { look.storeText(driver.slot.layout, $0) }
        case .whole(let inner):
            withPart(inner, driver, look) { part in
                elements.append(moving: part, to: address)
                mark.hasOpen = true
            }
        case .open(let inner, let form, _):
            if !isContinued { append { Self.makeEmpty(inner, form, $0) } }
            return elements.last(of: address)
        }
        return address
    }

    /// Advances a dictionary. Returns the address of the value of its last key, if this is open.
    private func advance(
        _ members: LiveMembers, _ frame: FrameReference, at address: UnsafeMutableRawPointer,
        _ mark: inout LiveCopy.Mark, _ driver: borrowing Driver, _ look: borrowing Look
    ) -> UnsafeMutableRawPointer {
        let hasNew = driver.hasElements(of: frame, after: mark.position)
        let isContinued = look.part.isKnown && mark.hasOpen && !hasNew
        var isPending = false
        func collectAgain() {
            frame.layout.destroy(address)
            frame.layout.shape.makeEmpty(address)
            mark = LiveCopy.Mark()
            driver.forEachChunk(of: frame, from: &mark.position) { members.append($0, $1, to: address) }
        }
        if let open = mark.openKey, !isContinued {
            // A value that was open is replaced by the complete value, or by a later part.
            let key: UnsafeMutableRawPointer? =
                if hasNew { driver.firstElement(of: frame, after: mark.position) } else {
                    frame.flags.contains(.hasKey) ? frame.cursor : nil
                }
            let isSame = key.map { members.copy(of: $0) } == open
            mark.openKey = nil
            if isSame { isPending = !hasNew } else { collectAgain() }
        }
        driver.forEachChunk(of: frame, from: &mark.position) { members.append($0, $1, to: address) }
        let key = frame.cursor
        func set(_ make: (UnsafeMutableRawPointer) -> Void) {
            look.part.slot(driver).layout.withTemporaryMemory { memory in
                make(memory)
                members.set(key, moving: memory, in: address)
            }
            mark.openKey = members.copy(of: key)
        }
        // A value that was open and can no longer be made.
        defer { if isPending, mark.openKey == nil { collectAgain() } }
        switch look.part {
        case .none: return address
        case .text:
            if isPending { driver.slot.layout.withEmptyText { members.set(key, moving: $0, in: address) } }
            set { look.storeText(driver.slot.layout, $0) }
        case .whole(let inner):
            withPart(inner, driver, look) { part in
                members.set(key, moving: part, in: address)
                mark.openKey = members.copy(of: key)
            }
        case .open(let inner, let form, _):
            if !isContinued { set { Self.makeEmpty(inner, form, $0) } }
            return members.value(of: key, in: address)
        }
        return address
    }

    private static func makeEmpty(
        _ frame: FrameReference, _ form: Form, _ address: UnsafeMutableRawPointer
    ) {
        switch form {
        case .model(let model): model.makeEmpty(frame, address)
        case .union(let union): union.makeEmpty(frame, address)
        case .elements, .members: frame.layout.shape.makeEmpty(address)
        }
    }

    /// Calls a closure with the value of a frame as far as it is read, if the value can be made. The closure moves the value out.
    private func withPart(
        _ frame: FrameReference, _ driver: borrowing Driver, _ look: borrowing Look,
        _ body: (UnsafeMutableRawPointer) -> Void
    ) {
        frame.layout.withTemporaryMemory { memory in
            let text = look.copy.hasText ? look.copy.text.text : nil
            let part = driver.makePart(frame, at: memory, text: text, end: look.end(), options: options)
            look.copy.issues += part.issues
            if part.isPresent { body(memory) }
        }
    }
}

/// One of the two values that follow the value of a driver.
///
/// Invariant: the value is initialized if `isPresent`. It has what the marks state.
final class LiveCopy {
    let layout: LayoutReference
    let memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) fileprivate(set) var isPresent = false
    /// What the value has of each open container.
    @exclusivity(unchecked) fileprivate var marks: [Mark] = []
    @exclusivity(unchecked) fileprivate(set) var text = OpenText()
    /// Whether a string is open.
    @exclusivity(unchecked) fileprivate(set) var hasText = false
    /// The issues of the parts that are made as a whole.
    @exclusivity(unchecked) fileprivate(set) var issues: [JSONIssue] = []
    private let shape: JSONShape

    /// The text so far of the open string; nil if no string is open.
    var openText: String? { hasText ? text.text : nil }
    /// The field of the outermost model whose value is open and can be shown.
    var openField: Int? { marks.isEmpty ? nil : marks[0].openField }

    /// What a copy has of a container.
    fileprivate struct Mark {
        /// The fields of a model that are complete.
        var fields = FieldSet()
        /// The elements or pairs that are complete.
        var position = ElementPosition()
        /// The field of a model whose value is open.
        var openField: Int?
        /// Whether the last element of an array is open.
        var hasOpen = false
        /// The payload of an enum, while the copy is advanced.
        var payload: LivePayload?
        /// The key of the value in a dictionary that is open.
        var openKey: AnyHashable? {
            didSet { hasOpen = openKey != nil }
        }
    }

    fileprivate init(_ layout: LayoutReference) {
        self.layout = layout
        shape = layout.shape
        memory = .allocate(byteCount: max(layout.size, 1), alignment: layout.alignmentMask + 1)
    }

    deinit {
        releaseValue()
        memory.deallocate()
    }

    fileprivate func releaseValue() {
        if isPresent { shape.destroy(memory, 1) }
        isPresent = false
    }

    fileprivate func release() {
        releaseValue()
        marks.removeAll()
        (hasText, issues) = (false, [])
    }

    fileprivate func keepMarks(_ count: Int) {
        if marks.count > count { marks.removeLast(marks.count - count) }
    }
}

/// A position in the elements of an element buffer, which is in several chunks.
struct ElementPosition {
    /// The number of elements before the position.
    fileprivate(set) var total = 0
    /// The number of full chunks before the position.
    fileprivate var chunk = 0
    /// The number of elements before the position in the next chunk.
    fileprivate var count = 0
}

extension FieldSet {
    /// Calls a closure with each field of an open model that has received its value, or has lost it.
    mutating func follow(
        _ frame: FrameReference, _ wordCount: Int, _ body: (_ field: Int, _ isFilled: Bool) -> Void
    ) {
        for word in 0..<wordCount {
            let new = frame.presenceWord(word)
            let changed = self[word] ^ new
            if changed == 0 { continue }
            self[word] = new
            FrameReference.forEachBit(of: changed, from: word * 64) { body($0, contains($0)) }
        }
    }
}

/// An enum whose open payload is followed.
struct LiveUnion {
    let union: UnionReference
    /// The case.
    let index: Int
    fileprivate let payload: LiveModel
    fileprivate let projection: Unmanaged<EnumProjection>

    /// Makes an enum whose payload has no values, except those that are required.
    fileprivate func makeEmpty(_ frame: FrameReference, _ address: UnsafeMutableRawPointer) {
        withUnsafeTemporaryAllocation(byteCount: union.size, alignment: union.payloadAlignmentMask + 1) { memory in
            let memory = memory.baseAddress.unsafelyUnwrapped
            payload.makeEmpty(frame.above, memory)
            union.make(index, memory, address)
        }
        frame.layout.injectTag(address)
    }

    /// Moves the payload out of the enum at an address, so that the payload can be advanced.
    ///
    /// - Parameter isKnown: Whether the enum has the beginning of the payload.
    /// - Returns: The address of the payload.
    fileprivate func takePayload(
        at address: UnsafeMutableRawPointer, _ frame: FrameReference, _ mark: inout LiveCopy.Mark, _ isKnown: Bool
    ) -> UnsafeMutableRawPointer {
        let taken = mark.payload ?? LivePayload(union)
        mark.payload = taken
        taken.address = address
        let last = projection._withUnsafeGuaranteedRef { $0.project(address, taken.memory) }
        if !isKnown {
            union.cases[last].layout?.destroy(taken.memory)
            payload.makeEmpty(frame.above, taken.memory)
        }
        return taken.memory
    }

    /// Makes the enum again from its payload.
    fileprivate func putPayload(_ layout: LayoutReference, _ mark: LiveCopy.Mark) {
        guard let taken = mark.payload, let address = taken.address else { return }
        union.make(index, taken.memory, address)
        layout.injectTag(address)
    }
}

/// The memory of a payload that was moved out of its enum.
private final class LivePayload {
    let memory: UnsafeMutableRawPointer
    /// The address of the enum.
    @exclusivity(unchecked) var address: UnsafeMutableRawPointer?

    init(_ union: UnionReference) {
        memory = .allocate(byteCount: max(union.size, 1), alignment: union.payloadAlignmentMask + 1)
    }

    deinit { memory.deallocate() }
}

/// A model that can be followed: all that is required is complete, and nothing else happens at its end.
final class LiveModel {
    let fields: [FieldInfo]
    /// The fields that are neither optional nor have a default.
    private let required: [Int]
    /// The fields that have a default.
    private let defaults: [Int]
    /// The fields whose containers grow while the model is open.
    let growing: [Int]
    let wordCount: Int
    private let table: TableReference

    fileprivate init?(_ layout: LayoutReference) {
        guard let table = layout.table, let plan = table.plan, plan.union == nil, !layout.hasStorage,
            !plan.hasParts,
            !plan.hasValueHooks, plan.erasedPlan.hooks.isEmpty,
            plan.fields.allSatisfy({ !$0.paths.isEmpty || $0.isExtra || $0.defaultsWhenMissing })
        else { return nil }
        self.table = table
        fields = plan.fields
        required = fields.indices.filter {
            !plan.fields[$0].defaultsWhenMissing && plan.fields[$0].layout?.isOptional != true
        }
        defaults = fields.indices.filter { plan.fields[$0].defaultsWhenMissing }
        growing = fields.indices.filter { plan.fields[$0].element != nil }
        wordCount = 1 + table.extraRequired.count
    }

    /// Whether an open model has all values that are required.
    fileprivate func canBeMade(_ frame: FrameReference) -> Bool { required.allSatisfy(frame.isFilled) }

    /// Makes a model without values, except those that are required.
    fileprivate func makeEmpty(_ frame: FrameReference, _ address: UnsafeMutableRawPointer) {
        if let template = table.template { address.copyMemory(from: template, byteCount: table.size) }
        for field in defaults { fields[field].makeDefault?(address + fields[field].offset) }
        for field in required { fields[field].copy(from: frame.base, to: address) }
        frame.layout.injectTag(address)
    }

    /// Replaces the value of a field by a copy of that in another model, or by that of an empty model.
    fileprivate func reset(
        _ field: Int, at address: UnsafeMutableRawPointer, to source: UnsafeMutableRawPointer? = nil
    ) {
        let info = fields[field]
        info.destroy(address + info.offset)
        if let source {
            info.copy(from: source, to: address)
        } else if info.defaultsWhenMissing {
            info.makeDefault?(address + info.offset)
        } else {
            info.layout?.loadNil(address + info.offset)
        }
    }

    /// Replaces a container by that of another model, unless they share their memory.
    fileprivate func updateContainer(
        _ field: Int, at address: UnsafeMutableRawPointer, from source: UnsafeMutableRawPointer
    ) {
        let (offset, size) = (fields[field].offset, fields[field].declared.size)
        let (old, new) = (
            UnsafeRawBufferPointer(start: address + offset, count: size),
            UnsafeRawBufferPointer(start: source + offset, count: size)
        )
        if !old.elementsEqual(new) { reset(field, at: address, to: source) }
    }
}

extension LayoutReference {
    /// Calls a closure with an empty string, which the closure moves out.
    fileprivate func withEmptyText(_ body: (UnsafeMutableRawPointer) -> Void) {
        withTemporaryMemory { memory in
            let slot = ValueSlot(address: memory, layout: self)
            if self.kind == .value { slot.initialize(to: JSONValue.string("")) } else { slot.initialize(to: "") }
            body(memory)
        }
    }
}

extension FrameReference {
    /// Whether the value of a container can be followed, if its type can.
    fileprivate var canBeFollowed: Bool {
        switch self.form {
        case .object, .array, .pairs:
            uncommonState?.decidesAtEnd != true
        default: false
        }
    }
}

extension Driver {
    /// Returns the frame that changes if a part of its value fails: the element of a lossy container, which is dropped, or the model
    /// whose field gets its default. Returns the part itself if only the part is left out.
    ///
    /// - Parameters:
    ///   - part: The frame of a part that may fail.
    ///   - first: The frame of the value.
    fileprivate func frameOfRecovery(from part: FrameReference, above first: FrameReference) -> FrameReference {
        var frame = part
        while frame > first {
            let inner = frame
            frame = frame.below
            if isLossyContainer(frame) { return inner }
            if usesDefaultAfterFailure(at: frame) { return frame.owner }
        }
        return part
    }

    /// The frame of the value, or of the open element of a stream; nil if none is open.
    var firstValueFrame: FrameReference? {
        var frame = root
        while frame < top {
            frame = frame.above
            if frame.owner != root { return frame }
        }
        return nil
    }

    /// Whether the open string is stored as it is.
    var storesText: Bool {
        guard !slot.layout.readsText, !top.hidesCurrentValue else { return false }
        switch disposition {
        case .store(.string), .store(.value): return true
        default: return false
        }
    }

    private func fullChunks(of frame: FrameReference) -> ArraySlice<ElementChunk> {
        arena.fullChunks(from: frame.mark, to: frame == top ? arena.mark : frame.above.mark)
    }

    private func lastCount(of frame: FrameReference) -> Int {
        (elementsEnd(of: frame) - frame.base) / frame.layout.elementStride
    }

    /// Whether elements follow a position.
    func hasElements(of frame: FrameReference, after position: ElementPosition) -> Bool {
        firstElement(of: frame, after: position) != nil
    }

    /// Returns the first element after a position.
    func firstElement(of frame: FrameReference, after position: ElementPosition)
        -> UnsafeMutableRawPointer?
    {
        let full = fullChunks(of: frame)
        var (chunk, count) = (position.chunk, position.count)
        while chunk < full.count {
            let next = full[full.startIndex + chunk]
            if count < next.count { return next.start.unsafelyUnwrapped + count * frame.layout.elementStride }
            (chunk, count) = (chunk + 1, 0)
        }
        return count < lastCount(of: frame) ? frame.base + count * frame.layout.elementStride : nil
    }

    /// Calls a closure with the elements after a position, and moves the position.
    func forEachChunk(
        of frame: FrameReference, from position: inout ElementPosition,
        _ body: (_ elements: UnsafeMutableRawPointer, _ count: Int) -> Void
    ) {
        let (full, stride) = (fullChunks(of: frame), frame.layout.elementStride)
        while position.chunk < full.count {
            let chunk = full[full.startIndex + position.chunk]
            if position.count < chunk.count {
                body(chunk.start.unsafelyUnwrapped + position.count * stride, chunk.count - position.count)
            }
            position.total += max(chunk.count - position.count, 0)
            (position.chunk, position.count) = (position.chunk + 1, 0)
        }
        let last = lastCount(of: frame)
        if position.count < last { body(frame.base + position.count * stride, last - position.count) }
        position.total += last - position.count
        position.count = last
    }
}
