import JSONPaths

extension JSONValue {
    /// The part at a path; nil if the value has no such part, or if the path has a wildcard.
    ///
    /// ```swift
    /// let city = order[path: "customer.addresses[0].city"]?.string
    /// order[path: "customer.isNew"] = true
    /// ```
    ///
    /// Setting a value changes the part in place, and makes the objects on the path that are missing or `null`. Setting nil removes the part;
    /// the root becomes `null`. Setting a value at an index that is out of range, at a key of a value that is not an object, or at a path with
    /// a wildcard stops the program.
    public subscript(path path: JSONPath) -> JSONValue? {
        get {
            var value = self
            for component in path.components {
                guard let part = value[component] else { return nil }
                value = part
            }
            return value
        }
        set {
            if newValue == nil, self[path: path] == nil { return }
            // Values are moved out of their containers, so that no container is copied. A loop, because a path may have any length.
            var containers: [JSONValue] = []
            var value: JSONValue? = self
            self = .null
            for component in path.components {
                var container = value ?? .null
                value = container.takePart(component)
                containers.append(container)
            }
            value = newValue
            for component in path.components.reversed() {
                var container = containers.removeLast()
                container[component] = value
                value = container
            }
            self = value ?? .null
        }
    }

    private subscript(component: JSONPath.Component) -> JSONValue? {
        get {
            switch component {
            case .key(let key): self[key]
            case .index(let index): self[index]
            case .anyKey, .anyIndex: nil
            }
        }
        set {
            switch component {
            case .key(let key): self[key] = newValue
            case .index(let index): self[index] = newValue
            case .anyKey, .anyIndex: preconditionFailure("a path with a wildcard is not the path of one part")
            }
        }
    }

    /// Moves a part out of this value, and leaves `null`.
    private mutating func takePart(_ component: JSONPath.Component) -> JSONValue? {
        if self[component] == nil { return nil }
        var part: JSONValue? = .null
        switch component {
        case .key(let key): swap(&self[key], &part)
        case .index(let index): swap(&self[index], &part)
        case .anyKey, .anyIndex: break
        }
        return part
    }
}
