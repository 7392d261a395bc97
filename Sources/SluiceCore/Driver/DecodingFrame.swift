/// An open object or array on the driver's stack, or a value that another value is made of. Plain data.
struct DecodingFrame {
    enum Form: UInt8 {
        /// The root of the document, which holds one value.
        case root
        /// An object that fills fields: a model, or an object on a model's path.
        case object
        /// An array whose elements are gathered in a run.
        case array
        /// An object whose members are gathered in a run of pairs.
        case pairs
        /// An array on a path that selects elements by index, or every element.
        case indexes, every
        /// An object on a path that selects the value of every member.
        case members
        /// A value of another type, from which the wanted value is made.
        case wrapped
        /// The object of an enum with values, as long as its own keys are read.
        case union
        /// An object that changes the members of an existing dictionary or `JSONValue`.
        case update
        /// An array whose elements change those of an existing array, by their index.
        case elements
    }

    /// The state that frames of one form have.
    enum Detail {
        case none
        /// A model: its serial number, by which its unknown keys are found.
        case model(serial: Int)
        /// An array on a path: the current index. An object of which every member is wanted: the number of members before.
        case position(Int)
        /// A run: the number of elements that were dropped from it.
        case run(dropped: Int)
        case union(UnionProgress)
        case wrapped(Wrapping)
        /// A changed container: whether the slot at `base` holds the current member's value.
        case update(hasValue: Bool)
        /// A changed array: the current index, and whether the slot at `base` holds the element.
        case element(index: Int, hasValue: Bool)
    }

    /// How far the object of an enum has been read.
    enum UnionProgress {
        /// No tag or case key has been read.
        case awaitingTag
        /// The case is known.
        case known(Int, hasPayload: Bool)
        /// A key failed, and the issue was recorded.
        case failed
    }

    /// The way in which a wrapped value becomes the wanted value.
    enum Wrapping {
        /// The shape's conversion.
        case conversion
        /// The payload of a case.
        case payload(of: Int)
        /// The JSON of a value that is changed. The value is then made anew.
        case patch
    }

    var form: Form
    /// For pairs: whether the key of the next pair exists.
    var hasKey = false
    /// Of a merged model and an update: the number of objects that had been changed before.
    var changeCount: UInt32 = 0
    /// Objects and arrays on paths: the keys or indexes that are known.
    var table: UnsafePointer<KeyTable>?
    /// The shape of the finished value.
    var shape: UnsafePointer<TypeLayout>
    /// A model's memory, the start of a run, or the memory of a wrapped value.
    var base: UnsafeMutableRawPointer
    /// The memory that receives the finished value.
    var target: UnsafeMutableRawPointer
    /// Which of the first 64 fields are filled. Only the frame of a model (and the root) holds presence bits.
    var presenceBits: UInt64 = 0
    /// Presence bits beyond the first 64, and ranks of candidates.
    var furtherBits: UnsafeMutablePointer<UInt8>?
    /// The frame that holds the presence bits: this one, or the model's for an object or array on its path.
    var owner: UnsafeMutablePointer<DecodingFrame>
    /// The field whose value is being read.
    var entry: UnsafePointer<KeyEntry>?
    /// The entry expected next, by the order of the one just read.
    var guess: UnsafePointer<KeyEntry>?
    /// The end of the run while a container in it is open.
    var cursor: UnsafeMutableRawPointer
    var detail = Detail.none
    /// Whether the end of the object needs more than a look at the presence bits.
    var isSpecial = false
    /// Whether the model existed before, and is changed.
    var isMerged = false
    /// The rare state of this frame.
    var extras: Unmanaged<RareState>?
    /// The arena memory as it was before this frame.
    var mark: Arena.Mark
}

extension DecodingFrame {
    /// A model's serial number.
    var serial: Int { if case .model(let serial) = detail { serial } else { 0 } }

    /// The current index of an array on a path.
    var position: Int { if case .position(let position) = detail { position } else { 0 } }

    /// The current index of an array whose elements are changed.
    var elementIndex: Int { if case .element(let index, _) = detail { index } else { 0 } }

    /// Of a changed container: whether its slot holds a value.
    var hasSlotValue: Bool {
        get {
            switch detail {
            case .update(let hasValue), .element(_, let hasValue): hasValue
            default: false
            }
        }
        set {
            if case .element(let index, _) = detail {
                detail = .element(index: index, hasValue: newValue)
            } else {
                detail = .update(hasValue: newValue)
            }
        }
    }

    /// The number of elements that were dropped from a run.
    var dropped: Int { if case .run(let dropped) = detail { dropped } else { 0 } }

    /// The case of an enum's object, if its tag has been read.
    var unionCase: Int? {
        if case .union(.known(let index, _)) = detail { index } else { nil }
    }

    /// Whether the payload of an enum's object is complete.
    var hasPayload: Bool { if case .union(.known(_, hasPayload: true)) = detail { true } else { false } }

    /// The case whose payload this wrapped value is.
    var payloadCase: Int? { if case .wrapped(.payload(let index)) = detail { index } else { nil } }

    /// Whether this wrapped value is the JSON of a value that is changed.
    var isPatch: Bool { if case .wrapped(.patch) = detail { true } else { false } }

    /// Whether the members or elements of the frame are read from brackets of their own.
    var isContainer: Bool { form != .wrapped && form != .root }

    /// Whether the frame is an array or object in a `JSONValue`.
    var isOfValue: Bool {
        switch form {
        case .array, .pairs: shape.pointee.element.map { $0.pointee.kind == .value } ?? false
        case .update, .elements: shape.pointee.kind == .value
        default: false
        }
    }

    var isNode: Bool { form == .object || form == .indexes || form == .every || form == .members }
}

/// The state of a frame that few frames need. Made on first use.
final class RareState {
    /// The object that a merged model stays.
    var object: AnyObject?
    /// The key of the member that goes into a dictionary of extra keys, that is being changed, or that is one of those that
    /// are all wanted; the first unknown name in the object of an enum.
    var key: String?
    /// The fields for whose value a hook was asked.
    var askedFields: Set<Int> = []
    /// Whether a value of the object failed, with the issue recorded, and the fields that failed.
    var hasFailed = false
    var failedFields: Set<Int> = []
    /// The failures that count at the end of the object.
    var deferred: [DeferredFailure] = []
    /// The keys of the object so far, where duplicates are rejected.
    var seenKeys: Set<String> = []
    /// The same for dictionaries whose keys are made from the text: texts may differ and keys be equal.
    var seenMadeKeys: Set<AnyHashable> = []
}
