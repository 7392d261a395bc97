/// The kind of a type, by which the driver selects the code that decodes its values.
@usableFromInline
package enum ValueKind: UInt8 {
    /// A type without contents. Its values are never stored.
    case ignored
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
    case converted
    /// Any JSON, as `JSONValue`.
    case value
    /// The verbatim bytes, as `JSONRaw`.
    case raw
    /// The recorded tokens, from which another value is made.
    case recording

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
        case .scalar, .converted, .value, .raw, .recording, .ignored: "a value"
        }
    }
}

/// The properties of a type that the driver reads for every token. Plain data, which avoids reference counting.
///
/// A layout lives as long as its ``JSONShape`` or ``PlanCache``, and is immutable once resolved.
@usableFromInline
package struct TypeLayout {
    package var kind: ValueKind
    /// The kind of the elements of `[Double]`, `[Int]` and `[String]`, which are made without a call of a closure.
    var inlineElementKind: ValueKind?
    /// Whether `null` is a value: the outermost nil.
    package var isOptional = false
    /// The offset of an optional's tag byte, or −1 if the payload's bits represent nil. See ``JSONShape/optional(_:)``.
    var tagOffset = -1
    /// The number of consecutive tag bytes: one for each nested optional that has a tag byte.
    var tagCount = 0
    /// The test for nil during encoding.
    package var nilTest = NilTest.never
    /// The offset of the byte or word that `nilTest` reads.
    var nilOffset = 0
    /// Whether a dictionary's keys are strings, which need no conversion.
    var hasTextKeys = false
    /// Whether different keys of a dictionary may have equal texts.
    var mayRepeatTexts = false
    /// Whether a dictionary cannot hold two keys that are canonically equivalent.
    var mergesEquivalentKeys = false
    /// Whether elements that fail are dropped and reported.
    package var isLossy = false
    /// Whether a string is the JSON text of a value.
    package var readsText = false
    /// Whether the model is made from separate storage, as a class is.
    package var hasStorage = false
    /// The function that writes a value without another one, owned by the shape; nil for a type whose values are written as other values.
    var unretainedWriter: Unmanaged<DirectWriter>?
    /// The texts of the values of a type that is one byte; nil for other types.
    var texts: UnsafePointer<ByteTexts.Text>?
    /// The address of the class, to which objects of exactly this class refer; nil for other types.
    var objectType: UnsafeRawPointer?
    package var size: Int
    package var stride: Int
    package var alignmentMask: Int
    /// The greatest alignment of a value, less 1.
    static var maximumAlignmentMask: Int { 63 }
    /// The bytes of the outermost nil.
    package var none: UnsafeRawPointer?
    /// The layout of an array's elements, of a dictionary's values, or of the value that a conversion reads.
    package var element: LayoutReference?
    /// The offset of the value in a dictionary's pair of key and value.
    package var valueOffset = 0
    /// The distance in bytes between collected elements or pairs.
    package var elementStride = 0
    var elementAlignmentMask = 0
    /// For `.value`, the layouts of its arrays and objects. For JSON in a string, `contents` is the layout of the contents.
    var arrayContents: LayoutReference?
    package var contents: LayoutReference?
    /// The key table of a model, set when the layout is resolved. See `TypeLayout.table`.
    var tableAddress: UnsafeRawPointer?
    /// The shape, for closures that do not have a kind of their own.
    var unretainedShape: Unmanaged<JSONShape>

    /// Sets the properties of collected elements or pairs.
    mutating func setElements(_ element: ElementWitness) {
        elementStride = element.stride
        elementAlignmentMask = element.alignmentMask
        valueOffset = element.valueOffset
    }
}

/// A reference to data of a plan: the layout of a type, a key table, or an entry of a key table.
///
/// Invariant: the data is plain, and immutable once the plan is resolved. The data lives as long as its owner: a ``JSONShape``,
/// ``PlanCache`` or `RootPath`, which outlives every decoding or encoding call that uses the data. The reference retains nothing,
/// because threads that share a plan would otherwise update the same reference count.
///
/// The properties of the data are those of the reference. Access costs as much as through a pointer.
@dynamicMemberLookup
@usableFromInline
package struct PlanReference<Pointee>: Hashable {
    let pointer: UnsafePointer<Pointee>

    @inline(__always)
    init(_ pointer: UnsafePointer<Pointee>) { self.pointer = pointer }

    @inline(__always)
    init(_ pointer: UnsafeMutablePointer<Pointee>) { self.pointer = UnsafePointer(pointer) }

    /// Creates a reference to the data at an address that was stored without its type.
    @inline(__always)
    init(untyped address: UnsafeRawPointer) { pointer = address.assumingMemoryBound(to: Pointee.self) }

    @inline(__always)
    package subscript<Value>(dynamicMember property: KeyPath<Pointee, Value>) -> Value {
        pointer.pointee[keyPath: property]
    }
}

