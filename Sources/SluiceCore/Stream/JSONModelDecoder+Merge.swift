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

    /// Changes a value by a text in memory: what the text has keys for is replaced, the rest stays.
    ///
    /// An object is merged by its own class. If all decoded properties of the class are variables, the object stays the same,
    /// at the root and inside; otherwise a new object of that class takes its place. With `.clear` and `.merge` (and arrays that
    /// are replaced) this is a JSON Merge Patch (RFC 7396).
    ///
    /// - Parameters:
    ///   - bytes: the text, in UTF-8.
    ///   - value: the value to change.
    ///   - nulls: what `null` means.
    ///   - nested: what becomes of models, dictionaries and `JSONValue`s inside.
    ///   - arrays: what becomes of arrays. `byIndex` keeps the objects of arrays of classes.
    /// - Throws: ``JSONModelError``; then the value is as before.
    public func merge<T: JSONFillable>(
        _ bytes: UnsafeRawBufferPointer, into value: inout T, nulls: MergeNulls = .skip,
        nested: MergeNested = .replace, arrays: MergeArrays = .replace
    ) throws(JSONModelError) {
        let merged = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { merged.deallocate() }
        try withUnsafePointer(to: value) { value throws(JSONModelError) in
            let encoder = encoderOfSameOptions
            let merging = Merging(
                nulls: nulls, nested: nested, arrays: arrays,
                encode: { record, address throws(JSONModelError) in try encoder.encodeToValue(address, record) },
                copy: { $0.assumingMemoryBound(to: T.self).initialize(to: value.pointee) })
            try merge(JSONShape.of(T.self), .memory(bytes), into: merged, merging)
        }
        value = merged.move()
    }

    /// Changes a value by a text in memory.
    ///
    /// - Throws: ``JSONModelError``; then the value is as before.
    public func merge<T: JSONFillable>(
        _ bytes: [UInt8], into value: inout T, nulls: MergeNulls = .skip, nested: MergeNested = .replace,
        arrays: MergeArrays = .replace
    ) throws(JSONModelError) {
        do {
            try bytes.withUnsafeBytes { try merge($0, into: &value, nulls: nulls, nested: nested, arrays: arrays) }
        } catch {
            // The closure of `withUnsafeBytes` can't have a typed error.
            throw error as! JSONModelError
        }
    }

    /// Changes a value by a text.
    ///
    /// - Throws: ``JSONModelError``; then the value is as before.
    public func merge<T: JSONFillable>(
        _ text: String, into value: inout T, nulls: MergeNulls = .skip, nested: MergeNested = .replace,
        arrays: MergeArrays = .replace
    ) throws(JSONModelError) {
        try merge(Array(text.utf8), into: &value, nulls: nulls, nested: nested, arrays: arrays)
    }

    /// The encoder that writes what this decoder reads.
    private var encoderOfSameOptions: JSONModelEncoder {
        var encoder = JSONModelEncoder()
        encoder.planOptions = planOptions
        encoder.limits = limits
        return encoder
    }

    /// - Parameter target: memory that is not initialised; `merging` puts the copy of what is there into it.
    private func merge(
        _ shape: JSONShape, _ input: TextInput, into target: UnsafeMutableRawPointer, _ merging: Merging
    ) throws(JSONModelError) {
        let environment = environment
        let record = try environment.record(for: shape)
        defer { withExtendedLifetime(environment) {} }
        guard record.pointee.kind != .model || record.pointee.isMergeable else {
            throw JSONModelError(.invalidPlan(Driver.unreadable), model: shape.typeName)
        }
        var driver = Driver(shape: record, target: target, table: nil, decoder: self, emit: nil)
        let isElementwise = merging.arrays == .byIndex && record.pointee.hasMergeableElements
        if record.pointee.isMergeable || record.pointee.isPatchable || isElementwise {
            driver.kind = .merging
            driver.merging = merging
        }
        try run(driver, input, missing: JSONPath())
    }
}
