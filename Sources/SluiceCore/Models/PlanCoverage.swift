/// The check that the fields of a plan fill every byte of a type's memory exactly once.
///
/// The decoder writes each field at its offset and destroys each field that it has written. A stored property without a
/// field would stay uninitialized, and bytes of two fields would be destroyed twice. A field may be a stored property or
/// a part of one (`\.origin.x`, `\.pair.0`), in which case the other parts need fields as well. Padding and empty
/// properties need none.
struct PlanCoverage {
    /// The bytes of one field.
    struct Part {
        let name: String
        let bytes: Range<Int>
    }

    /// The parts that are not empty, sorted by offset.
    private let parts: [Part]

    /// Returns the first defect of a plan whose fields are these parts of a type's memory.
    ///
    /// - Parameter properties: The stored properties of the type; nil for a type whose properties the runtime does not list.
    static func defect<Memory>(
        of type: Memory.Type, _ parts: [Part], _ properties: [StoredProperty]?
    ) -> String? {
        if type is AnyClass { return "a class is filled through its storage: ModelPlan(storage:_:make:)" }
        let coverage = PlanCoverage(parts: parts.filter { !$0.bytes.isEmpty })
        if MemoryLayout<Memory>.size == 0 { return nil }
        guard let properties else {
            return "\(type) is not a struct; use a storage: ModelPlan(storage:_:make:)"
        }
        return coverage.overlap() ?? coverage.uncovered(properties.filter { !$0.bytes.isEmpty })
    }

    /// Returns the name of the only stored property of a type that no part fills; nil if several properties qualify.
    ///
    /// The key path of a closure, or of a `weak`, `unowned` or observed property, has neither an offset nor a name.
    static func unfilledProperty<Memory>(
        _ value: Any.Type, of type: Memory.Type, besides parts: [Part], isWritable: Bool
    ) -> String? {
        guard StoredProperty.isAggregate(type) else { return nil }
        var names: [String] = []
        let coverage = PlanCoverage(parts: parts)
        for property in StoredProperty.all(of: type) where property.type == value {
            // A read-only key path may be that of a computed property. A stored property of its type is a different one.
            if isWritable || !property.isValue, coverage.parts(in: property.bytes).isEmpty {
                names.append(property.name)
            }
        }
        return names.count == 1 ? names[0] : nil
    }

    private init(parts: [Part]) {
        self.parts = parts.sorted {
            ($0.bytes.lowerBound, $1.bytes.count) < ($1.bytes.lowerBound, $0.bytes.count)
        }
    }

    /// Returns the defect of two parts with common bytes.
    private func overlap() -> String? {
        guard var last = parts.first else { return nil }
        for part in parts.dropFirst() {
            if part.bytes.lowerBound < last.bytes.upperBound {
                return part.name == last.name
                    ? "two fields fill '\(part.name)'" : "'\(last.name)' and '\(part.name)' fill the same memory"
            }
            last = part
        }
        return nil
    }

    /// Returns the defect of a stored property that no part fills, or whose bytes are filled only in part.
    private func uncovered(_ properties: [StoredProperty], at base: Int = 0, in path: String = "") -> String? {
        for property in properties {
            let bytes = base + property.bytes.lowerBound..<base + property.bytes.upperBound
            let found = parts(in: bytes)
            let name = path + property.name
            guard let part = found.first else { return "no field names the stored property '\(name)'" }
            if part.bytes == bytes { continue }
            let inner = property.isAggregate ? StoredProperty.all(of: property.type) : []
            if inner.isEmpty {
                return "'\(part.name)' is a part of '\(name)', which can only be filled as a whole"
            }
            if let defect = uncovered(inner, at: bytes.lowerBound, in: name + ".") { return defect }
        }
        return nil
    }

    /// Returns the parts that overlap a range of bytes. The parts themselves are disjoint.
    private func parts(in bytes: Range<Int>) -> ArraySlice<Part> {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].bytes.upperBound > bytes.lowerBound { high = middle } else { low = middle + 1 }
        }
        return parts[low...].prefix { $0.bytes.lowerBound < bytes.upperBound }
    }

    /// Returns the defect of a class whose superclass has stored properties, which the plan does not fill.
    static func superclassDefect(of model: Any.Type) -> String? {
        guard let type = model as? AnyClass, let superclass = _getSuperclass(type) else { return nil }
        let names = StoredProperty.names(in: superclass).map { "'\($0)'" }
        guard !names.isEmpty else { return nil }
        let list = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
        return
            "its superclass \(superclass) is not a model, so \(list) would be lost; add @JSONModel to the superclass, or "
            + "write '@JSONModel(superclass: .ignored)'"
    }
}
