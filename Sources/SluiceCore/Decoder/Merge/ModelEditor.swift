/// Changes an existing value by JSON.
///
/// The changes are a recording, and the editor walks their objects and arrays beside the existing value, which stays as it is. The driver
/// makes a new value. A model, dictionary or array that is changed is a frame of the driver, which gets what the changes lack from the
/// existing value: the other fields of a model at the end of its object, and the other members of a dictionary. Each value that replaces
/// another is sent to the driver, which reads the value like that of any frame.
///
/// An object with assignable properties keeps its identity: the change is assigned when its JSON object is complete, and undone if a later
/// value fails.
struct ModelEditor: ~Copyable {
    /// A driver that has received no token.
    var driver: Driver
    /// The recording of the changes.
    let storage: RecordingStorage
    let options: JSONMergeOptions
    let changes: ObjectChanges
    var subclasses: SubclassSearch
    /// Writes a value as JSON.
    let json: (ValueSlot) throws(JSONModelError) -> JSONValue
    var replayer: Replayer
    var levels: [Level] = []

    private var tape: TapeView { storage.tape }

    /// Makes the changed value.
    ///
    /// - Parameters:
    ///   - root: The entry of the changes.
    ///   - path: The path of the changes in the input.
    /// - Throws: The outcome of a token, unless the driver needs the next one.
    mutating func run(_ root: Int, on existing: ValueSlot, at path: JSONPath) throws(Replayer.Outcome) {
        // The driver receives values, and no window of the input.
        driver.session.looksAhead = false
        driver.session.stopsEarly = false
        driver.open(path)
        try apply(root, to: existing, mergesObjects: true)
        while let level = levels.last {
            if driver.index(of: driver.top) < level.frame || level.next >= tape[level.container].value {
                try close(level)
            } else {
                switch level.form {
                case .fields: try applyField(level)
                case .members: try applyMember(level)
                case .elements: try applyElement(level)
                }
            }
        }
        for step in path.components.reversed() {
            try perform(step.isOfObject ? driver.endObject() : driver.endArray(), at: end(of: root))
        }
    }

    /// Makes the value of the current slot from an existing value and the changes.
    ///
    /// - Parameters:
    ///   - existing: The existing value, if there is one, and the memory that is freed after the change.
    ///   - entry: The entry of a field, or of extra keys.
    ///   - mergesObjects: Whether objects change existing values.
    private mutating func apply(
        _ value: Int, to existing: ValueSlot?, in memory: ValueMemory? = nil, of entry: EntryReference? = nil,
        mergesObjects: Bool
    ) throws(Replayer.Outcome) {
        let (layout, kind) = (driver.slot.layout, tape[value].kind)
        let existing = existing?.isPresent == true ? existing : nil
        let isExtra = entry?.addsToContainer == true
        // A hook receives the whole value.
        let isInMemory = !isExtra && entry?.disposition != .record
        // The value may be made again from its changed JSON.
        var isPatch = false
        switch kind {
        case .object where mergesObjects && (isExtra || layout.isMergeable || layout.isPatchable):
            if let existing, isInMemory, layout.isMergeable, layout.kind != .value {
                return try merge(value, into: existing, in: memory)
            }
            // A patch of nil has no nulls.
            isPatch = isExtra || existing != nil || options.nulls == .clear
        case .array where options.arrays == .byIndex && isInMemory && layout.hasMergeableElements:
            guard let existing else { break }
            if layout.kind != .value { return try merge(value, into: existing, in: memory) }
            isPatch = true
        default: break
        }
        var result = JSONValue.object([:])
        if let existing, kind.isContainer {
            if let kind = rejection(of: existing) { return try fail(kind, value) }
            if isPatch, layout.kind == .value {
                result = existing.memory(of: JSONValue.self).pointee
            } else if isPatch {
                do throws(JSONModelError) { result = try json(existing) } catch {
                    return try fail(error.issues[0].kind, value)
                }
            }
        }
        guard isPatch else { return try send(value) }
        guard let change = try changedJSON(value) else { return }
        do throws(StackUsedUp) { try result.apply(change, options) } catch {
            return try perform(driver.failStack(), at: start(of: value))
        }
        if isInMemory, layout.kind == .value {
            driver.slot.initializePayload(to: result)
            return try perform(driver.completed(), at: end(of: value))
        }
        let action = entry.map { driver.replayField(result, $0) } ?? driver.replay(.value(result), as: .value)
        try perform(action, at: end(of: value))
    }

