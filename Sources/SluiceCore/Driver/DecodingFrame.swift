/// An open object or array on the driver's stack, or a value from which another value is made. Plain data.
package struct DecodingFrame {
    enum Form: UInt8 {
        /// The root of the document, which holds one value.
        case root
        /// An object that fills fields: a model, or an object on a model's path.
        case object
        /// An array whose elements are collected in an element buffer.
        case array
        /// An object whose members are collected as pairs in an element buffer.
        case pairs
        /// An array on a path that selects elements by index, or every element.
        case indexes, anyIndex
        /// An object on a path that selects the value of every member.
        case anyKey
        /// A value of another type, from which the result is made.
        case converted
        /// The object of an enum with values, while the enum's own keys are read.
        case union
    }

    /// The state that is specific to one form.
    enum State {
        case none
        /// A model: the serial number that identifies its unknown keys.
        case model(serial: Int)
        /// A model whose members are read together with those of its flattened enum. If a value fails, the object is recorded from its offset.
        case joined(offset: Int, serial: Int)
        /// An array on a path: the current index. An object that selects every member: the number of members read before.
        case position(Int)
        /// An element buffer: the number of elements before the last chunk, including those that were dropped.
        case collected(before: Int)
        case union(UnionProgress)
        case converted(Conversion)
    }

    /// The progress of reading the object of an enum.
    enum UnionProgress {
        /// No tag or case key has been read.
        case awaitingTag
        /// The case is known.
        case known(Int, hasPayload: Bool)
        /// A key failed, and the issue was recorded.
        case failed
    }

    /// How the result is made from a converted value.
    enum Conversion {
        /// The shape's conversion.
        case conversion
        /// The payload of a case, which becomes the enum.
        case payload(of: Int)
        /// The same for a case of an untagged enum, which may fail. The container at the offset is recorded then.
        case attempt(offset: Int, of: Int)
        /// The value has been made, and its tokens are ignored.
        case made
        /// The value is read from the JSON in a string by the driver's own scanner.
        case text
        /// The same, and the value is complete. The text may have further bytes.
        case completeText
    }

    /// The facts about a frame that few frames have.
    struct Flags: OptionSet {
        let rawValue: UInt16

        /// For pairs: the key of the next pair exists.
        static let hasKey = Flags(rawValue: 1)
        /// The end of the object needs more than a check of the presence bits.
        static let isSpecial = Flags(rawValue: 2)
        /// A key is checked before the key is looked up: for a payload with the tag of its enum, and a dictionary with equivalent keys.
        static let checksKeys = Flags(rawValue: 16)
        /// The tag is known, and its member follows.
        static let awaitsTag = Flags(rawValue: 32)
        /// The frame is the one that live values follow. See `LiveValue`.
        static let isFollowed = Flags(rawValue: 128)
        /// The payload has a property for the tag of an enum around the payload.
        static let readsTag = Flags(rawValue: 256)
    }

    var form: Form
    // No array literal on the way of containers: the optimizer may leave the array in the code.
    var flags = Flags(rawValue: 0)
    /// For objects and arrays on paths: the known keys or indexes.
    var table: TableReference?
    /// The slot that receives the finished value.
    let destination: ValueSlot
    /// The memory of a model or converted value, or the start of an element buffer.
    var base: UnsafeMutableRawPointer
    /// The presence bits of the first 64 fields. Only the frames of models and the root hold presence bits.
    var presenceBits: UInt64 = 0
    /// The presence bits after the first 64, and the ranks of candidates.
    var extendedPresence: ExtendedPresence?
    /// The frame that holds the presence bits: this frame, or the model's for an object or array on its path.
    var owner: FrameReference
    /// The field whose value is being read.
    var entry: EntryReference?
    /// The expected next entry, which follows the last one in the plan.
    var guess: EntryReference?
    /// The end of the element buffer while a container in it is open.
    var cursor: UnsafeMutableRawPointer
    var state = State.none
    /// The uncommon state of this frame, which owns the object.
    fileprivate var unretainedUncommonState: Unmanaged<UncommonFrameState>?
    /// The state of the arena before this frame.
    let mark: Arena.Mark

    /// Creates the frame of a value.
    ///
    /// - Parameter owner: The frame itself.
    @inline(__always)
    init(
        _ form: Form, for destination: ValueSlot, table: TableReference?, owner: FrameReference, mark: Arena.Mark
    ) {
        (self.form, self.destination, self.table, self.owner, self.mark) = (form, destination, table, owner, mark)
        base = destination.address
        cursor = destination.address
    }
}

