// The state of a merge.

/// How an existing value is changed.
struct Merging {
    let options: JSONMergeOptions
    /// Writes a value as JSON.
    let json: (ValueSlot) throws(JSONModelError) -> JSONValue
    /// The search for objects that are not of their declared class.
    var subclasses: SubclassSearch
    /// Makes the copy, at the root of the value.
    let copy: (UnsafeMutableRawPointer) -> Void
    var isCopied = false
    /// The objects that were changed in place.
    var changes = ObjectChanges()
    /// The entry of the changes, or nil if they are the root of the input.
    var entry: EntryReference?
}

extension Merging {
    static func rejection(ofReplacing name: String) -> JSONIssue.Kind {
        .invalidValue(
            expected: "a change of an existing object",
            reason:
                "the new value would have no object of the subclass \(name): use nested: .merge, and arrays: .byIndex for arrays"
        )
    }

    /// Returns the reason why an object of a subclass cannot be changed: it would be changed as JSON, and made again as an object of the
    /// declared class.
    static func rejection(ofChanging name: String) -> JSONIssue.Kind {
        .invalidValue(
            expected: "a change of an existing object",
            reason:
                "an object of the subclass \(name), which has a flattened enum or a transform, cannot be changed")
    }
}

/// The objects that a merge changed in place, with their previous properties, so that a failure can undo the changes.
///
/// The owner calls `keep()` or `undoAll()` before the end.
struct ObjectChanges {
    private struct Change {
        let object: AnyObject
        var functions: StorageFunctions
        /// The storage of the object before the change.
        var before: UnsafeMutableRawPointer
        /// The indexes of the changes of the same object before and after this one.
        var previous: Int?
        var next: Int?
    }

    /// A change that was undone on its own is nil.
    private var changes: [Change?] = []
    /// The index of the last change of each object, which several properties may have.
    private var last: [ObjectIdentifier: Int] = [:]

    var count: Int { changes.count }

    /// Assigns the contents of a storage to an object. The contents are moved out of the storage.
    mutating func assign(_ storage: UnsafeMutableRawPointer, to object: AnyObject, by erasedPlan: _AnyModelPlan) {
        guard let functions = erasedPlan.storage, let read = functions.read, let assign = functions.assign else {
            return
        }
        let before = UnsafeMutableRawPointer.allocate(
            byteCount: max(erasedPlan.size, 1), alignment: max(erasedPlan.alignment, 16))
        var object = object
        withUnsafeMutablePointer(to: &object) {
            read(UnsafeRawPointer($0), before)
            assign(storage, UnsafeMutableRawPointer($0))
        }
        let index = changes.count
        let previous = last.updateValue(index, forKey: ObjectIdentifier(object))
        if let previous { changes[previous]?.next = index }
        changes.append(Change(object: object, functions: functions, before: before, previous: previous))
    }

    /// Undoes the last changes, so that the first `count` remain.
    mutating func undo(downTo count: Int) {
        while changes.count > count {
            undo(at: changes.count - 1)
            changes.removeLast()
        }
    }

    /// Undoes the changes of a range. The count stays the same.
    mutating func undo(_ range: Range<Int>) {
        for index in range.clamped(to: changes.indices).reversed() { undo(at: index) }
    }

    /// Undoes a change. An object that was changed again keeps its properties, so that the later change is not lost. Undoing that change
    /// restores the properties before both.
    private mutating func undo(at index: Int) {
        guard let change = changes[index] else { return }
        changes[index] = nil
        if let previous = change.previous { changes[previous]?.next = change.next }
        guard let next = change.next, let later = changes[next] else {
            last[ObjectIdentifier(change.object)] = change.previous
            return Self.undo(change)
        }
        changes[next]?.previous = change.previous
        changes[next]?.functions = change.functions
        changes[next]?.before = change.before
        later.functions.destroy(later.before)
        later.before.deallocate()
    }

    /// Undoes all changes. `self` must not be used afterwards.
    func undoAll() { for case let change? in changes.reversed() { Self.undo(change) } }

    private static func undo(_ change: Change) {
        var object = change.object
        withUnsafeMutablePointer(to: &object) {
            change.functions.assign?(change.before, UnsafeMutableRawPointer($0))
        }
        change.before.deallocate()
    }

    /// Makes the changes final.
    mutating func keep() {
        for case let change? in changes {
            change.functions.destroy(change.before)
            change.before.deallocate()
        }
        (changes, last) = ([], [:])
    }
}

/// The values that the members of a changed object had before, by key.
///
/// The last of several equal keys wins: each value of a repeated key is applied to the original value, not to the result of the
/// value before.
final class MergeOriginals {
    /// A key of the object: that of a field, an object or array on a path, or a member of a container.
    enum Key: Hashable {
        case entry(EntryReference)
        case member(AnyHashable)
        /// Each candidate for a field.
        case field(Int)
    }

    /// A copy of a value, or no value.
    struct Value {
        /// The number of the field; −1 for the member of a container.
        let field: Int
        /// The rank of the best candidate that was read, plus one.
        let rank: Int
        /// The copy; nil if the field or member had no value.
        let memory: UnsafeMutableRawPointer?
        fileprivate let destroy: (UnsafeMutableRawPointer) -> Void
    }

    private struct Occurrence {
        let values: [Value]
        /// The changes of objects by the last value of the key.
        var changes: Range<Int>
    }

    private var occurrences: [Key: Occurrence] = [:]
    /// The key whose value is being read.
    private var current: Key?

    deinit {
        for value in occurrences.values.lazy.flatMap(\.values) {
            guard let memory = value.memory else { continue }
            value.destroy(memory)
            memory.deallocate()
        }
    }

    /// Begins the value of a key.
    ///
    /// - Parameter count: The number of changes of objects so far.
    /// - Returns: The original values, and the changes by the last value of the same key; nil for the first value of a key.
    func begin(_ key: Key, changes count: Int) -> (values: [Value], changes: Range<Int>)? {
        end(changes: count)
        current = key
        guard let known = occurrences[key] else { return nil }
        occurrences[key]?.changes = count..<count
        return (known.values, known.changes)
    }

    /// Ends the value of the current key.
    func end(changes count: Int) {
        if let current, let last = occurrences[current] {
            occurrences[current]?.changes = last.changes.lowerBound..<max(count, last.changes.lowerBound)
        }
        current = nil
    }

    /// Records the original values of the key that has begun.
    func record(_ values: [Value], changes count: Int) {
        guard let current else { return }
        occurrences[current] = Occurrence(values: values, changes: count..<count)
    }

    /// Copies a value.
    static func copy(
        of type: Any.Type, _ layout: LayoutReference, at address: UnsafeRawPointer, field: Int = -1, rank: Int = 0,
        destroy: @escaping (UnsafeMutableRawPointer) -> Void
    ) -> Value {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: max(layout.size, 1), alignment: max(layout.alignmentMask + 1, 16))
        ValueCopy.copy(type, from: address, to: memory)
        return Value(field: field, rank: rank, memory: memory, destroy: destroy)
    }

    /// Records that a field or member has no value.
    static func missing(field: Int = -1, rank: Int = 0) -> Value {
        Value(field: field, rank: rank, memory: nil, destroy: { _ in })
    }
}
