// The description of a plan as a readable table, for debugging and documentation.

extension ModelPlan: CustomStringConvertible {
    /// The plan as a table. A row has a field's keys in order of precedence, the property, its type, its offset in the
    /// model's memory in bytes, and whether the property is required, optional, ignored or has a default.
    public var description: String { _erased.description }
}

extension _AnyModelPlan: CustomStringConvertible {
    /// The plan as a table, followed by the defect that makes the plan unusable, if any.
    public var description: String {
        let compiled = ResolvedPlan(self, in: .standard, filter: nil) { shape, _ in LayoutReference(shape.layout) }
        let rows = [["key", "property", "type", "offset", ""]] + compiled.rows
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = (0..<4).map { column in
                let gap = String(repeating: " ", count: widths[column] - row[column].count)
                // Numbers are aligned on the right.
                return column == 3 ? gap + row[column] : row[column] + gap
            }
            return (row[4].isEmpty ? cells : cells + [row[4]]).joined(separator: "  ")
        }
        let head = "\(modelName): \(compiled.count)\(storage == nil ? "" : ", through a storage")"
        return ([head] + lines + (compiled.defect.map { ["unusable: \($0)"] } ?? [])).joined(separator: "\n")
    }
}

extension ResolvedPlan {
    fileprivate var count: String {
        if let union { return "\(union.cases.count) cases, \(union.tagging.words)" }
        return "\(fields.count) \(fields.count == 1 ? "field" : "fields")"
    }

    fileprivate var rows: [[String]] {
        guard let union else { return fields.map(\.row) }
        return union.cases.enumerated().map { index, one in
            let type = one.declared.payload?.typeName.withQuestionMark ?? "–"
            let names = union.declared.hasName(index) ? one.names.joined(separator: " | ") : "–"
            return [names, one.declared.name, type, "–", index == union.fallback ? "fallback" : ""]
        }
    }
}

extension FieldInfo {
    fileprivate var row: [String] {
        guard let shape, !paths.isEmpty || isExtra || isFlattenedEnum else {
            return ["–", name, "–", "\(offset)", "ignored"]
        }
        let keys =
            isExtra
            ? "all others" : isFlattenedEnum ? "its cases'" : paths.map(\.description).joined(separator: " | ")
        let use = isRequired ? "required" : makeDefault != nil ? "default" : "optional"
        let notes = [
            use, group == nil && !isFlattenedEnum ? nil : "flattened", declared.isLossy ? "lossy" : nil,
            declared.isHiddenUntilComplete ? "when complete" : nil,
            declared.isEncoded ? nil : "not written",
        ]
        return [
            keys, name, shape.typeName.withQuestionMark, "\(offset)",
            notes.compactMap { $0 }.joined(separator: ", "),
        ]
    }
}

extension JSONTagging {
    fileprivate var words: String {
        switch self {
        case .external: "external tag: the key around the value"
        case .internal(let tag): "internal tag \"\(tag)\""
        case .adjacent(let tag, let content): "adjacent tag \"\(tag)\", content \"\(content)\""
        case .untagged: "untagged"
        }
    }
}

extension String {
    /// The type name as in source code: `Int?` for `Optional<Int>`.
    fileprivate var withQuestionMark: String {
        guard hasPrefix("Optional<"), hasSuffix(">") else { return self }
        return dropFirst("Optional<".count).dropLast() + "?"
    }
}