    /// Pushes the frame of a model, dictionary or array, and begins to apply the members or elements.
    private mutating func merge(
        _ value: Int, into existing: ValueSlot, in memory: ValueMemory?
    ) throws(Replayer.Outcome) {
        guard driver.reserveFrame() else { return try perform(driver.failStack(), at: start(of: value)) }
        switch existing.layout.kind {
        case .model:
            do throws(JSONModelError) { driver.slot.layout = try driver.layout(of: existing) } catch {
                return try fail(error.issues[0].kind, value)
            }
            let (layout, plan) = (driver.slot.layout, driver.slot.layout.keyTable.plan!.erasedPlan)
            driver.pushModel()
            var (fields, memory) = (existing.address, memory)
            if let storage = plan.storage {
                let copy = ValueMemory(ofStorage: plan, at: existing.address)
                (fields, memory) = (copy.address, copy)
                if storage.assign != nil, layout.withModel({ $0.isClass }) {
                    let object = existing.memory(of: AnyObject.self).pointee
                    driver.top.makeUncommonState().finishStorage = { [changes] storage, target in
                        changes.assign(storage, to: object, by: plan)
                        target.initialize(to: object)
                    }
                }
            }
            // New extra keys are added to the existing ones.
            driver.copyFields(from: fields) { $1.isExtra }
            push(.fields, value, ValueSlot(address: fields, layout: layout), memory)
        case .array:
            driver.pushElementBuffer(.array, existing.layout)
            push(.elements, value, existing, memory)
        default:
            let type = existing.layout.shape.type
            let copy = ValueMemory(existing.layout) {
                ValueCopy.copy(type, from: existing.address, to: $0)
                return true
            }
            driver.pushElementBuffer(.pairs, existing.layout)
            push(.members, value, ValueSlot(address: copy.address, layout: existing.layout), copy)
        }
    }

    // MARK: Models

    /// Applies the next member to the model on top, or to the object on a path.
    private mutating func applyField(_ level: Level) throws(Replayer.Outcome) {
        let key = level.takeKey(tape)
        let (value, model) = (TapeView.value(ofKey: key), level.model ?? level)
        guard let entry = driver.top.keyTable.find(token(ofKey: key)) else { return try applyOther(key, level) }
        if entry.disposition == .skip || level.repeated.contains(key) { return }
        if driver.session.rejectsDuplicates, !driver.isFirst(text(key)) {
            return try perform(driver.failDuplicate(entry), at: start(of: key))
        }
        driver.target(entry)
        if entry.field < 0 { return try applyPart(entry, value, model) }
        let info = driver.top.fieldInfo.unsafelyUnwrapped
        if entry.isRanked, let best = bestRank(of: info, model), best != entry.rank { return }
        if tape[value].kind == .null {
            guard options.nulls == .clear else { return }
            if !entry.isRanked, info.isRequired, model.hasField(info) {
                return try fail(.nullValue(expected: driver.expectation), value)
            }
            return clear(entry, for: value, model)
        }
        clear(entry, for: value, model)
        // An array on a path may have a worse candidate.
        if driver.isFilled(entry) { driver.destroyValue(entry) }
        model.cleared.insert(entry.field)
        let existing = ValueSlot(address: model.existing.address + entry.offset, layout: entry.layout)
        // A value of which other fields have parts is replaced.
        try apply(
            value, to: model.hasField(info) ? existing : nil, of: entry,
            mergesObjects: options.nested == .merge && entry.child == nil)
    }

    /// Applies the value of an object or array on a path.
    private mutating func applyPart(
        _ entry: EntryReference, _ value: Int, _ model: Level
    ) throws(Replayer.Outcome) {
        let table = entry.child.unsafelyUnwrapped
        switch (tape[value].kind, table.form) {
        case (.null, _): return options.nulls == .clear ? clear(entry, for: value, model) : ()
        case (.object, .object):
            guard driver.reserveFrame() else { return try perform(driver.failStack(), at: start(of: value)) }
            driver.pushObjectNode(table)
            return push(.fields, value, model.existing, model: model)
        case (.object, .anyKey), (.array, .indexes), (.array, .anyIndex):
            // An array, or all members of an object, are replaced as a whole.
            if let kind = rejectionOfFields(below: entry, model) { return try fail(kind, value) }
            clear(entry, for: value, model)
        default: break
        }
        try send(value)
    }

