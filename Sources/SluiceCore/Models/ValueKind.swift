/// The kind of a value, by which the driver selects the code that decodes the value.
@usableFromInline
enum ValueKind: UInt8 {
    /// An ignored value: validated only.
    case skip
    // Scalars written in place.
    case bool, string
    case int, int8, int16, int32, int64, int128, uint, uint8, uint16, uint32, uint64, uint128
    case double, float, half
    /// A value that a closure makes from the token.
    case scalar
    // Containers. An open container has a frame of its own.
    case model, array, dictionary
    /// A model with flattened enums. Its object is recorded, then decoded as the model and as each of the enums.
    case composite
    /// An enum with associated values, whose tag determines the case.
    case union
    /// A value that a closure converts from a value of another type.
    case wrapped
    /// An inner node of the plan's key paths: an object or array that contains fields of the enclosing model.
    case node
    /// Any JSON, as `JSONValue`.
    case value
    /// The verbatim bytes, as `JSONRaw`.
    case raw
    /// A value with several readers: the field and its parts, or a hook. The value is recorded and replayed.
    case tee
    /// An existing value that is merged with the JSON.
    case merging
    /// An existing value that is converted to JSON, merged and decoded again.
    case patch
    /// A field that a later candidate has filled. Any value but null replaces the existing one.
    case replace

    /// The expected value in messages.
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

/// The test for nil in a value's memory.
enum NilTest: UInt8 {
    /// The type has no nil.
    case never
    /// A tag byte, which is nonzero for nil.
    case tag
    /// The only byte of the value, which equals that of nil.
    case byte
    /// A word, which is zero for nil.
    case word
    /// A call of ``JSONShape/presence``.
    case closure
}

/// The properties of a type that the driver reads for every token. Plain data, which avoids reference counting.
///
/// A layout lives as long as its ``JSONShape`` or ``PlanCache``, and is immutable once resolved.
@usableFromInline
struct TypeLayout {
    var kind: ValueKind
    /// The kind of the elements of `[Double]`, `[Int]` and `[String]`, which are made without a call of a closure.
    var leaf = ValueKind.skip
    /// Whether `null` is a value: the outermost nil.
    var isOptional = false
    /// The offset of an optional's tag byte, or −1 if the payload's bits represent nil. See ``JSONShape/optional(_:)``.
    var tagOffset = -1
    /// The number of consecutive tag bytes: one for each nested optional that has a tag byte.
    var tagCount = 0
    /// The test for nil during encoding.
    var nilTest = NilTest.never
    /// The offset of the byte or word that `nilTest` reads.
    var nilOffset = 0
    /// Whether a dictionary's keys are strings, which need no conversion.
    var hasTextKeys = false
    /// Whether elements that fail are dropped and reported.
    var isLossy = false
    /// Whether the model is made from separate storage, as a class is.
    var hasStorage = false
    var size: Int
    var stride: Int
    var alignmentMask: Int
    /// The bytes of the outermost nil.
    var none: UnsafeRawPointer?
    /// The layout of an array's elements, of a dictionary's values, or of the value that a conversion reads.
    var element: UnsafePointer<TypeLayout>?
    /// The offset of the value in a dictionary's pair of key and value.
    var valueOffset = 0
    /// The distance in bytes between collected elements or pairs.
    var runStride = 0
    var runAlignmentMask = 0
    /// For `.value`, the layouts of its arrays and objects. For JSON in a string, `objectForm` is the layout of the contents.
    var arrayForm: UnsafePointer<TypeLayout>?
    var objectForm: UnsafePointer<TypeLayout>?
    /// The key table of a model, set when the layout is resolved. See `TypeLayout.table`.
    var tableAddress: UnsafeRawPointer?
    /// The shape, for closures that do not have a kind of their own.
    var shape: Unmanaged<JSONShape>

    /// Sets the properties of collected elements or pairs.
    mutating func setElements(_ elements: ElementWitness) {
        runStride = elements.stride
        runAlignmentMask = elements.alignmentMask
        valueOffset = elements.valueOffset
    }

    /// Marks the payload at `address` as present.
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
    /// Marks the payload at `address` as present. A method of the pointer, because a layout is too large to be copied.
    @inline(__always)
    func injectTag(_ address: UnsafeMutableRawPointer) {
        guard pointee.tagOffset >= 0 else { return }
        address.storeBytes(of: 0, toByteOffset: pointee.tagOffset, as: UInt8.self)
        if pointee.tagCount > 1 { pointee.injectInnerTags(address) }
    }
}
