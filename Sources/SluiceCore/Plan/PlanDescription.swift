// A plan as a table that people can read, for debugging and for the documentation.

extension ModelPlan: CustomStringConvertible {
    /// The plan as a table: for each field its keys in their order of precedence, the property, its type, its offset
    /// in the model's memory in bytes, and whether it is required, optional, has a default, or is ignored.
    public var description: String { blueprint.description }
}

extension PlanBlueprint: CustomStringConvertible {
    /// The plan as a table, with what makes it unusable, if anything does.
    public var description: String {
        let rows = [["key", "property", "type", "offset", ""]] + fields.map(\.row)
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = (0..<4).map { column in
                let gap = String(repeating: " ", count: widths[column] - row[column].count)
                // Numbers end in one column.
                return column == 3 ? gap + row[column] : row[column] + gap
            }
            return (row[4].isEmpty ? cells : cells + [row[4]]).joined(separator: "  ")
        }
        let storage = make == nil ? "" : ", through a storage"
        let head = "\(modelName): \(fields.count) \(fields.count == 1 ? "field" : "fields")\(storage)"
        return ([head] + lines + (defect.map { ["unusable: \($0)"] } ?? [])).joined(separator: "\n")
    }
}

extension PlanBlueprint.FieldFacts {
    fileprivate var row: [String] {
        let keys = paths.map(\.description).joined(separator: " | ")
        guard let shape else { return ["–", name, "–", "\(offset)", "ignored"] }
        let use = isRequired ? "required" : makeDefault != nil ? "default" : "optional"
        return [keys, name, shape.typeName.withQuestionMark, "\(offset)", use]
    }
}

extension String {
    /// `Optional<Int>` as it is written in a program.
    fileprivate var withQuestionMark: String {
        guard hasPrefix("Optional<"), hasSuffix(">") else { return self }
        return dropFirst("Optional<".count).dropLast() + "?"
    }
}
