import SluiceCore

/// A value with the content that has been read so far.
///
/// ```swift
/// var feed = decoder.feed(of: Answer.self)
/// for try await chunk in response {
///     _ = try feed.push(chunk)
///     let snapshot = feed.snapshot()
///     label.text = snapshot[\.summary]
///     isTyping = snapshot.state(of: \.summary) == .open
/// }
/// ```
///
/// Later input does not change a snapshot. The value is made at its first use, and before the input continues if the
/// snapshot is still in use. A complete property, a state and the path are read without a copy of other values.
public struct JSONSnapshot<Value: JSONConvertible> {
    /// The progress of reading the value of a property.
    public enum State: Sendable, Hashable {
        /// The property has no value yet.
        case absent
        /// The value is being read. A string has its text so far, and an array its elements so far.
        case open
        /// The value is complete.
        case complete

        fileprivate init(_ state: ModelStates.ReadState?) {
            self =
                switch state {
                case .absent, nil: .absent
                case .open: .open
                case .complete: .complete
                }
        }
    }

    private let storage: ValueSnapshot?

    init(_ storage: ValueSnapshot?) { self.storage = storage }

    /// The value so far, or nil if a required property is missing.
    ///
    /// An open string has its text so far, and an open array its elements so far. Numbers, literals and strings that are
    /// converted are left out until they are complete. Properties without a value are nil or have their default. The hooks of
    /// the models have been called.
    public var value: Value? { storage?.value(as: Value.self) }

    /// Whether the value has been read to its end.
    public var isComplete: Bool { storage?.overview.isComplete ?? false }

    /// The path of the innermost value that is being read; nil if no value is open.
    public var openPath: JSONPath? { storage?.overview.openPath }

    /// The text so far of the string that is being read; nil if the open value is not a string.
    public var openText: String? { storage?.openText }

    /// The issues of the parts that are missing or failed. Their location is the end of the input so far.
    public var issues: [JSONIssue] { storage?.issues ?? [] }

    /// Returns the value of a property so far; nil if the property has no value.
    ///
    /// If the property is stored in a struct without property observers, the other properties may be missing, unless the property is a
    /// flattened model.
    public subscript<Property>(property: KeyPath<Value, Property>) -> Property? {
        if let storage, let model = storage.overview.model, model.isOpen, model.isInPlace,
            let offset = MemoryLayout<Value>.offset(of: property),
            !model.isSpread(at: offset, size: MemoryLayout<Property>.size)
        {
            return storage.value(ofPropertyAt: offset, as: Property.self)
        }
        return value?[keyPath: property]
    }

    /// Returns how far a property has been read.
    public func state(of property: PartialKeyPath<Value>) -> State {
        guard let storage else { return .absent }
        let overview = storage.overview
        if overview.isComplete { return .complete }
        if let model = overview.model, model.isInPlace, let offset = MemoryLayout<Value>.offset(of: property) {
            return State(model.state(ofPropertyAt: offset, size: property.valueSize))
        }
        let name = DeclaredField.name(of: property)
        return State(name.flatMap { overview.model?.state(ofPropertyNamed: $0) })
    }

    /// The names of the model's properties, and how far they have been read. Empty if the value is not an object or has not
    /// begun.
    public var properties: [(name: String, state: State)] {
        storage?.overview.model?.properties.map { ($0.name, State($0.state)) } ?? []
    }
}

extension JSONSnapshot: Sendable where Value: Sendable {}

extension PartialKeyPath {
    /// The size of the values in memory.
    fileprivate var valueSize: Int {
        func size<Property>(_: Property.Type) -> Int { MemoryLayout<Property>.size }
        return _openExistential(type(of: self).valueType, do: size)
    }
}
