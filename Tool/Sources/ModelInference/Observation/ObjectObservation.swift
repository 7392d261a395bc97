/// The observed objects at one position of a document.
final class ObjectObservation {
    /// A key of the objects, with its values.
    final class Field {
        let key: String
        let hash: UInt64
        private let bytes: UnsafeMutableBufferPointer<UInt8>
        /// The number of objects with the key.
        @exclusivity(unchecked) var count = 0
        /// The serial number of the last object with the key. A duplicate key is counted once.
        @exclusivity(unchecked) var lastObject = 0
        /// The index of the field that followed last.
        @exclusivity(unchecked) var successor = 0
        let value: ValueObservation
        /// The value, for access without counting references.
        let valueReference: Unmanaged<ValueObservation>

        init(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64, value: ValueObservation = ValueObservation()) {
            key = String(decoding: text, as: UTF8.self)
            self.hash = hash
            self.value = value
            valueReference = .passUnretained(value)
            bytes = .allocate(capacity: text.count)
            _ = bytes.initialize(fromContentsOf: text)
        }

        deinit { bytes.deallocate() }

        func isNamed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
            text.count == bytes.count && TextHash.isEqual(text, UnsafeBufferPointer(bytes))
        }
    }

    /// The key of a tag.
    final class Tag {
        let key: String
        private let bytes: UnsafeMutableBufferPointer<UInt8>

        init(_ key: String) {
            self.key = key
            bytes = .allocate(capacity: key.utf8.count)
            _ = bytes.initialize(fromContentsOf: key.utf8)
        }

        deinit { bytes.deallocate() }

        func isNamed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
            text.count == bytes.count && TextHash.isEqual(text, UnsafeBufferPointer(bytes))
        }
    }

    /// How the objects are divided by a tag.
    enum Tagging {
        /// No object is complete, so the tag is unknown.
        case undecided
        /// The objects have no tag.
        case none
        /// Each object has a string under a key.
        case tagged(by: Tag)
    }

    /// The number of objects.
    @exclusivity(unchecked) var count = 0
    private(set) var fields: [Field] = [] { didSet { updateReferences() } }
    /// The fields, for access without counting references.
    @exclusivity(unchecked) private(set) var references = UnsafeMutableBufferPointer<Unmanaged<Field>>(
        start: nil, count: 0)
    /// The indices of the fields by hash, plus one; a power of two of slots.
    @exclusivity(unchecked) private var slots: [Int32] = []
    @exclusivity(unchecked) private(set) var tagging = Tagging.undecided
    /// The position of the tag among the keys of the first object.
    private var tagPosition = 0
    /// The objects with each value of the tag, in the order of first occurrences.
    private(set) var variants: [(tag: String, objects: ObjectObservation)] = []
    private var lastVariant = 0
    /// The members of the current object before its tag.
    var membersBeforeTag: ObjectObservation {
        if let early { return early }
        let members = ObjectObservation(tagging: .none)
        early = members
        return members
    }
    private var early: ObjectObservation?
    var hasMembersBeforeTag = false
    /// The values of all keys, if the keys are data.
    private(set) var dictionaryValue: ValueObservation? {
        didSet { dictionaryReference = dictionaryValue.map { .passUnretained($0) } }
    }
    @exclusivity(unchecked) private(set) var dictionaryReference: Unmanaged<ValueObservation>?
    /// The objects that these were united with, which replace these.
    var mergedInto: ObjectObservation?

    init(tagging: Tagging) { self.tagging = tagging }

    deinit { references.deallocate() }

    private func updateReferences() {
        references.deallocate()
        references = .allocate(capacity: fields.count)
        _ = references.initialize(from: fields.lazy.map { Unmanaged.passUnretained($0) })
    }

    /// The objects that replace these, or these.
    var resolved: ObjectObservation {
        guard var last = mergedInto else { return self }
        while let next = last.mergedInto { last = next }
        // Later searches are short.
        var object = self
        while let next = object.mergedInto, next !== last {
            object.mergedInto = last
            object = next
        }
        return last
    }

    // MARK: Members

    /// Returns the index of the field of a key.
    ///
    /// - Parameter previous: The field of the key before, whose successor is tried first.
    func index(of text: UnsafeBufferPointer<UInt8>, after previous: Int) -> Int? {
        let expected = previous < 0 ? 0 : references[previous]._withUnsafeGuaranteedRef { $0.successor }
        if expected < references.count, references[expected]._withUnsafeGuaranteedRef({ $0.isNamed(text) }) {
            return expected
        }
        guard !slots.isEmpty else { return nil }
        let hash = TextHash.hash(text)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] > 0 {
            let index = Int(slots[slot]) - 1
            if references[index]._withUnsafeGuaranteedRef({ $0.hash == hash && $0.isNamed(text) }) {
                if previous >= 0 { fields[previous].successor = index }
                return index
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    func field(_ key: String) -> Field? {
        var key = key
        return key.withUTF8 { index(of: $0, after: -1) }.map { fields[$0] }
    }

    /// Adds a field for a key without one. Returns nil if the object has too many keys.
    func addField(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard fields.count < Bounds.keys, text.count <= Bounds.keyLength else { return nil }
        fields.append(Field(text, hash: TextHash.hash(text)))
        if fields.count * 2 > slots.count { indexFields() } else { insert(fields.count - 1) }
        return fields.count - 1
    }

    private func indexFields() {
        var count = 8
        while count < fields.count * 4 { count *= 2 }
        slots = Array(repeating: 0, count: count)
        for index in fields.indices { insert(index) }
    }

    private func insert(_ index: Int) {
        var slot = Int(truncatingIfNeeded: fields[index].hash) & (slots.count - 1)
        while slots[slot] > 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index + 1)
    }

    /// Makes the objects a dictionary, whose values are those of all keys.
    @discardableResult
    func makeDictionary(_ merging: inout Merging) -> ValueObservation {
        if let dictionaryValue { return dictionaryValue }
        removeTags(&merging)
        // The members of a tag can be a dictionary.
        if let dictionaryValue { return dictionaryValue }
        let value = ValueObservation()
        for field in fields { value.merge(field.value, &merging) }
        (fields, slots) = ([], [])
        dictionaryValue = value
        return value
    }

    // MARK: Tags

    /// Returns the objects with a tag; nil if there are too many tags.
    func variant(_ text: UnsafeBufferPointer<UInt8>) -> ObjectObservation? {
        func isAt(_ index: Int) -> Bool { variants[index].tag.utf8.elementsEqual(text) }
        if lastVariant < variants.count, isAt(lastVariant) { return variants[lastVariant].objects }
        if let index = variants.indices.first(where: isAt) {
            lastVariant = index
            return variants[index].objects
        }
        guard variants.count < Bounds.unionCases else { return nil }
        lastVariant = variants.count
        let objects = ObjectObservation(tagging: .none)
        variants.append((String(decoding: text, as: UTF8.self), objects))
        return objects
    }

    /// Divides the objects by a tag, after the first object.
    ///
    /// - Parameters:
    ///   - keys: The keys that may be the tag, in order of precedence.
    func decideTag(_ keys: [String]) {
        tagging = .none
        guard dictionaryValue == nil else { return }
        for key in keys {
            guard let index = fields.firstIndex(where: { $0.key == key }), case let tag = fields[index],
                tag.value.count == 1, tag.value.strings.count == 1,
                var text = tag.value.strings.distinct?.strings.first
            else { continue }
            tagging = .tagged(by: Tag(key))
            tagPosition = index
            guard let first = text.withUTF8({ variant($0) }) else { return }
            swap(&fields, &first.fields)
            first.fields.remove(at: index)
            for field in first.fields { field.successor = 0 }
            first.indexFields()
            slots = []
            first.count = count
            return
        }
    }

    /// Merges the objects of all tags. The tag becomes a member.
    func removeTags(_ merging: inout Merging) {
        guard case .tagged(let divisor) = tagging else {
            tagging = .none
            return
        }
        tagging = .none
        let divided = variants
        variants = []
        for variant in divided where variant.objects.count > 0 { mergeMembers(variant.objects, &merging) }
        let tag = field(of: divisor.key, &merging)
        for var variant in divided where variant.objects.count > 0 {
            let strings = ValueObservation()
            strings.count = variant.objects.count
            variant.tag.withUTF8 { strings.strings.add($0, times: variant.objects.count) }
            tag?.count += variant.objects.count
            (tag?.value ?? makeDictionary(&merging)).merge(strings, &merging)
        }
        if let tag, let index = fields.firstIndex(where: { $0 === tag }) {
            fields.remove(at: index)
            fields.insert(tag, at: min(tagPosition, fields.count))
            indexFields()
        }
    }

    /// Returns the field of a key, which is added if necessary; nil if the objects are a dictionary.
    func field(of key: String, _ merging: inout Merging) -> Field? {
        if dictionaryValue != nil { return nil }
        var key = key
        let index = key.withUTF8 { text in self.index(of: text, after: -1) ?? addField(text) }
        guard let index else {
            makeDictionary(&merging)
            return nil
        }
        return fields[index]
    }

    /// Moves the members before the tag to a variant.
    func moveMembersBeforeTag(to objects: ObjectObservation) {
        guard hasMembersBeforeTag else { return }
        var merging = Merging.copying
        objects.mergeMembers(membersBeforeTag, &merging)
        membersBeforeTag.reset()
        hasMembersBeforeTag = false
    }

    // MARK: Merging

    /// Adds other objects.
    func merge(_ other: ObjectObservation, _ merging: inout Merging) {
        count += other.count
        if case .tagged(let tag) = other.tagging {
            if case .tagged(let own) = tagging, own.key == tag.key, mergeVariants(other, &merging) { return }
            // A copy of an object with tags has the tags, too.
            if fields.isEmpty, variants.isEmpty, dictionaryValue == nil, count == other.count {
                tagging = .tagged(by: tag)
                tagPosition = other.tagPosition
                if mergeVariants(other, &merging) { return }
            }
        }
        removeTags(&merging)
        if case .tagged = other.tagging {
            mergeMembers(merging.withoutTags(other), &merging)
        } else {
            mergeMembers(other, &merging)
        }
    }

    private func mergeVariants(_ other: ObjectObservation, _ merging: inout Merging) -> Bool {
        let added = other.variants.filter { $0.objects.count > 0 }
        let tags = Set(variants.map(\.tag)).union(added.map(\.tag))
        guard tags.count <= Bounds.unionCases else { return false }
        for added in added {
            var tag = added.tag
            guard let objects = tag.withUTF8({ variant($0) }) else { continue }
            // Objects that were united with a variant are among its members.
            merging.merge(added.objects.resolved, into: objects.resolved)
        }
        return true
    }

    /// Adds the members of other objects, and not their number.
    ///
    /// - Parameter key: The key of a member that is not added.
    func mergeMembers(_ other: ObjectObservation, except key: String? = nil, _ merging: inout Merging) {
        if let value = other.dictionaryValue {
            makeDictionary(&merging).merge(value, &merging)
            return
        }
        var previous = -1
        for field in other.fields where field.count > 0 && field.key != key {
            if let dictionaryValue {
                dictionaryValue.merge(field.value, &merging)
                continue
            }
            var key = field.key
            let index = key.withUTF8 { text in self.index(of: text, after: previous) ?? addField(text) }
            guard let index else {
                makeDictionary(&merging).merge(field.value, &merging)
                continue
            }
            previous = index
            fields[index].count += field.count
            fields[index].value.merge(field.value, &merging)
        }
    }

    /// The objects in the members of these, and in those of variants.
    var parts: [ObjectObservation] {
        var parts = variants.map(\.objects)
        if let early { parts.append(early) }
        if let mergedInto { parts.append(mergedInto) }
        for field in fields { parts += field.value.parts }
        return parts + (dictionaryValue?.parts ?? [])
    }

    /// Releases all parts.
    func dismantle() {
        (fields, slots, variants) = ([], [], [])
        (early, mergedInto, dictionaryValue) = (nil, nil, nil)
    }

    /// Forgets all objects, and keeps the keys.
    func reset() {
        count = 0
        for field in fields {
            (field.count, field.lastObject) = (0, 0)
            field.value.reset()
        }
        dictionaryValue?.reset()
        for variant in variants { variant.objects.reset() }
    }
}
