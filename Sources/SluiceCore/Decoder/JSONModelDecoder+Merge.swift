// Merging: a text changes a value that is there.

extension JSONModelDecoder {
    /// What `null` means in a text that is merged.
    public enum MergeNulls: Sendable, Hashable {
        /// The property stays as it is.
        case skip
        /// The property becomes nil, or its default; a dictionary loses the key.
        case clear
    }

    /// What becomes of a model, dictionary or `JSONValue` inside of the one that is merged into.
    public enum MergeNested: Sendable, Hashable {
        /// A new one takes its place.
        case replace
        /// It is merged into itself.
        case merge
    }

    /// What becomes of an array of models, dictionaries or other values that can be merged into.
    public enum MergeArrays: Sendable, Hashable {
        /// A new one takes its place.
        case replace
        /// Each of its elements is merged into the element at the same index. Further elements are appended, and elements
        /// that the text has none for are removed: the array becomes as long as that of the text.
        case byIndex
    }

    /// Changes a value by JSON: values whose keys are present are replaced, the others stay.
    ///
    /// An object is merged by its own class. If all decoded properties of the class are variables, the object stays the same,
    /// at the root and inside; otherwise a new object of that class takes its place. With `.clear` and `.merge` (and arrays that
    /// are replaced) this is a JSON Merge Patch (RFC 7396).
    ///
    /// - Parameters:
    ///   - input: The changes. See ``JSONInput``.
    ///   - value: The value to change.
    ///   - path: The path of the changes in the input. The default is the root.
    ///   - nulls: How `null` is handled.
    ///   - nested: How models, dictionaries and `JSONValue`s inside are handled.
    ///   - arrays: How arrays are handled. `byIndex` keeps the objects of arrays of classes.
    /// - Throws: ``JSONModelError``. The value is then unchanged.
    public func merge<T: JSONConvertible>(
        _ input: borrowing some JSONInput & ~Copyable & ~Escapable, into value: inout T,
        at path: JSONPath = JSONPath(), nulls: MergeNulls = .skip, nested: MergeNested = .replace,
        arrays: MergeArrays = .replace
    ) throws(JSONModelError) {
        let merged = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { merged.deallocate() }
        try withUnsafePointer(to: value) { value throws(JSONModelError) in
            let encoder = encoderOfSameOptions
            let merging = Merging(
                nulls: nulls, nested: nested, arrays: arrays,
                encode: { record, address throws(JSONModelError) in try encoder.encodeToValue(address, record) },
                copy: { $0.assumingMemoryBound(to: T.self).initialize(to: value.pointee) })
            try input.withContent { content throws(JSONModelError) in
                try merge(JSONShape.of(T.self), content, at: path, into: merged, merging)
            }
        }
        value = merged.move()
    }

    /// The encoder that writes what this decoder reads.
    private var encoderOfSameOptions: JSONModelEncoder {
        var encoder = JSONModelEncoder()
        encoder.planOptions = planOptions
        encoder.limits = limits
        return encoder
    }

    /// - Parameter target: Uninitialized memory, to which `merging` copies the existing value.
    private func merge(
        _ shape: JSONShape, _ content: JSONInputContent, at path: JSONPath, into target: UnsafeMutableRawPointer,
        _ merging: Merging
    ) throws(JSONModelError) {
        try withRoot(shape, path) { layout, root throws(JSONModelError) in
            guard layout.pointee.kind != .model || layout.pointee.isMergeable else {
                throw JSONModelError(.invalidPlan(Driver.unreadable), model: shape.typeName)
            }
            var driver = Driver(shape: layout, target: target, table: root?.table, decoder: self, emit: nil)
            let isElementwise = merging.arrays == .byIndex && layout.pointee.hasMergeableElements
            if layout.pointee.isMergeable || layout.pointee.isPatchable || isElementwise {
                driver.merge(merging, at: root?.entry)
            }
            try run(driver, content, missing: root?.path ?? JSONPath())
        }
    }
}
