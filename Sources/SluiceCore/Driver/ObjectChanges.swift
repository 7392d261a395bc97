/// The objects that a merge changed in place, with their previous properties, so that a failure can undo the changes.
///
/// The owner calls `keep()` or `undoAll()` before the end.
struct ObjectChanges {
    private struct Change {
        let object: AnyObject
        let functions: StorageFunctions
        /// The storage of the object before the change.
        let before: UnsafeMutableRawPointer
    }

    /// A change that was undone on its own is nil.
    private var changes: [Change?] = []

    var count: Int { changes.count }

    /// Assigns the contents of a storage to an object. The contents are moved out of the storage.
    mutating func assign(_ storage: UnsafeMutableRawPointer, to object: AnyObject, by erasedPlan: AnyModelPlan) {
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
        changes.append(Change(object: object, functions: functions, before: before))
    }

    /// Undoes the last changes, so that the first `count` remain.
    mutating func undo(downTo count: Int) {
        while changes.count > count {
            if let change = changes.removeLast() { Self.undo(change) }
        }
    }

    /// Undoes the changes of a range. The count stays the same.
    mutating func undo(_ range: Range<Int>) {
        for index in range.clamped(to: changes.indices).reversed() {
            guard let change = changes[index] else { continue }
            Self.undo(change)
            changes[index] = nil
        }
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
        changes = []
    }
}