    /// Notes the fields at and below an entry that do not keep the values of the existing model: those of nulls, and all in arrays.
    ///
    /// - Parameter value: The value of the entry, which is null only if null removes values; nil for a value that is removed.
    private func clear(_ entry: EntryReference, for value: Int?, _ model: Level) {
        // A path may have any length. Most entries have none below.
        var open: [(entry: EntryReference, value: Int?)] = []
        var next: (entry: EntryReference, value: Int?)? = (entry, value)
        while let (entry, value) = next {
            defer { next = open.popLast() }
            let isRemoved = value.map { tape[$0].kind == .null } ?? true
            // The null of a later candidate has no effect: another candidate may fill the field.
            if isRemoved, entry.field >= 0, !entry.addsToContainer, !entry.isRanked || entry.rank == 0 {
                model.cleared.insert(entry.field)
            }
            guard let table = entry.child else { continue }
            guard let value, !isRemoved, table.form == .object else {
                if let extra = table.extra, driver.isFilled(extra) {
                    table.extraAccess?.removeAll(driver.top.base + extra.offset)
                }
                open += table.allEntries.map { ($0, nil) }
                continue
            }
            for child in table.allEntries {
                guard let part = part(of: value, at: .key(driver.name(of: child))) else { continue }
                if tape[part].kind != .null || options.nulls == .clear { open.append((child, part)) }
            }
        }
    }

    /// Applies a member whose key no field has: to the extra keys of the model.
    private mutating func applyOther(_ key: Int, _ level: Level) throws(Replayer.Outcome) {
        let (table, name, value) = (driver.top.keyTable, text(key), TapeView.value(ofKey: key))
        guard let extra = table.extra else {
            return try perform(driver.key(token(ofKey: key)), at: start(of: key))
        }
        if level.repeated.contains(key) { return }
        let (access, container) = (table.extraAccess, driver.top.base + extra.offset)
        if tape[value].kind == .null {
            if driver.session.rejectsDuplicates, !driver.isFirst(name) {
                driver.top.makeUncommonState().key = name
                return try perform(driver.failDuplicate(extra, key: name), at: start(of: key))
            }
            if options.nulls == .clear, driver.isFilled(extra) { access?.remove(container, name) }
            return
        }
        let action = driver.key(token(ofKey: key))
        guard action == .proceed, driver.top.entry == extra else { return try perform(action, at: start(of: key)) }
        try apply(value, of: extra, mergesObjects: options.nested == .merge) {
            access?.load(container, name, $0) == true
        }
    }

    /// Returns the rank of the best candidate for a field that the changes have, other than null.
    private func bestRank(of info: FieldInfo, _ model: Level) -> UInt8? {
        for (rank, path) in info.paths.enumerated() {
            var value: Int? = model.container
            for step in path.components { value = value.flatMap { part(of: $0, at: step) } }
            if let value, tape[value].kind != .null { return UInt8(min(rank, KeyEntry.maximumRank)) }
        }
        return nil
    }

    // MARK: Members and elements

    /// Applies the next member to a dictionary. The new members are collected, and set at the end of the object.
    private mutating func applyMember(_ level: Level) throws(Replayer.Outcome) {
        let key = level.takeKey(tape)
        let (name, value) = (text(key), TapeView.value(ofKey: key))
        let (access, container) = (driver.top.layout.shape.members!, level.existing.address)
        if level.repeated.contains(key) { return }
        if name.utf8.mayHaveEquivalents, access.hasEquivalent(container, name) {
            return try perform(driver.fail(.duplicateKey(name), atKey: name), at: start(of: key))
        }
        let action = driver.key(token(ofKey: key))
        guard action == .proceed else { return try perform(action, at: start(of: key)) }
        if tape[value].kind == .null {
            driver.destroyPendingKey(of: driver.top)
            if options.nulls == .clear { access.remove(container, name) }
            return
        }
        try apply(value, mergesObjects: options.nested == .merge) { access.load(container, name, $0) == true }
    }

    /// Applies the next element to an array.
    private mutating func applyElement(_ level: Level) throws(Replayer.Outcome) {
        keepDropped(level)
        let value = level.next
        level.next = tape.next(value)
        level.element = driver.slot.address
        let (array, index) = (level.existing, driver.position(inArray: driver.top))
        // Elements are merged, whichever option applies to values nested in models.
        try apply(value, mergesObjects: true) { array.layout.shape.elements!.load(array.address, index, $0) }
    }

