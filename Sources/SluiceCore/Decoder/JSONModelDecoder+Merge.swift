// Merging: JSON changes an existing value.

extension JSONModelDecoder {
    /// Changes a value by JSON. Values whose keys are present are replaced, and all others are unchanged.
    ///
    /// An object is merged by its dynamic class. If all decoded properties of the class are variables, the object keeps its
    /// identity, at the root and nested; otherwise a new object of the class replaces it. With
    /// ``JSONMergeOptions/mergePatch``, this is a JSON Merge Patch (RFC 7396). Replacing a value that contains an object of a
    /// subclass by a value of the declared class is an error.
    ///
    /// - Parameters:
    ///   - input: The changes. See ``JSONInput``.
    ///   - value: The value to change.
    ///   - path: The path of the changes in the input. The default is the root.
    ///   - options: How `null`, nested values and arrays are handled. By default, `null` is skipped, and nested values are replaced.
    /// - Throws: ``JSONModelError``. The value is then unchanged.
    public func merge<T: JSONConvertible>(
        _ input: borrowing some JSONInput & ~Copyable & ~Escapable, into value: inout T,
        at path: JSONPath = JSONPath(), options: JSONMergeOptions = JSONMergeOptions()
    ) throws(JSONModelError) {
        value = try withStackMemory(of: T.self) { merged throws(JSONModelError) in
            try withUnsafePointer(to: value) { value throws(JSONModelError) in
                let merging = Merging(
                    options: options, json: jsonOfValues, subclasses: SubclassSearch(planCache),
                    copy: { $0.assumingMemoryBound(to: T.self).initialize(to: value.pointee) })
                try input.withContent { content throws(JSONModelError) in
                    try merge(
                        JSONShape.unretained(of: T.self), content, at: path, into: merged, merging, from: value)
                }
            }
            return merged.move()
        }
    }

    /// The options by which existing values are encoded.
    private var encodingOptions: EncodingOptions {
        var encoding = EncodingOptions()
        encoding.planOptions = options.planOptions
        encoding.limits = options.limits
        return encoding
    }

    /// Returns a value as JSON that this decoder can read.
    private var jsonOfValues: (ValueSlot) throws(JSONModelError) -> JSONValue {
        { [encoding = encodingOptions] slot throws(JSONModelError) in
            let value = try ModelWriter.withText(slot.address, slot.layout, encoding) { text in
                Recording(written: text).value
            }
            guard let value else { throw JSONModelError(.limitExceeded(.depth, limit: JSONValue.maximumDepth)) }
            return value
        }
    }

    /// - Parameters:
    ///   - target: Uninitialized memory, to which `merging` copies the existing value.
    ///   - original: The existing value.
    private func merge(
        _ shape: Unmanaged<JSONShape>, _ content: JSONInputContent, at path: JSONPath,
        into target: UnsafeMutableRawPointer,
        _ merging: Merging, from original: UnsafeRawPointer
    ) throws(JSONModelError) {
        try planCache.withRoot(shape, path) { layout, root throws(JSONModelError) in
            guard layout.kind != .model || layout.isMergeable else {
                throw JSONModelError(.invalidPlan(Driver.unreadable), model: shape.takeUnretainedValue().typeName)
            }
            var driver = Driver(
                slot: ValueSlot(address: target, layout: layout), table: root?.table,
                options: .passUnretained(sharedOptions),
                emit: nil)
            let isElementwise = merging.options.arrays == .byIndex && layout.hasMergeableElements
            if layout.isMergeable || layout.isPatchable || isElementwise {
                driver.merge(merging, at: root?.mergeValue())
            } else {
                var merging = merging
                let value = ValueSlot(address: UnsafeMutableRawPointer(mutating: original), layout: layout)
                if let name = merging.subclasses.name(in: value) {
                    throw JSONModelError(Merging.rejection(ofReplacing: name))
                }
            }
            try run(&driver, content, missing: root?.path ?? JSONPath())
        }
    }
}