package typealias LayoutReference = PlanReference<TypeLayout>

extension LayoutReference {
    /// Whether a value is any JSON, also null.
    package var isAnyJSON: Bool { [.value, .raw, .recording].contains(self.kind) }

    /// Whether a value is an object of exactly the class of the layout.
    @inline(__always)
    func isOfDeclaredClass(_ address: UnsafeRawPointer) -> Bool {
        guard let type = pointer.pointee.objectType else { return false }
        // The first word of an object is the address of its class.
        return address.load(as: UnsafeRawPointer.self).load(as: UnsafeRawPointer.self) == type
    }
}

// The operations on values of a type, given the reference to the type's layout. A layout is too large to be copied, so these are
// methods of the reference.

extension LayoutReference {
    /// The shape, retained.
    package var shape: JSONShape { self.unretainedShape.takeUnretainedValue() }

    package var typeName: String { self.unretainedShape._withUnsafeGuaranteedRef { $0.typeName } }

    /// Whether an array is one of `[Double]`, `[Int]` and `[String]`, and its elements are not transformed.
    @inline(__always)
    var isInlineArray: Bool { self.inlineElementKind == self.element.unsafelyUnwrapped.kind }

    /// A description of the expected value.
    var expectation: String { self.unretainedShape._withUnsafeGuaranteedRef { $0.expectation } }

    /// Marks the payload at `address` as present.
    @inline(__always)
    package func injectTag(_ address: UnsafeMutableRawPointer) {
        guard self.tagOffset >= 0 else { return }
        address.storeBytes(of: 0, toByteOffset: self.tagOffset, as: UInt8.self)
        if self.tagCount > 1 { injectInnerTags(address) }
    }

    @inline(never)
    private func injectInnerTags(_ address: UnsafeMutableRawPointer) {
        for tag in 1..<self.tagCount {
            address.storeBytes(of: 0, toByteOffset: self.tagOffset + tag, as: UInt8.self)
        }
    }

    /// Sets the value at `address` to nil if the type is optional. The memory of other types stays uninitialized.
    package func loadNil(_ address: UnsafeMutableRawPointer) {
        if let none = self.none { address.copyMemory(from: none, byteCount: self.size) }
    }

    /// Calls a closure with uninitialized memory for one value. The closure leaves the memory uninitialized.
    package func withTemporaryMemory<R, E>(_ body: (UnsafeMutableRawPointer) throws(E) -> R) throws(E) -> R {
        try withUnsafeTemporaryAllocation(byteCount: max(self.size, 1), alignment: self.alignmentMask + 1) {
            memory throws(E) in try body(memory.baseAddress!)
        }
    }

    /// Destroys the value at `address`.
    package func destroy(_ address: UnsafeMutableRawPointer) {
        self.unretainedShape._withUnsafeGuaranteedRef { $0.destroy(address, 1) }
    }

    /// Whether the value at `address` is other than nil.
    package func isPresent(_ address: UnsafeRawPointer) -> Bool {
        !self.isOptional || presence(address) == .value
    }

    /// Returns the form in which the value at `address` is written.
    @inline(__always)
    func presence(_ address: UnsafeRawPointer) -> Presence {
        switch self.nilTest {
        case .never: .value
        case .tag: address.load(fromByteOffset: self.nilOffset, as: UInt8.self) != 0 ? .missing : .value
        case .word: address.load(fromByteOffset: self.nilOffset, as: UInt64.self) == 0 ? .missing : .value
        case .byte:
            address.load(as: UInt8.self) == self.none.unsafelyUnwrapped.load(as: UInt8.self) ? .missing : .value
        case .closure: self.unretainedShape._withUnsafeGuaranteedRef { $0.presence(address) }
        }
    }
}

/// Copies and moves values of a type that is known only at run time.
///
/// A single value is initialized from the value. A copy or move of several values also writes the padding after each value, and
/// after a property, these bytes may hold another property.
package enum ValueCopy {
    /// Copies values to uninitialized memory.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - source: The first value.
    ///   - target: Memory for `count` values.
    package static func copy(
        _ type: Any.Type, _ count: Int = 1, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer
    ) {
        func copy<Value>(_: Value.Type) {
            let source = source.assumingMemoryBound(to: Value.self)
            if count == 1 {
                target.initializeMemory(as: Value.self, to: source.pointee)
            } else {
                target.initializeMemory(as: Value.self, from: source, count: count)
            }
        }
        _openExistential(type, do: copy)
    }

    /// Moves a value to uninitialized memory. A value with a weak reference cannot be moved as bytes.
    package static func move(
        _ type: Any.Type, from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer
    ) {
        func move<Value>(_: Value.Type) {
            target.initializeMemory(as: Value.self, to: source.assumingMemoryBound(to: Value.self).move())
        }
        _openExistential(type, do: move)
    }
}
