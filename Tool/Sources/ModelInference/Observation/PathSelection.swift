import SluiceCore

/// Finds the values at a path while the tokens of a document arrive.
///
/// Only the containers around the values are reported: those on the path, and those beside it, whose contents the caller ignores.
struct PathSelection {
    /// The role of a value.
    enum Role {
        /// The value is at the path.
        case selected
        /// The container is on the path.
        case outer
        /// The value is beside the path.
        case other
    }

    private let components: [JSONPath.Component]
    /// The open containers on the path: the index of the next element of an array, or nil for an object.
    private var open: [Int?] = []
    /// Whether the next value matches the path so far.
    private var matches = true

    init(_ path: JSONPath) { components = path.components }

    /// Returns the role of the next value, if it is a scalar, and completes the value.
    mutating func scalar() -> Role {
        let role: Role = matches && open.count == components.count ? .selected : .other
        complete()
        return role
    }

    /// Returns the role of the container that begins. The caller passes the tokens inside of an outer container.
    mutating func start(isObject: Bool) -> Role {
        guard matches else { return .other }
        guard open.count < components.count else { return .selected }
        let component = components[open.count]
        guard component.isOfObject == isObject else { return .other }
        open.append(isObject ? nil : 0)
        updateElement()
        return .outer
    }

    /// Receives a key of an outer object.
    mutating func key(_ text: UnsafeBufferPointer<UInt8>) {
        switch components[open.count - 1] {
        case .key(let key): matches = key.utf8.elementsEqual(text)
        case .anyKey: matches = true
        case .index, .anyIndex: matches = false
        }
    }

    /// Receives the end of an outer container.
    mutating func end() {
        open.removeLast()
        complete()
    }

    /// Receives the end of a container that is not an outer one.
    mutating func complete() {
        guard let last = open.last else {
            matches = true
            return
        }
        if let index = last {
            open[open.count - 1] = index + 1
            updateElement()
        }
    }

    private mutating func updateElement() {
        guard case .some(.some(let index)) = open.last else { return }
        switch components[open.count - 1] {
        case .anyIndex: matches = true
        case .index(let wanted): matches = index == wanted
        case .key, .anyKey: matches = false
        }
    }
}