    /// Keeps the existing element in the place of a dropped one.
    private mutating func keepDropped(_ level: Level) {
        guard driver.slot.address == level.element else { return }
        let (array, index) = (level.existing, driver.position(inArray: driver.top) - 1)
        if array.layout.shape.elements!.load(array.address, index, driver.slot.address) {
            driver.top.countBefore -= 1
            driver.completedElement()
        }
    }

    /// Makes the value of the current slot from a member or element, which a closure copies, and the changes.
    private mutating func apply(
        _ value: Int, of entry: EntryReference? = nil, mergesObjects: Bool, load: (UnsafeMutableRawPointer) -> Bool
    ) throws(Replayer.Outcome) {
        let layout = driver.slot.layout
        let memory = tape[value].kind.isContainer ? ValueMemory(layout, load) : nil
        let existing = memory?.destroy == nil ? nil : memory.map { ValueSlot(address: $0.address, layout: layout) }
        try apply(value, to: existing, in: memory, of: entry, mergesObjects: mergesObjects)
    }

    // MARK: Levels

    private mutating func push(
        _ form: Level.Form, _ value: Int, _ existing: ValueSlot, _ memory: ValueMemory? = nil, model: Level? = nil
    ) {
        let level = Level(form, of: value, frame: driver.index(of: driver.top), existing, memory, model: model)
        if model == nil {
            driver.top.makeUncommonState().undoChanges = { [changes, count = changes.count] in
                changes.undo(downTo: count)
            }
        }
        if form != .elements, !driver.session.rejectsDuplicates {
            // Different texts may be equal keys of a dictionary.
            let access = form == .members && !driver.top.layout.hasTextKeys ? driver.top.layout.shape.members : nil
            for (key, _) in repetitions(of: value, access) { level.repeated.insert(key) }
        }
        levels.append(level)
    }

    /// Ends the innermost level, whose frame is on top unless a value has failed.
    private mutating func close(_ level: Level) throws(Replayer.Outcome) {
        let action: TokenAction
        if driver.index(of: driver.top) < level.frame {
            // The driver ignores the rest of the value that has failed.
            action = tape[level.container].kind == .object ? driver.endObject() : driver.endArray()
        } else {
            switch level.form {
            case .fields:
                if level.model == nil {
                    driver.copyFields(from: level.existing.address) { field, _ in !level.cleared.contains(field) }
                    driver.removeMemberless(keepsIgnored: options.nulls != .clear)
                }
                action = driver.endObject()
            case .members: action = driver.endMembers(of: level)
            case .elements:
                keepDropped(level)
                driver.top.freeUncommonState()
                action = driver.endArray()
            }
        }
        levels.removeLast()
        try perform(action, at: end(of: level.container))
    }

    // MARK: Failures

    /// Returns the reason why a value cannot be replaced: it contains an object of a subclass, and a new value would have an object of the
    /// declared class.
    private mutating func rejection(of slot: ValueSlot) -> JSONIssue.Kind? {
        subclasses.name(in: slot).map { SubclassSearch.rejection(ofReplacing: $0) }
    }

    /// Returns the reason why an array or object on a path cannot replace the fields below.
    private mutating func rejectionOfFields(below part: EntryReference, _ model: Level) -> JSONIssue.Kind? {
        for entry in driver.leaves(below: part) {
            guard let info = driver.top.ownerPlan?.fields[entry.field], let layout = info.layout,
                model.hasField(info)
            else { continue }
            let existing = ValueSlot(address: model.existing.address + info.offset, layout: layout)
            if let kind = rejection(of: existing) { return kind }
        }
        return nil
    }

    private mutating func fail(_ kind: JSONIssue.Kind, _ value: Int) throws(Replayer.Outcome) {
        try perform(driver.fail(kind), at: start(of: value))
    }

    // MARK: The changes