extension DecodingFrame {
    /// Creates a copy of a frame for another destination. The copy has its own uncommon state, and no memory of its own yet.
    init(_ other: DecodingFrame, for destination: ValueSlot, owner: FrameReference, mark: Arena.Mark) {
        self.init(other.form, for: destination, table: other.table, owner: owner, mark: mark)
        (flags, presenceBits, entry, guess, state) = (
            other.flags, other.presenceBits, other.entry, other.guess, other.state
        )
        unretainedUncommonState = other.unretainedUncommonState.map {
            .passRetained(UncommonFrameState($0.takeUnretainedValue()))
        }
    }
}

// Properties of the frames that have them, which their forms determine. A property that a reference declares is read without a copy of
// the frame.
extension FrameReference {
    /// The type of the finished value.
    @inline(__always)
    package var layout: LayoutReference { self.destination.layout }

    /// The layout of the elements of an element buffer, or of a dictionary's values.
    @inline(__always)
    var elementLayout: LayoutReference { layout.element.unsafelyUnwrapped }

    /// The known keys or indexes of a model, an enum, or an object or array on a path.
    @inline(__always)
    var keyTable: TableReference { self.table.unsafelyUnwrapped }

    /// The field whose value is being read, in a frame that reads one.
    @inline(__always)
    var currentEntry: EntryReference { self.entry.unsafelyUnwrapped }

    /// The expected next entry of an object that fills fields.
    @inline(__always)
    var expectedEntry: EntryReference { self.guess.unsafelyUnwrapped }

    /// The plan of the model whose fields the frame fills, retained; nil for a frame of another form.
    @inline(__always)
    var ownerPlan: ResolvedPlan? { self.owner.table?.plan }

    /// The field that receives the current value, if the field is known.
    var fieldInfo: FieldInfo? {
        guard let entry = self.entry, let table = self.owner.table else { return nil }
        let fields = table.fields
        return fields.indices.contains(entry.field) ? fields[entry.field] : nil
    }

    /// The uncommon state, retained; nil if it was never used.
    @inline(__always)
    var uncommonState: UncommonFrameState? { self.unretainedUncommonState?.takeUnretainedValue() }

    @inline(__always)
    var hasUncommonState: Bool { self.unretainedUncommonState != nil }

    /// The innermost frame below that has brackets of its own, or the root.
    var enclosing: FrameReference {
        var frame = below
        while frame.form == .converted { frame = frame.below }
        return frame
    }

    /// Whether the value is read from the JSON in a string by the driver's own scanner.
    var isNestedText: Bool {
        switch self.state {
        case .converted(.text), .converted(.completeText): true
        default: false
        }
    }

    /// Whether such a value is complete.
    var isCompleteNestedText: Bool { if case .converted(.completeText) = self.state { true } else { false } }

    /// Returns the uncommon state, which is created on first use.
    func makeUncommonState() -> UncommonFrameState {
        if let state = self.uncommonState { return state }
        let state = UncommonFrameState()
        self.unretainedUncommonState = .passRetained(state)
        self.flags.insert(.isSpecial)
        return state
    }

    @inline(__always)
    func freeUncommonState() {
        if hasUncommonState { releaseUncommonState() }
    }

    private func releaseUncommonState() {
        self.unretainedUncommonState?.release()
        self.unretainedUncommonState = nil
    }

    /// A model's serial number.
    var serial: Int {
        switch self.state {
        case .model(let serial): serial
        case .joined(_, let serial): serial
        default: 0
        }
    }

    /// The current index of an array on a path.
    var position: Int { if case .position(let position) = self.state { position } else { 0 } }

    /// The number of elements before the last chunk of an element buffer, including those that were dropped.
    var countBefore: Int {
        get { if case .collected(let count) = self.state { count } else { 0 } }
        nonmutating set { self.state = .collected(before: newValue) }
    }

    /// The case of an enum's object, if its tag has been read.
    var unionCase: Int? {
        if case .union(.known(let index, _)) = self.state { index } else { nil }
    }

    /// Whether the payload of an enum's object is complete.
    var hasPayload: Bool { if case .union(.known(_, hasPayload: true)) = self.state { true } else { false } }

