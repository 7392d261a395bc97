/// What the driver does with a value: the one switch on the hot path.
@usableFromInline
enum ValueKind: UInt8 {
    /// Nobody wants the value: it is validated and passed over.
    case skip
    // Scalars written in place.
    case bool, string
    case int, int8, int16, int32, int64, int128, uint, uint8, uint16, uint32, uint64, uint128
    case double, float, half
    /// A closure makes the value from the token.
    case scalar
    // Containers, each with a frame of its own while it is open.
    case model, array, dictionary
    /// A model with flattened enums: its object is recorded, and read as the model and as each of the enums.
    case composite
    /// An enum with values: its tag tells what the value is.
    case union
    /// A value of another type is made first, and a closure makes this one of it.
    case wrapped
    /// An inner node of the plan's paths: an object or array that only leads to fields.
    case node
    /// Any JSON, as `JSONValue`.
    case value
    /// The verbatim bytes, as `JSONRaw`.
    case raw
    /// A value that is wanted whole and in parts, or that a hook is to see first: its text is kept, and read again.
    case tee
    /// A value that is there and is changed.
    case merging
    /// A value that is there and is changed by way of its JSON.
    case patch
    /// A field that a later candidate has filled: what is there gives way to any value but null.
    case replace

    /// What a person is told was expected.
    var expectation: String {
        switch self {
        case .bool: "a boolean"
        case .string: "a string"
        case .int, .int8, .int16, .int32, .int64, .int128, .uint, .uint8, .uint16, .uint32, .uint64, .uint128:
            "an integer"
        case .double, .float, .half: "a number"
        case .model, .composite, .dictionary: "an object"
        case .union: "an object or a string"
        case .array: "an array"
        case .scalar, .wrapped, .node, .value, .raw, .tee, .merging, .patch, .skip, .replace: "a value"
        }
    }
}

/// How nil is told by its memory.
enum NilTest: UInt8 {
    /// There is no nil.
    case never
    /// A byte that is not 0.
    case tag
    /// The one byte of the value, which is that of nil.
    case byte
    /// A word that is 0.
    case word
    /// ``JSONShape/presence`` tells.
    case closure
}

/// The facts of a shape that the driver reads for every token: plain data, so that no reference is counted.
///
/// Lives as long as the process (``JSONShape`` owns it and is never freed), and is immutable once prepared.
@usableFromInline
struct TypeLayout {
    var kind: ValueKind
    /// For `[Double]`, `[Int]` and `[String]`, which are closed without a call through a closure: what their elements are.
    var leaf = ValueKind.skip
    /// Whether `null` is a value: the outermost nil.
    var isOptional = false
    /// Where an optional's tag byte is, or −1 if its payload alone tells. See ``JSONShape/optional(_:)``.
    var tagOffset = -1
    /// How many tag bytes follow one another: as many as optionals of optionals that have one.
    var tagCount = 0
    /// How a value that is there is told from nil when it is written.
    var nilTest = NilTest.never
    /// Where the byte or word lies that tells.
    var nilOffset = 0
    /// Whether a dictionary's keys are strings, so that none has to be made of them.
    var hasTextKeys = false
    /// Whether elements that fail are dropped and reported.
    var isLossy = false
    /// Whether a model is made from storage that is not the model's own memory: a class.
    var hasStorage = false
    var size: Int
    var stride: Int
    var alignmentMask: Int
    /// The bytes of the outermost nil.
    var none: UnsafeRawPointer?
    /// The element of an array, the value of a dictionary, what arrives for `.element`.
    var element: UnsafePointer<TypeLayout>?
    /// A dictionary is gathered as pairs of key and value: where the value lies in one, and their distance.
    var valueOffset = 0
    /// Arrays and dictionaries: bytes from one gathered element or pair to the next.
    var runStride = 0
    var runAlignmentMask = 0
    /// For `.value`: what its arrays and objects are. For JSON in a string, `objectForm` is what that is.
    var arrayForm: UnsafePointer<TypeLayout>?
    var objectForm: UnsafePointer<TypeLayout>?
    /// A model's field table, set when the shape is prepared.
    var tableAddress: UnsafeRawPointer?
    /// The closures, for what is not worth a case of its own.
    var shape: Unmanaged<JSONShape>

    /// Marks the payload at `address` as there.
    @inline(__always)
    func injectTag(_ address: UnsafeMutableRawPointer) {
        if tagOffset >= 0 {
            address.storeBytes(of: 0, toByteOffset: tagOffset, as: UInt8.self)
            if tagCount > 1 { injectInnerTags(address) }
        }
    }

    @inline(never)
    fileprivate func injectInnerTags(_ address: UnsafeMutableRawPointer) {
        for tag in 1..<tagCount { address.storeBytes(of: 0, toByteOffset: tagOffset + tag, as: UInt8.self) }
    }
}

extension UnsafePointer<TypeLayout> {
    /// Marks the payload at `address` as there. Through the pointer, for a record is too large to be copied.
    @inline(__always)
    func injectTag(_ address: UnsafeMutableRawPointer) {
        guard pointee.tagOffset >= 0 else { return }
        address.storeBytes(of: 0, toByteOffset: pointee.tagOffset, as: UInt8.self)
        if pointee.tagCount > 1 { pointee.injectInnerTags(address) }
    }
}
