import SluiceCore

/// Observes the values of documents, from which their models are inferred.
///
/// The memory of the observations is bounded, whatever the number and the size of the documents. See `Bounds`.
package final class ModelObserver {
    let options: InferenceOptions
    let root = ValueObservation()
    @exclusivity(unchecked) private var selection: PathSelection

    /// An open container. The observations at the root keep those of the frame.
    private struct Frame {
        /// The objects; nil in an array.
        let object: Unmanaged<ObjectObservation>?
        /// The objects that receive the next member: those of a variant, or those without a tag so far.
        var members: Unmanaged<ObjectObservation>?
        /// The destination of the next value.
        var next: Unmanaged<ValueObservation>
        /// The field of the last key, or −1.
        var previous = -1
        /// The serial number of the object.
        var serial = 0
        /// The tag that divides the objects; nil without one.
        var tag: Unmanaged<ObjectObservation.Tag>?
        /// Whether the tag of the object has not arrived.
        var awaitsTag = false
        /// Whether the next value is the tag of the object.
        var isTag = false
    }

    private let frames = UnsafeMutablePointer<Frame>.allocate(capacity: Bounds.depth)
    @exclusivity(unchecked) private var depth = 0
    /// The number of open containers whose contents are ignored.
    @exclusivity(unchecked) private var ignoredDepth = 0
    @exclusivity(unchecked) private var serial = 0
    /// The number of fields, or a greater number if merges have removed some.
    private var fieldCount = 0
    /// Whether the observations have as many fields as they may have.
    private var isFull = false
    private var hasDeepValues = false
    private let tagKeys: [String]

    package init(_ options: InferenceOptions = InferenceOptions()) {
        self.options = options
        tagKeys = options.infersUnions ? options.tags : []
        selection = PathSelection(options.path)
    }

    deinit {
        frames.deallocate()
        // The models of recursive data contain themselves.
        let objects = allObjects()
        for object in objects { object.dismantle() }
    }

    /// The reasons for which parts of the values have the type `JSONValue`, apart from their contents.
    package var notes: [String] {
        var notes: [String] = []
        if isFull {
            notes.append(
                "The values have more than \(Bounds.fields) different keys. Objects with further keys are [String: JSONValue]."
            )
        }
        if hasDeepValues { notes.append("Values inside of \(Bounds.depth) containers are JSONValue.") }
        return notes
    }

    /// Whether a value was at the path.
    package var hasValues: Bool { root.count > 0 }

    /// Whether all values are arrays.
    package var hasOnlyArrays: Bool { root.kinds == .array }

    /// Returns to the start of a document, also after a document with an error.
    private func beginDocument() {
        (depth, ignoredDepth) = (0, 0)
        selection = PathSelection(options.path)
    }

    // MARK: Scalars

    /// The observation of the next value, which is a scalar; nil if the value is ignored.
    @inline(__always)
    private func scalar() -> Unmanaged<ValueObservation>? {
        if ignoredDepth > 0 { return nil }
        if depth == 0 { return selection.scalar() == .selected ? .passUnretained(root) : nil }
        let frame = frames + (depth - 1)
        if frame.pointee.isTag { failTag(frame) }
        return frame.pointee.next
    }

    func string(_ text: UnsafeBufferPointer<UInt8>) {
        if ignoredDepth == 0, depth > 0, frames[depth - 1].isTag { return take(tag: text, frames + (depth - 1)) }
        scalar()?._withUnsafeGuaranteedRef { value in
            value.count += 1
            value.strings.add(text)
        }
    }

    func number(_ number: borrowing JSONReceivedNumber) {
        guard let value = scalar() else { return }
        value._withUnsafeGuaranteedRef { value in value.count += 1 }
        let features = NumberObservation.features(of: number)
        value._withUnsafeGuaranteedRef { value in value.numbers.add(features) }
    }

    func bool() {
        scalar()?._withUnsafeGuaranteedRef { value in
            value.count += 1
            value.bools += 1
        }
    }

    func null() {
        scalar()?._withUnsafeGuaranteedRef { value in
            value.count += 1
            value.nulls += 1
        }
    }

    // MARK: Containers

    /// The observation of the container that begins; nil if its contents are ignored, or if the container is around the values.
    private func container(isObject: Bool) -> ValueObservation? {
        if ignoredDepth > 0 {
            ignoredDepth += 1
            return nil
        }
        let value: ValueObservation
        if depth == 0 {
            switch selection.start(isObject: isObject) {
            case .outer: return nil
            case .other:
                ignoredDepth = 1
                return nil
            case .selected: value = root
            }
        } else {
            let frame = frames + (depth - 1)
            if frame.pointee.isTag { failTag(frame) }
            value = frame.pointee.next.takeUnretainedValue()
        }
        value.count += 1
        if depth == Bounds.depth {
            value.isOpaque = true
            hasDeepValues = true
        }
        if value.isOpaque {
            ignoredDepth = 1
            return nil
        }
        return value
    }

    func startObject() {
        guard let value = container(isObject: true) else { return }
        let object: ObjectObservation
        if let objects = value.objects {
            object = objects
        } else {
            object = ObjectObservation(tagging: .undecided)
            value.objects = object
        }
        object.count += 1
        serial += 1
        var frame = Frame(
            object: .passUnretained(object), members: .passUnretained(object), next: .passUnretained(root),
            serial: serial)
        if case .tagged(let tag) = object.tagging {
            frame.members = .passUnretained(object.membersBeforeTag)
            frame.tag = .passUnretained(tag)
            frame.awaitsTag = true
        }
        (frames + depth).initialize(to: frame)
        depth += 1
    }

    func startArray() {
        guard let value = container(isObject: false) else { return }
        value.arrays += 1
        let elements: ValueObservation
        if let known = value.elements {
            elements = known
        } else {
            elements = ValueObservation()
            value.elements = elements
        }
        (frames + depth).initialize(to: Frame(object: nil, members: nil, next: .passUnretained(elements)))
        depth += 1
    }

    func endObject() {
        if endsOuter() { return }
        let frame = frames + (depth - 1)
        if frame.pointee.awaitsTag {
            removeTags(frame)
        } else {
            frame.pointee.object?._withUnsafeGuaranteedRef { object in
                if case .undecided = object.tagging { object.decideTag(tagKeys) }
            }
        }
        endFrame()
    }

    func endArray() {
        if endsOuter() { return }
        endFrame()
    }

    private func endFrame() {
        depth -= 1
        if depth == 0 { selection.complete() }
    }

    /// Ends an ignored container, or one around the values. Returns false if the container has a frame.
    private func endsOuter() -> Bool {
        if ignoredDepth > 0 {
            ignoredDepth -= 1
            if ignoredDepth == 0, depth == 0 { selection.complete() }
            return true
        }
        if depth > 0 { return false }
        selection.end()
        return true
    }

    // MARK: Keys

    func key(_ text: UnsafeBufferPointer<UInt8>) {
        if ignoredDepth > 0 { return }
        guard depth > 0 else { return selection.key(text) }
        let frame = frames + (depth - 1)
        if let tag = frame.pointee.tag, tag._withUnsafeGuaranteedRef({ $0.isNamed(text) }) {
            // A repeated tag is ignored.
            frame.pointee.isTag = frame.pointee.awaitsTag
            frame.pointee.next = .passUnretained(repeatedTag)
            return
        }
        frame.pointee.members?._withUnsafeGuaranteedRef { members in
            if let value = members.dictionaryReference {
                frame.pointee.next = value
                return
            }
            guard let index = members.index(of: text, after: frame.pointee.previous) ?? addField(text, members)
            else {
                return addDictionaryKey(frame)
            }
            frame.pointee.previous = index
            frame.pointee.next = members.references[index]._withUnsafeGuaranteedRef { field in
                if field.lastObject != frame.pointee.serial {
                    field.lastObject = frame.pointee.serial
                    field.count += 1
                }
                return field.valueReference
            }
            if frame.pointee.awaitsTag {
                frame.pointee.object?._withUnsafeGuaranteedRef { $0.hasMembersBeforeTag = true }
            }
        }
    }

    /// The destination of repeated tags.
    private let repeatedTag = ValueObservation()

    private func addField(_ text: UnsafeBufferPointer<UInt8>, _ members: ObjectObservation) -> Int? {
        guard fieldCount < Bounds.fields || makesRoom() else { return nil }
        if fieldCount >= Bounds.manyFields, becomesDictionary(members) { return nil }
        fieldCount += 1
        return members.addField(text)
    }

    /// Whether the members of the current object become those of a dictionary to save fields. An object is examined a few times.
    private func becomesDictionary(_ members: ObjectObservation) -> Bool {
        let count = members.fields.count
        return options.infersDictionaries && count > 0 && count % Bounds.dictionaryKeys == 0
            && frames[depth - 1].tag == nil && members.isDictionary
    }

    /// Makes the objects a dictionary, because of the key that has arrived.
    private func addDictionaryKey(_ frame: UnsafeMutablePointer<Frame>) {
        guard let object = frame.pointee.object?.takeUnretainedValue() else { return }
        removeTags(frame)
        var merging = Merging.copying
        let value = object.makeDictionary(&merging)
        if isFull { value.isOpaque = true }
        frame.pointee.next = .passUnretained(value)
    }

    // MARK: Room

    /// Merges the members of dictionaries that are complete, and counts the fields again. Returns whether fields can be added.
    ///
    /// After that, a quarter of the greatest number can be added. The cost per field is therefore constant.
    private func makesRoom() -> Bool {
        guard !isFull else { return false }
        let open = Set(
            (0..<depth).flatMap { [frames[$0].object, frames[$0].members] }
                .compactMap { $0.map { ObjectIdentifier($0.takeUnretainedValue()) } })
        // Those within others are the first.
        for object in allObjects().reversed() where !open.contains(ObjectIdentifier(object)) {
            if case .tagged = object.tagging { continue }
            var merging = Merging.copying
            // Objects that were merged before have no fields.
            if object.dictionaryValue == nil, options.infersDictionaries, object.isDictionary {
                object.makeDictionary(&merging)
            }
        }
        fieldCount = allObjects().reduce(0) { $0 + $1.fields.count }
        isFull = fieldCount > Bounds.manyFields
        return !isFull
    }

    /// Returns all objects, each before those in its members.
    private func allObjects() -> [ObjectObservation] {
        var visited: Set<ObjectIdentifier> = []
        var objects: [ObjectObservation] = []
        var open = root.parts
        while let object = open.popLast() {
            guard visited.insert(ObjectIdentifier(object)).inserted else { continue }
            objects.append(object)
            open += object.parts
        }
        return objects
    }

    // MARK: Tags

    /// Receives the tag of the current object.
    private func take(tag: UnsafeBufferPointer<UInt8>, _ frame: UnsafeMutablePointer<Frame>) {
        guard let object = frame.pointee.object?.takeUnretainedValue() else { return }
        guard !tag.isEmpty, tag.count <= Bounds.tagLength, let variant = object.variant(tag) else {
            failTag(frame)
            let value = frame.pointee.next.takeUnretainedValue()
            value.count += 1
            value.strings.add(tag)
            return
        }
        object.moveMembersBeforeTag(to: variant)
        variant.count += 1
        (frame.pointee.isTag, frame.pointee.awaitsTag) = (false, false)
        frame.pointee.previous = -1
        frame.pointee.members = .passUnretained(variant)
        if variant.dictionaryValue != nil { removeTags(frame) }
    }

    /// Removes the tags of the objects, because the tag of the current object is not a string, or because there are too many tags.
    private func failTag(_ frame: UnsafeMutablePointer<Frame>) {
        guard let object = frame.pointee.object?.takeUnretainedValue(), case .tagged(let tag) = object.tagging
        else {
            return
        }
        removeTags(frame)
        var merging = Merging.copying
        guard let field = object.field(of: tag.key, &merging) else {
            frame.pointee.next = .passUnretained(object.makeDictionary(&merging))
            return
        }
        field.count += 1
        field.lastObject = frame.pointee.serial
        frame.pointee.next = .passUnretained(field.value)
    }

    /// Merges the objects of all tags, including the members of the current object.
    private func removeTags(_ frame: UnsafeMutablePointer<Frame>) {
        guard let object = frame.pointee.object?.takeUnretainedValue() else { return }
        (frame.pointee.isTag, frame.pointee.awaitsTag) = (false, false)
        frame.pointee.tag = nil
        guard case .tagged = object.tagging else { return }
        var merging = Merging.copying
        object.removeTags(&merging)
        object.moveMembersBeforeTag(to: object)
        for field in object.fields { field.lastObject = 0 }
        frame.pointee.members = .passUnretained(object)
        frame.pointee.previous = -1
    }
}

