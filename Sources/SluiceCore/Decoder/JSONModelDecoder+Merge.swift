// Merging: JSON changes an existing value.

extension JSONModelDecoder {
    /// How `null` is handled in JSON that is merged.
    public enum MergeNulls: Sendable, Hashable {
        /// The property is unchanged.
        case skip
        /// The property becomes nil or its default. In a dictionary, the key is removed.
        case clear
    }

    /// How a nested model, dictionary or `JSONValue` is handled.
    public enum MergeNested: Sendable, Hashable {
        /// A new value replaces the existing one.
        case replace
        /// The JSON is merged into the existing value.
        case merge
    }

    /// How an array is handled whose elements can be merged into, such as models or dictionaries.
    public enum MergeArrays: Sendable, Hashable {
        /// A new array replaces the existing one.
        case replace
        /// Each element is merged into the existing element at the same index. Further elements are appended, and existing
        /// elements without a counterpart are removed, so that the array becomes as long as the array in the JSON.
        case byIndex
    }

    /// Changes a value by JSON. Values whose keys are present are replaced, and all others are unchanged.
    ///
    /// An object is merged by its dynamic class. If all decoded properties of the class are variables, the object keeps its
    /// identity, at the root and nested; otherwise a new object of the class replaces it. With `.clear`, `.merge` and replaced
    /// arrays, this is a JSON Merge Patch (RFC 7396).
    ///
    /// - Parameters:
    ///   - input: The changes. See ``JSONInput``.
    ///   - value: The value to change.
    ///   - path: The path of the changes in the input. The default is the root.
    ///   - nulls: How `null` is handled.
    ///   - nested: How nested models, dictionaries and `JSONValue`s are handled.
    ///   - arrays: How arrays are handled. `byIndex` keeps the objects in arrays of classes.
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

    /// The encoder with the options of this decoder.
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
