import SluiceCore

/// Observes the values of documents, from which their models are inferred.
///
/// The memory of the observations is bounded, whatever the number and the size of the documents. See `Bounds`.
package final class ModelObserver: JSONTokenReceiver {
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
        var previous: Int
        /// The serial number of the object.
        let serial: Int
        /// Whether the next value is the tag of the object.
        var isTag: Bool
    }

    private let frames = UnsafeMutablePointer<Frame>.allocate(capacity: Bounds.depth)
    @exclusivity(unchecked) private var depth = 0
    /// The number of open containers whose contents are ignored.
    @exclusivity(unchecked) private var ignoredDepth = 0
    @exclusivity(unchecked) private var serial = 0
    private var fieldCount = 0
    private let tagKeys: [String]

    package init(_ options: InferenceOptions = InferenceOptions()) {
        self.options = options
        tagKeys = options.infersUnions ? options.tags : []
        selection = PathSelection(options.path)
    }

    deinit { frames.deallocate() }

    /// Whether a value was at the path.
    package var hasValues: Bool { root.count > 0 }

    /// Whether all values are arrays.
    package var hasOnlyArrays: Bool { root.kinds == .array }

    /// Returns to the start of a document, also after a document with an error.
    package func beginDocument() {
        (depth, ignoredDepth) = (0, 0)
        selection = PathSelection(options.path)
    }

    // MARK: Scalars

    /// The observation of the next value, which is a scalar; nil if the value is ignored.
    @inline(__always)
    private func scalar() -> ValueObservation? {
        if ignoredDepth > 0 { return nil }
        if depth == 0 { return selection.scalar() == .selected ? root : nil }
        let frame = frames + (depth - 1)
        if frame.pointee.isTag { failTag(frame) }
        return frame.pointee.next.takeUnretainedValue()
    }

    package func string(_ text: UnsafeBufferPointer<UInt8>) {
        if ignoredDepth == 0, depth > 0, frames[depth - 1].isTag { return take(tag: text, frames + (depth - 1)) }
        guard let value = scalar() else { return }
        value.count += 1
        value.strings.add(text)
    }

    package func number(_ number: borrowing JSONReceivedNumber) {
        guard let value = scalar() else { return }
        value.count += 1
        value.numbers.add(number)
    }

    package func bool(_ bool: Bool) {
        guard let value = scalar() else { return }
        value.count += 1
        value.bools += 1
    }

    package func null() {
        guard let value = scalar() else { return }
        value.count += 1
        value.nulls += 1
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
        if depth == Bounds.depth { value.isOpaque = true }
        if value.isOpaque {
            ignoredDepth = 1
            return nil
        }
        return value
    }

    package func startObject() {
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
        let members = if case .tagged = object.tagging { object.membersBeforeTag } else { object }
        (frames + depth).initialize(
            to: Frame(
                object: .passUnretained(object), members: .passUnretained(members),
                next: .passUnretained(root), previous: -1, serial: serial, isTag: false))
        depth += 1
    }

    package func startArray() {
        guard let value = container(isObject: false) else { return }
        value.arrays += 1
        let elements: ValueObservation
        if let known = value.elements {
            elements = known
        } else {
            elements = ValueObservation()
            value.elements = elements
        }
        (frames + depth).initialize(
            to: Frame(
                object: nil, members: nil, next: .passUnretained(elements), previous: -1, serial: 0, isTag: false))
        depth += 1
    }

    package func endObject() {
        if endsOuter() { return }
        let frame = frames[depth - 1]
        if let object = frame.object?.takeUnretainedValue() {
            switch object.tagging {
            case .undecided: object.decideTag(tagKeys)
            case .tagged where frame.members?.toOpaque() == Unmanaged.passUnretained(object.membersBeforeTag).toOpaque():
                removeTags(frames + (depth - 1))
            case .tagged, .none: break
            }
        }
        endFrame()
    }

    package func endArray() {
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

    package func key(_ text: UnsafeBufferPointer<UInt8>) {
        if ignoredDepth > 0 { return }
        guard depth > 0 else { return selection.key(text) }
        let frame = frames + (depth - 1)
        guard let members = frame.pointee.members?.takeUnretainedValue(),
            let object = frame.pointee.object?.takeUnretainedValue()
        else { return }
        if case .tagged(let tag) = object.tagging, tag.isNamed(text) {
            // A repeated tag is ignored.
            frame.pointee.isTag = members === object.membersBeforeTag
            frame.pointee.next = .passUnretained(repeatedTag)
            return
        }
        if let value = members.dictionaryValue {
            frame.pointee.next = .passUnretained(value)
            return
        }
        guard let index = members.index(of: text, after: frame.pointee.previous) ?? addField(text, members) else {
            return addDictionaryKey(frame)
        }
        let field = members.fields[index]
        if field.lastObject != frame.pointee.serial {
            field.lastObject = frame.pointee.serial
            field.count += 1
        }
        frame.pointee.previous = index
        frame.pointee.next = .passUnretained(field.value)
        if members !== object, case .tagged = object.tagging, members === object.membersBeforeTag {
            object.hasMembersBeforeTag = true
        }
    }

    /// The destination of repeated tags.
    private let repeatedTag = ValueObservation()

    private func addField(_ text: UnsafeBufferPointer<UInt8>, _ members: ObjectObservation) -> Int? {
        guard fieldCount < Bounds.fields else { return nil }
        fieldCount += 1
        return members.addField(text)
    }

    /// Makes the objects a dictionary, because of the key that has arrived.
    private func addDictionaryKey(_ frame: UnsafeMutablePointer<Frame>) {
        guard let object = frame.pointee.object?.takeUnretainedValue() else { return }
        removeTags(frame)
        let value = object.makeDictionary()
        if fieldCount >= Bounds.fields { value.isOpaque = true }
        frame.pointee.next = .passUnretained(value)
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
        frame.pointee.isTag = false
        frame.pointee.previous = -1
        frame.pointee.members = .passUnretained(variant)
        if variant.dictionaryValue != nil { removeTags(frame) }
    }

    /// Removes the tags of the objects, because the tag of the current object is not a string, or because there are too many tags.
    private func failTag(_ frame: UnsafeMutablePointer<Frame>) {
        guard let object = frame.pointee.object?.takeUnretainedValue(), case .tagged(let tag) = object.tagging else {
            return
        }
        removeTags(frame)
        guard let field = object.field(of: tag.key) else {
            frame.pointee.next = .passUnretained(object.makeDictionary())
            return
        }
        field.count += 1
        field.lastObject = frame.pointee.serial
        frame.pointee.next = .passUnretained(field.value)
    }

    /// Merges the objects of all tags, including the members of the current object.
    private func removeTags(_ frame: UnsafeMutablePointer<Frame>) {
        guard let object = frame.pointee.object?.takeUnretainedValue() else { return }
        frame.pointee.isTag = false
        guard case .tagged = object.tagging else { return }
        object.removeTags()
        object.moveMembersBeforeTag(to: object)
        for field in object.fields { field.lastObject = 0 }
        frame.pointee.members = .passUnretained(object)
        frame.pointee.previous = -1
    }
}