    /// The case whose payload is this converted value.
    var payloadCase: Int? {
        switch self.state {
        case .converted(.payload(let index)): index
        case .converted(.attempt(_, let index)): index
        default: nil
        }
    }

    /// Whether the members of a model and of a case of its flattened enum are being read.
    var isJoined: Bool {
        if case .joined = self.state { true } else { false }
    }

    /// The offset of the container that is recorded if this payload, or this model with a flattened enum, fails.
    var recordingStart: Int? {
        switch self.state {
        case .converted(.attempt(let offset, _)), .joined(let offset, _): offset
        default: nil
        }
    }

    /// Whether the frame has brackets of its own.
    var isContainer: Bool { self.form != .converted && self.form != .root }

    /// Whether the frame is that of a flattened enum, whose members are those of the model's object.
    var sharesObject: Bool {
        guard self.form == .object || self.form == .union || self.form == .pairs else { return false }
        let outer = enclosing
        return outer.form == .object && outer.entry?.isFlattenedEnum == true
    }

    /// Whether the frame is an array or object inside a `JSONValue`.
    var isOfValue: Bool {
        switch self.form {
        case .array, .pairs: layout.element?.kind == .value
        default: false
        }
    }

    var isNode: Bool {
        self.form == .object || self.form == .indexes || self.form == .anyIndex || self.form == .anyKey
    }
}

/// The state that few frames need. Created on first use, and used by one driver.
final class UncommonFrameState {
    /// In an object that a merge changes: assigns the storage to the existing object.
    @exclusivity(unchecked) var finishStorage: ((_ storage: UnsafeMutableRawPointer, _ target: ValueSlot) -> Void)?
    /// In a value that a merge changes: undoes the changes of existing objects if the value fails.
    @exclusivity(unchecked) var undoChanges: (() -> Void)?
    /// The key of the current member, in a dictionary of extra keys, or an object that selects every member.
    @exclusivity(unchecked) var key: String?
    /// In the object of an enum: the name of the case, if the case has several names.
    @exclusivity(unchecked) var caseName: String?
    /// In the object of an enum: the first unknown name, until a case is known.
    @exclusivity(unchecked) var firstUnknownName: String?
    /// In an array or object on a path with an outer wildcard: the number of elements collected before.
    @exclusivity(unchecked) var collectedCount = 0
    /// In the object of an enum: whether the fallback case represents a case that is unknown, and whose keys are not checked.
    @exclusivity(unchecked) var isUnknownCase = false
    /// The fields whose hook was called.
    @exclusivity(unchecked) var askedFields: Set<Int> = []
    /// Whether a value of the object failed and the issue was recorded; and the fields that failed.
    @exclusivity(unchecked) var hasFailed = false
    @exclusivity(unchecked) var failedFields: Set<Int> = []
    /// The issues that apply at the end of the object, unless better candidates arrive.
    @exclusivity(unchecked) var deferred: [PendingIssue] = []
    /// The ranks of the best candidates that were null, for fields whose types have a value for null.
    @exclusivity(unchecked) var nullRanks: [Int: UInt8] = [:]
    /// The keys read so far, if duplicates are rejected.
    @exclusivity(unchecked) var seenKeys: Set<MemberName> = []
    /// The same for dictionaries whose keys are made from strings or are canonically equivalent, because different strings can result in
    /// equal keys: the keys, and the first string of each.
    @exclusivity(unchecked) var seenMadeKeys: [AnyHashable: String] = [:]

    init() {}

    /// Whether a value of the object has failed, or a candidate is still awaited.
    var decidesAtEnd: Bool { hasFailed || !deferred.isEmpty || !nullRanks.isEmpty }

    /// Creates a copy of the state of a value that no merge changes.
    init(_ other: UncommonFrameState) {
        (key, collectedCount, askedFields) = (other.key, other.collectedCount, other.askedFields)
        (caseName, firstUnknownName) = (other.caseName, other.firstUnknownName)
        (hasFailed, failedFields, deferred) = (other.hasFailed, other.failedFields, other.deferred)
        (isUnknownCase, nullRanks) = (other.isUnknownCase, other.nullRanks)
        (seenKeys, seenMadeKeys) = (other.seenKeys, other.seenMadeKeys)
    }
}
