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
                try input.withContent { content throws(JSONModelError) in
                    try merge(
                        JSONShape.unretained(of: T.self), content, at: path, into: merged, options, from: value)
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
    ///   - target: Uninitialized memory.
    ///   - original: The existing value.
    private func merge(
        _ shape: Unmanaged<JSONShape>, _ content: JSONInputContent, at path: JSONPath,
        into target: UnsafeMutableRawPointer, _ options: JSONMergeOptions, from original: UnsafeRawPointer
    ) throws(JSONModelError) {
        try planCache.withRoot(shape, path) { layout, root throws(JSONModelError) in
            guard layout.kind != .model || layout.isMergeable else {
                throw JSONModelError(
                    .invalidPlan(LayoutReference.unreadable), model: shape.takeUnretainedValue().typeName)
            }
            let existing = ValueSlot(address: UnsafeMutableRawPointer(mutating: original), layout: layout)
            var subclasses = SubclassSearch(planCache)
            let isElementwise = options.arrays == .byIndex && layout.hasMergeableElements
            guard layout.isMergeable || layout.isPatchable || isElementwise else {
                if let name = subclasses.name(in: existing) {
                    throw JSONModelError(SubclassSearch.rejection(ofReplacing: name))
                }
                return try decode(shape, content, at: path, into: target)
            }
            let recording = try record(content, at: path)
            let (storage, path, changes) = (recording.storage, root?.path ?? JSONPath(), ObjectChanges())
            let driver = Driver(
                slot: ValueSlot(address: target, layout: layout), table: root?.table,
                options: .passUnretained(sharedOptions), emit: nil)
            var editor = ModelEditor(
                driver: driver, storage: storage, options: options, changes: changes, subclasses: subclasses,
                json: jsonOfValues, replayer: Replayer(of: storage, limits: limits))
            do throws(JSONModelError) {
                do throws(Replayer.Outcome) { try editor.run(recording.index, on: existing, at: path) } catch {
                    if case .fail(let issue) = error {
                        throw JSONModelError(issues: editor.driver.collectedIssues + [issue])
                    }
                }
                _ = try editor.driver.outcome(missing: path, isPartial: false) { storage.located($0, at: nil) }
            } catch {
                changes.undo(downTo: 0)
                throw error
            }
        }
    }

    /// Records the value at a path of an input.
    private func record(_ content: JSONInputContent, at path: JSONPath) throws(JSONModelError) -> Recording {
        do throws(JSONModelError) { return try read(Recording.self, JSONShape.recording, content, at: path) } catch
        {
            // A recording has no paths. An input that can be read again gives the path of the error.
            if content.isText, !content.isRepeatableText { throw error }
            var decoder = self
            decoder.progressHandler = nil
            do throws(JSONModelError) {
                _ = try decoder.read(JSONValue.self, JSONShape.of(JSONValue.self), content, at: path)
            } catch let other {
                if other.issues[0].location == error.issues[0].location { throw other }
            }
            throw error
        }
    }

    private func read<Value>(
        _: Value.Type, _ shape: JSONShape, _ content: JSONInputContent, at path: JSONPath
    ) throws(JSONModelError) -> Value {
        try withStackMemory(of: Value.self) { memory throws(JSONModelError) in
            try decode(.passUnretained(shape), content, at: path, into: memory)
            return memory.move()
        }
    }
}