    /// Returns a value of the changes as JSON; nil if that fails.
    private mutating func changedJSON(_ value: Int) throws(Replayer.Outcome) -> JSONValue? {
        var at = value
        while driver.session.rejectsDuplicates, at < tape.next(value) {
            if tape[at].kind == .object, let key = repetitions(of: at).first?.repeated {
                let path = tape.path(of: TapeView.value(ofKey: key), in: value)
                let issue = JSONIssue(kind: .duplicateKey(text(key)), path: path)
                try perform(driver.fail(issue, at: RecordedPart(storage, start(of: key))), at: start(of: value))
                return nil
            }
            at += tape[at].kind.length
        }
        let json = Recording(storage, at: value).value
        if json == nil { try perform(driver.failDeepValue(at: .value), at: start(of: value)) }
        return json
    }

    /// Returns the keys of an object that are followed by an equal key, each with the next one.
    private func repetitions(
        of object: Int, _ access: MemberAccess? = nil
    ) -> [(key: Int, repeated: Int)] {
        if access == nil, !tape[object].flags.contains(.mayRepeatKeys) { return [] }
        var last: [AnyHashable: Int] = [:]
        var found: [(Int, Int)] = []
        tape.forEachKey(of: object) { key in
            let name = text(key)
            if let before = last.updateValue(key, forKey: access?.identity(name) ?? AnyHashable(MemberName(name))) {
                found.append((before, key))
            }
        }
        return found
    }

    private func token(ofKey index: Int) -> Key {
        Key(tape.text(tape[index]), Int(tape[index].count), head: tape.words(ofKey: index).head)
    }

    private func text(_ key: Int) -> String { tape.string(tape[key]) }

    /// Returns the last value at a step of a path in a value.
    private func part(of value: Int, at step: JSONPath.Component) -> Int? {
        var found: Int?
        switch (step, tape[value].kind) {
        case (.key(let name), .object):
            tape.forEachKey(of: value) {
                if tape.bytes(tape[$0]).elementsEqual(name.utf8) { found = TapeView.value(ofKey: $0) }
            }
        case (.index(let index), .array):
            var (element, position) = (value + 1, 0)
            while element < tape[value].value, position < index {
                (element, position) = (tape.next(element), position + 1)
            }
            if element < tape[value].value { found = element }
        default: break
        }
        return found
    }

    // MARK: The driver

    /// Sends a value to the driver, which has the slot of the value.
    private mutating func send(_ value: Int) throws(Replayer.Outcome) {
        let outcome = replayer.run(.recording(Recording(storage, at: value)), &driver, origin: .none)
        guard case .proceed = outcome else { throw outcome }
    }

    /// Performs an action of the driver.
    private mutating func perform(_ action: TokenAction, at token: RecordedToken) throws(Replayer.Outcome) {
        if action == .proceed { return }
        let outcome = replayer.perform(action, at: token, of: storage, &driver)
        guard case .proceed = outcome else { throw outcome }
    }

    private func start(of entry: Int) -> RecordedToken { RecordedToken(entry: entry) }

    private func end(of value: Int) -> RecordedToken {
        RecordedToken(entry: value, isEnd: tape[value].kind.isContainer)
    }
}

extension ModelEditor {
    /// An object or array of the changes whose members or elements are applied.
    final class Level {
        enum Form {
            /// A model, or an object on a path of the model.
            case fields
            /// The members of a dictionary, or the elements of an array.
            case members, elements
        }

        let form: Form
        /// The entry of the object or array, and of the next key or element.
        let container: Int
        var next: Int
        /// The position of the frame on the driver's stack.
        let frame: Int
        /// The existing array; a copy of the existing dictionary, which is changed; or the fields of the existing model.
        let existing: ValueSlot
        let memory: ValueMemory?
        /// The level of the model for an object on its path.
        let model: Level?
        /// The fields that do not keep the values of the existing model.
        var cleared: Set<Int> = []
        /// The keys that an equal key follows. The last of equal keys is applied.
        var repeated: Set<Int> = []
        /// The memory of the last element, which the next one has, too, if the last was dropped.
        var element: UnsafeMutableRawPointer?

        init(
            _ form: Form, of container: Int, frame: Int, _ existing: ValueSlot, _ memory: ValueMemory?,
            model: Level?
        ) {
            (self.form, self.container, self.frame) = (form, container, frame)
            (self.existing, self.memory, self.model) = (existing, memory, model)
            next = container + 1
        }

        /// Returns the next key, and advances to the key after it.
        func takeKey(_ tape: TapeView) -> Int {
            defer { next = tape.nextKey(next) }
            return next
        }