// MARK: Tokens

extension ModelObserver {
    /// Observes one document.
    ///
    /// - Throws: ``JSONModelError``. The values before the error are observed.
    package func observe(
        _ input: borrowing some JSONInput & ~Copyable & ~Escapable, with decoder: JSONModelDecoder
    ) throws(JSONModelError) {
        beginDocument()
        let receiver = JSONTokenReceiver(
            self,
            startObject: { ModelObserver.call($0) { $0.startObject() } },
            endObject: { ModelObserver.call($0) { $0.endObject() } },
            startArray: { ModelObserver.call($0) { $0.startArray() } },
            endArray: { ModelObserver.call($0) { $0.endArray() } },
            key: { context, text, count in
                ModelObserver.call(context) { $0.key(UnsafeBufferPointer(start: text, count: count)) }
            },
            string: { context, text, count in
                ModelObserver.call(context) { $0.string(UnsafeBufferPointer(start: text, count: count)) }
            },
            number: { context, number in
                ModelObserver.call(context) { $0.number(JSONReceivedNumber(number)) }
            },
            bool: { context, _ in ModelObserver.call(context) { $0.bool() } },
            null: { ModelObserver.call($0) { $0.null() } })
        try decoder.sendTokens(of: input, to: receiver)
    }

    @inline(__always)
    private static func call(_ context: UnsafeRawPointer, _ body: (ModelObserver) -> Void) {
        Unmanaged<ModelObserver>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }
}
