@_spi(Reflection) import Swift

// Unchecked for the generic types that its closures capture; all else in them is `Sendable`.
/// A plan without its model's type: the table that the driver reads, and the cold facts beside it.
public final class PlanBlueprint: @unchecked Sendable {
    /// What is known of one field, beside its entries in the table.
    struct FieldFacts {
        let name: String
        let offset: Int
        let paths: [JSONPath]
        let isRequired: Bool
        let shape: JSONShape?
        let makeDefault: ((UnsafeMutableRawPointer) -> Void)?
        let destroy: (UnsafeMutableRawPointer) -> Void
    }

    let model: ObjectIdentifier
    let modelName: String
    let fields: [FieldFacts]
    /// What makes the plan unusable, or nil.
    let defect: String?
    /// Makes the model of its storage, where that is not the model's own memory.
    let make: ((_ storage: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) -> Void)?
    /// Immortal, immutable once made. Never read where there is a defect.
    let table: UnsafePointer<FieldTable>

    /// The shapes of the fields, so that their plans can be found before the driver runs.
    var shapes: [JSONShape] { fields.compactMap(\.shape) }

    init<Model, Memory>(
        of model: Model.Type, _ declared: [Field<Memory>],
        make: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void)?
    ) {
        self.model = ObjectIdentifier(model)
        modelName = String(describing: model)
        self.make = make
        var defect: String?
        var facts: [FieldFacts] = []
        for field in declared {
            guard let offset = field.offset else {
                defect =
                    defect
                    ?? "'\(field.name)' has no memory of its own (it is computed, lazy, observed or of a class)"
                continue
            }
            var paths: [JSONPath] = []
            for text in field.paths {
                do {
                    let path = try JSONPath(parsing: text)
                    if path.components.isEmpty || path.components.contains(.every) {
                        defect = defect ?? "'\(field.name)' cannot be filled from the path '\(text)'"
                    }
                    paths.append(path)
                } catch {
                    defect = defect ?? error.description
                }
            }
            let isOptional = field.shape?.record.pointee.isOptional ?? false
            facts.append(
                FieldFacts(
                    name: field.name, offset: offset, paths: paths,
                    isRequired: field.shape != nil && !isOptional && field.makeDefault == nil,
                    shape: field.shape, makeDefault: field.makeDefault, destroy: field.destroy))
        }
        defect = defect ?? Self.uncovered(Memory.self, by: declared)
        fields = facts

        var builder = TableBuilder(
            fields: facts, size: MemoryLayout<Memory>.size, alignment: MemoryLayout<Memory>.alignment)
        let built = builder.build()
        self.defect = defect ?? builder.defect
        table = built
        // Tables point to their blueprint: retained for good, as everything about a type is.
        builder.adopt(.passRetained(self))
    }

    /// A stored property of a struct that no field names would be left as garbage: found by the runtime's list of
    /// the type's properties, and refused.
    private static func uncovered<Memory>(_ type: Memory.Type, by fields: [Field<Memory>]) -> String? {
        guard !(type is AnyClass) else {
            return "a class is filled through its storage: ModelPlan(storage:_:make:)"
        }
        var missing: String?
        // Where an empty property lies, another may lie too.
        let offsets = Set(fields.filter { $0.typeSize > 0 }.compactMap(\.offset))
        _ = _forEachField(of: type) { name, offset, fieldType, _ in
            func size<T>(_: T.Type) -> Int { MemoryLayout<T>.size }
            if !offsets.contains(offset), _openExistential(fieldType, do: size) > 0, missing == nil {
                missing = "no field names the stored property '\(String(cString: name))'"
            }
            return true
        }
        return missing
    }
}