        /// Whether the existing model has a field: one that no flattened model has, or a flattened model that is not nil.
        func hasField(_ info: FieldInfo) -> Bool {
            guard let group = info.group, let plan = existing.layout.table?.plan else { return true }
            return !plan.groups[group].isNil(in: existing.address)
        }
    }
}

/// Memory for one value.
final class ValueMemory {
    let address: UnsafeMutableRawPointer
    /// Destroys the value; nil if the memory holds none.
    var destroy: ((UnsafeMutableRawPointer) -> Void)?

    /// - Parameter load: Initializes the memory. Returns false if no value exists.
    init(_ layout: LayoutReference, _ load: (UnsafeMutableRawPointer) -> Bool) {
        address = .allocate(byteCount: max(layout.size, 1), alignment: max(layout.alignmentMask + 1, 16))
        if load(address) { destroy = { layout.destroy($0) } }
    }

    /// Reads the storage of a model.
    init(ofStorage plan: _AnyModelPlan, at model: UnsafeRawPointer) {
        address = .allocate(byteCount: max(plan.size, 1), alignment: max(plan.alignment, 16))
        plan.storage?.read?(model, address)
        destroy = plan.storage?.destroy
    }

    deinit {
        destroy?(address)
        address.deallocate()
    }
}

/// The objects that a merge changed in place, with their previous properties, so that a failure can undo the changes.
final class ObjectChanges {
    /// Each object with its storage before the change.
    private var changes: [(object: AnyObject, before: ValueMemory, functions: StorageFunctions)] = []

    var count: Int { changes.count }

    /// Assigns the contents of a storage to an object. The contents are moved out of the storage.
    func assign(_ storage: UnsafeMutableRawPointer, to object: AnyObject, by plan: _AnyModelPlan) {
        guard let functions = plan.storage else { return }
        var object = object
        withUnsafeMutablePointer(to: &object) {
            changes.append(($0.pointee, ValueMemory(ofStorage: plan, at: $0), functions))
            functions.assign?(storage, $0)
        }
    }

    /// Undoes the last changes, so that the first `count` remain.
    func undo(downTo count: Int) {
        while changes.count > count {
            var change = changes.removeLast()
            let (before, functions) = (change.before, change.functions)
            withUnsafeMutablePointer(to: &change.object) { functions.assign?(before.address, $0) }
            before.destroy = nil
        }
    }
}

// MARK: - Frames of existing values

extension Driver {
    /// Opens the objects and arrays on a path, and targets the value at its end.
    fileprivate mutating func open(_ path: JSONPath) {
        for step in path.components {
            let table = nodeTable
            if case .index(let index) = step {
                pushNode(.indexes, table)
                move(toIndex: index)
            } else {
                pushObjectNode(table)
                target(table.entries)
            }
        }
    }

    /// Returns the layout by which an object is changed: that of its class.
    fileprivate func layout(of existing: ValueSlot) throws(JSONModelError) -> LayoutReference {
        guard let own = try session.planCache.layout(ofObjectAt: existing.address, declaredAs: existing.layout)
        else {
            return existing.layout
        }
        if own.isMergeable { return own }
        throw JSONModelError(
            own.kind == .model
                ? .invalidPlan(LayoutReference.unreadable) : SubclassSearch.rejection(ofChanging: own.typeName))
    }

    /// Copies fields of an existing model to the model on top, where they have no value.
    fileprivate mutating func copyFields(
        from model: UnsafeMutableRawPointer, where isCopied: (Int, FieldInfo) -> Bool
    ) {
        guard let plan = top.ownerPlan else { return }
        for (field, info) in plan.fields.enumerated() where !isFilled(field: field) && isCopied(field, info) {
            if let group = info.group, plan.groups[group].isNil(in: model) { continue }
            ValueCopy.copy(info.declared.type, from: model + info.offset, to: top.base + info.offset)
            setField(field)
        }
    }

    /// Sets the collected members in the existing dictionary, which becomes the value of the frame on top.
    fileprivate mutating func endMembers(of level: ModelEditor.Level) -> TokenAction {
        let (layout, container) = (top.layout, level.existing.address)
        let access = layout.shape.members!
        for chunk in chunks(of: top) {
            for index in 0..<chunk.count {
                let pair = chunk.start.unsafelyUnwrapped + index * layout.elementStride
                layout.withDictionary {
                    access.store(container, $0.keys.text(pair), pair + layout.valueOffset)
                    $0.keys.destroy(pair)
                }
            }
        }
        ValueCopy.move(layout.shape.type, from: container, to: top.destination.address)
        level.memory?.destroy = nil
        top.freeUncommonState()
        return pop()
    }

