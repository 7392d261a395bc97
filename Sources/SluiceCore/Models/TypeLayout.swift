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
    var leaf: ValueKind?
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
    var element: LayoutReference?
    /// The offset of the value in a dictionary's pair of key and value.
    var valueOffset = 0
    /// The distance in bytes between collected elements or pairs.
    var elementStride = 0
    var elementAlignmentMask = 0
    /// For `.value`, the layouts of its arrays and objects. For JSON in a string, `objectForm` is the layout of the contents.
    var arrayForm: LayoutReference?
    var objectForm: LayoutReference?
    /// The key table of a model, set when the layout is resolved. See `TypeLayout.table`.
    var tableAddress: UnsafeRawPointer?
    /// The shape, for closures that do not have a kind of their own.
    var unretainedShape: Unmanaged<JSONShape>

    /// Sets the properties of collected elements or pairs.
    mutating func setElements(_ elements: ElementWitness) {
        elementStride = elements.stride
        elementAlignmentMask = elements.alignmentMask
        valueOffset = elements.valueOffset
    }
}
