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

    /// Changes a value by a text in memory: what the text has keys for is replaced, the rest stays.
    ///
    /// A class whose properties are all variables stays the same object; of another one, and of models inside, a new one
    /// takes its place. With `.clear` and `.merge` this is a JSON Merge Patch (RFC 7396).
    ///
    /// - Parameters:
    ///   - nulls: what `null` means.
    ///   - nested: what becomes of models, dictionaries and `JSONValue`s inside.
    /// - Throws: ``JSONModelError``; then the value is as before.
    public func merge<T: JSONFillable>(
        _ bytes: UnsafeRawBufferPointer, into value: inout T, nulls: MergeNulls = .skip,
        nested: MergeNested = .replace
    ) throws(JSONModelError) {
        let merged = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { merged.deallocate() }
        try withUnsafePointer(to: value) { value throws(JSONModelError) in
            let merging = Merging(nulls: nulls, nested: nested) {
                $0.assumingMemoryBound(to: T.self).initialize(to: value.pointee)
            }
            try merge(JSONShape.of(T.self), .memory(bytes), into: merged, merging)
        }
        assign(merged, to: &value)
    }

    /// Changes a value by a text in memory.
    ///
    /// - Throws: ``JSONModelError``; then the value is as before.
    public func merge<T: JSONFillable>(
        _ bytes: [UInt8], into value: inout T, nulls: MergeNulls = .skip, nested: MergeNested = .replace
    ) throws(JSONModelError) {
        do { try bytes.withUnsafeBytes { try merge($0, into: &value, nulls: nulls, nested: nested) } } catch {
            // The closure of `withUnsafeBytes` can't have a typed error.
            throw error as! JSONModelError
        }
    }

    /// Changes a value by a text.
    ///
    /// - Throws: ``JSONModelError``; then the value is as before.
    public func merge<T: JSONFillable>(
        _ text: String, into value: inout T, nulls: MergeNulls = .skip, nested: MergeNested = .replace
    ) throws(JSONModelError) {
        try merge(Array(text.utf8), into: &value, nulls: nulls, nested: nested)
    }

    /// Puts what was merged in the place of the value, into the same object where that can be.
    private func assign<T: JSONFillable>(_ merged: UnsafeMutablePointer<T>, to value: inout T) {
        let result = merged.move()
        guard T.self is AnyObject.Type, let type = T.self as? any JSONModel.Type,
            let storage = type.plan.blueprint.storage, let assign = storage.assign, let read = storage.read
        else {
            value = result
            return
        }
        let blueprint = type.plan.blueprint
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(blueprint.size, 1), alignment: max(blueprint.alignment, 16))
        defer { memory.deallocate() }
        withUnsafePointer(to: result) { read($0, memory) }
        withUnsafeMutablePointer(to: &value) { assign(memory, $0) }
    }

    /// - Parameter target: memory that is not initialised; `merging` puts the copy of what is there into it.
    private func merge(
        _ shape: JSONShape, _ input: TextInput, into target: UnsafeMutableRawPointer, _ merging: Merging
    ) throws(JSONModelError) {
        let environment = environment
        let record = try environment.record(for: shape)
        defer { withExtendedLifetime(environment) {} }
        switch record.pointee.kind {
        case .model where record.pointee.isMergeable:
            var driver = Driver(shape: record, target: target, table: nil, decoder: self, emit: nil)
            driver.kind = .merging
            driver.merging = merging
            try run(driver, input, missing: JSONPath())
        case .model:
            let why = "it is filled through a storage that can't be made of a model: give its plan 'read'"
            throw JSONModelError(.invalidPlan(why), model: shape.typeName)
        case .value, .dictionary:
            let patch = try decode(JSONRaw.self, input, at: "")
            merging.copy?(target)
            do { try mergeNested(shape, patch.bytes, into: target, merging) } catch { throw error.error }
        default:
            try decode(shape, input, at: "", into: target)
        }
    }

    /// Changes a dictionary or a `JSONValue` by a text that stands inside of another.
    ///
    /// - Throws: an error; then there is nothing at `target` any more.
    func mergeNested(
        _ shape: JSONShape, _ patch: [UInt8], into target: UnsafeMutableRawPointer, _ merging: Merging
    ) throws(NestedFailure) {
        do {
            if shape.record.pointee.kind == .value {
                let value = target.assumingMemoryBound(to: JSONValue.self)
                let change = try decode(JSONValue.self, from: patch)
                value.pointee = value.pointee.merged(with: change, merging)
                return
            }
            guard let update = shape.update, let valueShape = shape.optionalValue?() else { return }
            for (key, raw) in try decode([String: JSONRaw].self, from: patch).sorted(by: { $0.key < $1.key }) {
                if raw.bytes.starts(with: "null".utf8), merging.nulls == .skip { continue }
                let isKey = try update(target, key) { value in
                    do throws(NestedFailure) { try mergeElement(valueShape, raw.bytes, value, merging) } catch {
                        throw error.continuing(key)
                    }
                }
                if !isKey { throw JSONModelError(.invalidKey(key, type: shape.typeName)) }
            }
        } catch {
            shape.destroy(target, 1)
            if let nested = error as? NestedFailure { throw nested }
            throw NestedFailure(error: error as? JSONModelError ?? JSONModelError(.thrown))
        }
    }

    /// Changes a value of a dictionary, which is an optional; on an error there is nothing any more.
    private func mergeElement(
        _ shape: JSONShape, _ patch: [UInt8], _ target: UnsafeMutableRawPointer, _ merging: Merging
    ) throws(NestedFailure) {
        let record = shape.record
        do {
            if merging.nested == .merge, record.pointee.presence(target) == .value,
                patch.first == UInt8(ascii: "{"),
                try environment.record(for: shape).pointee.isMergeable
            {
                if record.pointee.kind != .model { return try mergeNested(shape, patch, into: target, merging) }
                var inner = merging
                // It is there already.
                inner.copy = nil
                return try patch.withUnsafeBufferPointer { bytes throws(JSONModelError) in
                    try merge(shape, .memory(bytes), into: target, inner)
                }
            }
        } catch let error as NestedFailure {
            throw error
        } catch {
            throw NestedFailure(error: error as? JSONModelError ?? JSONModelError(.thrown))
        }
        shape.destroy(target, 1)
        try decodeNested(shape, patch, into: target)
    }
}

extension NestedFailure {
    /// The same failure, seen from an object that has it under a key.
    fileprivate func continuing(_ key: String) -> NestedFailure {
        NestedFailure(
            error: JSONModelError(
                issues: error.issues.map { issue in
                    var issue = issue
                    issue.path.components.insert(.key(key), at: 0)
                    return issue
                }))
    }
}

extension JSONValue {
    /// This value changed by another (RFC 7396, section 2).
    fileprivate func merged(with change: JSONValue, _ merging: Merging) -> JSONValue {
        guard case .object(let changes) = change else { return change }
        var members = object ?? [:]
        for (key, value) in changes {
            if value.isNull {
                if merging.nulls == .clear { members[key] = nil }
            } else {
                let isMerged = merging.nested == .merge
                members[key] = isMerged ? (members[key] ?? .null).merged(with: value, merging) : value
            }
        }
        return .object(members)
    }
}