    /// Removes the values of the optional flattened models of the model on top of which the JSON would have no member: they become nil.
    ///
    /// - Parameter keepsIgnored: Whether a field that is not decoded counts as a member.
    fileprivate func removeMemberless(keepsIgnored: Bool) {
        guard top.owner == top, let plan = top.ownerPlan else { return }
        for group in plan.groups
        where !group.fields.contains(where: { isMember($0, plan.fields[$0], keepsIgnored: keepsIgnored) }) {
            for field in group.fields where isFilled(field: field) {
                plan.fields[field].destroy(top.base + plan.fields[field].offset)
                clearField(field)
            }
        }
    }

    /// Whether a field of an optional flattened model has a member in the JSON of the model on top.
    private func isMember(_ field: Int, _ info: FieldInfo, keepsIgnored: Bool) -> Bool {
        guard isFilled(field: field) else { return false }
        guard info.declared.isDecoded, let layout = info.layout else { return keepsIgnored }
        let address = top.base + info.offset
        if info.isExtra, let shape = info.shape {
            return shape.container?.isEmpty(address, as: shape.type) == false
        }
        let presence = layout.presence(address)
        return presence == .value || presence == .null
    }
}

// MARK: - JSON

/// The error of a value with more levels than the thread's stack can hold.
private struct StackUsedUp: Error {}

extension JSONValue {
    /// Applies the members of an object, or the elements of an array.
    fileprivate mutating func apply(_ change: JSONValue, _ options: JSONMergeOptions) throws(StackUsedUp) {
        if ThreadStack.isUsedUp { throw StackUsedUp() }
        switch change {
        case .object(let changes):
            var members = object ?? [:]
            // `members` is the only reference to the members, so that the changes do not copy them.
            self = .null
            for (key, change) in changes {
                if change != .null {
                    members[key] = try Self.changed(members[key], by: change, options, options.nested == .merge)
                } else if options.nulls == .clear {
                    members.removeValue(forKey: key)
                }
            }
            self = .object(members)
        case .array(let changes):
            let known = array ?? []
            var elements: [JSONValue] = []
            elements.reserveCapacity(changes.count)
            for (index, change) in changes.enumerated() {
                let old = index < known.count ? known[index] : nil
                // Elements are merged, whichever option applies to values nested in models.
                elements.append(try Self.changed(old, by: change, options, true))
            }
            self = .array(elements)
        default: self = change
        }
    }

    /// Returns a member or element with a change applied.
    private static func changed(
        _ old: JSONValue?, by change: JSONValue, _ options: JSONMergeOptions, _ mergesObjects: Bool
    ) throws(StackUsedUp) -> JSONValue {
        let isPresent = old != nil && old != .null
        let isChanged =
            switch change {
            case .object: mergesObjects && (isPresent || options.nulls == .clear)
            case .array: options.arrays == .byIndex && old?.array != nil
            default: false
            }
        guard isChanged else { return change }
        var value = old ?? .null
        try value.apply(change, options)
        return value
    }
}

// MARK: - Types

extension LayoutReference {
    /// The defect of a plan whose models cannot be merged into.
    static var unreadable: String {
        "its plan makes models from a storage, and no storage from a model: give the plan 'read:'"
    }

    /// Whether the value is or may be an array with elements that can be merged into.
    var hasMergeableElements: Bool {
        if self.kind == .value { return true }
        guard self.kind == .array, self.shape.elements != nil, let element = self.element else { return false }
        return element.isMergeable || element.isPatchable || element.hasMergeableElements
    }

    /// Whether an object changes the value through its JSON, because the value stores an object's members in another form.
    var isPatchable: Bool {
        switch self.kind {
        case .union, .converted, .raw, .composite: true
        // A dictionary of another type makes its members only as a whole.
        case .dictionary: self.shape.members == nil
        default: false
        }
    }

    /// Whether an object can change the value in memory.
    var isMergeable: Bool {
        switch self.kind {
        case .model:
            let plan = self.table?.plan
            return plan?.erasedPlan.storage.map { $0.read != nil } ?? true
        case .value: return true
        case .dictionary: return self.shape.members != nil
        default: return false
        }
    }
}
