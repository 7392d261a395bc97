extension Declaration {
    /// The declaration on one side, as lines.
    func lines(_ side: Side, _ generator: inout Generator) -> [String] {
        var lines: [String]
        let access = side == .model ? access : min(access, .internal)
        let head =
            "\(access.prefix)\(kind == .structure ? "struct" : kind == .raw || kind == .union ? "enum" : "class") "
        let final = kind == .finalClass ? "final " : ""
        let parameter = isGeneric ? (side == .model ? "<T: JSONConvertible>" : "<T: Codable>") : ""
        let parents: String =
            switch (side, kind) {
            case (_, .raw): ": \(options[0])" + (side == .model ? "" : ", Codable")
            case (.model, _): superclass.map { ": \($0.name)" } ?? ""
            case (.twin, _): ": " + (superclass.map(side.name(of:)) ?? "Twin")
            }
        lines = side == .model ? attributes(&generator) : []
        lines.append("\(final)\(head)\(side.name(of: self))\(parameter)\(parents) {")
        var body = nested.flatMap { $0.lines(side, &generator) }
        switch kind {
        case .raw: body += rawLines(side)
        case .union: body += caseLines(side, &generator) + (side == .twin ? unionCoding : [])
        default: body += propertyLines(side, &generator) + hookLines + (side == .twin ? coding : [])
        }
        return lines + body.map { "    " + $0 } + ["}"]
    }

    private func attributes(_ generator: inout Generator) -> [String] {
        var arguments = kind == .raw ? [] : options
        if strategy != .asDeclared { arguments.append("keys: .\(strategy)") }
        if rejectsUnknown, superclass == nil { arguments.append("unknownKeys: .reject") }
        if defaultsOnMismatch { arguments.append("defaultsOn: .all") }
        switch tagging {
        case .external: break
        case .internal(let tag): arguments.append("tag: \"\(tag)\"")
        case .adjacent(let tag, let content): arguments += ["tag: \"\(tag)\"", "content: \"\(content)\""]
        case .untagged: arguments.insert(".untagged", at: 0)
        }
        if let fallback { arguments.append("fallback: \"\(fallback)\"") }
        let comment = generator.chance(20) ? ["/// A model, with \"quotes\" and a \\."] : []
        return comment + ["@JSONModel" + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")]
    }

    // MARK: Structs and classes

    private func propertyLines(_ side: Side, _ generator: inout Generator) -> [String] {
        if side == .twin {
            return properties.filter(\.exists).map { property in
                if property.place == .computed { return property.computed(side) }
                let keepsValue = [.undecoded, .ignored, .fixed].contains(property.place)
                return
                    "\(property.attributes.contains("@Wrapper") ? "@Wrapper " : "")\(min(property.form.access, .internal).prefix)\(property.declaration(side))"
                    + (keepsValue ? " = \(property.value?(side) ?? "nil")" : "") + property.suffix
            }
        }
        var lines: [String] = []
        var isJoinable = false
        for property in properties {
            let isPlain =
                property.attributes.isEmpty && property.modifiers.isEmpty && property.condition == nil
                && property.suffix.isEmpty && [.planned, .fixed].contains(property.place)
            // Swift 6.3 refuses the memberwise initializer of `var a = 1, b: Int`, and of `var a: Int?, b: Int`.
            let hasValue = property.value != nil || !property.isLet && property.form.isOptional
            if isPlain, isJoinable, lines.last?.hasPrefix(property.isLet ? "let " : "var ") == true,
                generator.chance(60)
            {
                lines[lines.count - 1] +=
                    ", " + property.declaration(side).dropFirst(4) + property.initializer(side)
                isJoinable = !hasValue
                continue
            }
            isJoinable = isPlain && !hasValue
            if let condition = property.condition {
                lines.append("#if \(condition.text)")
            } else if generator.chance(15) {
                lines.append(
                    generator.one(of: [
                        "/// A property, and \"more\".", "// A comment.", "static let shared = 1".comment, "",
                    ]))
            }
            lines += property.lines(side, &generator)
            if let condition = property.condition {
                if !condition.holds, generator.chance(50) {
                    lines += ["#else", "static var other\(lines.count) = 1".comment]
                }
                lines.append("#endif")
            }
        }
        if generator.chance(20) {
            lines.append(isGeneric ? "static var maximum: Int { 3 }" : "static let maximum\(name) = 3")
        }
        return lines
    }

    private var hookLines: [String] {
        guard hooks else { return [] }
        let function = kind == .structure ? "mutating func" : "func"
        var lines = ["\(function) didDecode() { checks += 1 }"]
        if let counted { lines.append("func validate() -> Bool { \(counted.reference) != 1 }") }
        return lines
    }

    private var counted: Property? {
        properties.first { $0.exists && $0.place == .planned && $0.form.text(.model) == "Int" }
    }

    private var coding: [String] {
        let own = properties.filter(\.exists)
        var lines = [(kind == .structure ? "" : "required ") + "init(from decoder: any Decoder) throws {"]
        lines.append("    let object = try Object(decoder)")
        lines += own.compactMap { $0.decoding(besides: keys, isTolerant: defaultsOnMismatch) }.map { "    " + $0 }
        if superclass != nil { lines.append("    try super.init(from: decoder)") }
        if hooks { lines.append("    didDecode()") }
        if hooks, counted != nil { lines.append("    guard validate() else { throw Mismatch() }") }
        if rejectsUnknown, !all.contains(where: { $0.place == .extra }) {
            let condition =
                kind == .openClass || superclass != nil ? "if type(of: self) == \(name)Twin.self { " : ""
            lines.append("    \(condition)try object.reject(besides: \(keys))\(condition.isEmpty ? "" : " }")")
        }
        lines += ["}", (superclass == nil ? "" : "override ") + "func write(to output: inout JSON) throws {"]
        if superclass != nil { lines.append("    try super.write(to: &output)") }
        return lines + own.compactMap { $0.encoding(besides: keys) }.map { "    " + $0 } + ["}"]
    }

    // MARK: Enums

    private func rawLines(_ side: Side) -> [String] {
        var lines = rawValues.map { value in
            let raw = if case .number(let text) = value.json { " = \(text)" } else { "" }
            return "case \(Name(value.name).code)\(raw)"
        }
        if side == .twin, let fallback {
            lines += [
                "init(from decoder: any Decoder) throws {",
                "    self = Self(rawValue: try String(from: decoder)) ?? .\(Name(fallback).code)", "}",
            ]
        }
        return lines
    }

    private func caseLines(_ side: Side, _ generator: inout Generator) -> [String] {
        var lines: [String] = []
        for item in cases {
            var text = Name(item.name).code
            if let form = item.form { text += "(\(form.text(side)))" }
            if !item.labels.isEmpty {
                let labels = item.labels.map { "\($0.reference): \($0.form.text(side))\($0.initializer(side))" }
                text += "(\(labels.joined(separator: ", ")))"
            }
            let key =
                item.hasKey && side == .model ? "@JSONKey(\"\(item.names[0])\", or: \"\(item.names[1])\") " : ""
            if key.isEmpty, lines.last?.hasPrefix("case ") == true, generator.chance(30) {
                lines[lines.count - 1] += ", " + text
            } else {
                lines.append("\(key)\(!item.isEmpty && generator.chance(10) ? "indirect " : "")case \(text)")
            }
        }
        return lines
    }

    private var unionCoding: [String] {
        var lines = ["init(from decoder: any Decoder) throws {"]
        let names = cases.map { "\($0.name == self.fallback ? [] : $0.names)" }.joined(separator: ", ")
        let empty = cases.indices.filter { cases[$0].isEmpty }
        let fallback = cases.firstIndex { $0.name == self.fallback }.map { "\($0)" } ?? "nil"
        lines.append(
            "    self = try choose(decoder, \(tagging.code), [\(names)], empty: \(empty), fallback: \(fallback)) { index, payload in"
        )
        lines.append("        switch index {")
        for (index, item) in cases.enumerated() {
            let label = index == cases.count - 1 ? "default" : "case \(index)"
            let name = "Self.\(Name(item.name).code)"
            if let form = item.form {
                lines.append(
                    "        \(label): return try \(name)(payload.value(\(form.text(.twin).parenthesized).self))")
            } else if !item.labels.isEmpty {
                lines.append("        \(label): let object = try payload.object()")
                let values = item.labels.map { "\($0.reference): \($0.decoded(isTolerant: false))" }
                lines.append("            return \(name)(\(values.joined(separator: ", ")))")
            } else {
                lines.append("        \(label): return \(name)")
            }
        }
        lines += ["        }", "    }", "}", "func write(to output: inout JSON) throws {", "    switch self {"]
        for item in cases {
            let name = ".\(Name(item.name).code)"
            let end = "try output.write(\"\(item.names[0])\", \(tagging.code), "
            if item.form != nil {
                lines.append("    case \(name)(let value): \(end)JSON(encoding: value))")
            } else if !item.labels.isEmpty {
                let bound = item.labels.indices.map { "let v\($0)" }.joined(separator: ", ")
                lines.append("    case \(name)(\(bound)): var payload = JSON.object([:])")
                for (index, label) in item.labels.enumerated() {
                    lines.append("        try payload.set(v\(index), at: \(label.paths[0].code))")
                }
                lines.append("        \(end)payload)")
            } else {
                lines.append("    case \(name): \(end)nil)")
            }
        }
        return lines + ["    }", "}"]
    }
}

extension Property {
    var reference: String { Name(name).code }

    func initializer(_ side: Side) -> String { valueInAttribute ? "" : value.map { " = \($0(side))" } ?? "" }

    func computed(_ side: Side) -> String { "var \(reference): Int { 1 }" }

    func declaration(_ side: Side) -> String {
        "\(isLet ? "let" : "var") \(reference)" + (isInferred && side == .model ? "" : ": \(form.text(side))")
    }

    func lines(_ side: Side, _ generator: inout Generator) -> [String] {
        if place == .computed { return [computed(side)] }
        let text = modifiers + declaration(side) + initializer(side) + suffix
        if attributes.count > 1, generator.chance(30) {
            return attributes.flatMap { [$0, "// Between attributes."] } + [text]
        }
        return generator.chance(40)
            ? attributes + [text]
            : [(attributes + [text]).joined(separator: generator.one(of: [" ", " /* ; */ "]))]
    }

    /// The expression of the twin that decodes the value.
    func decoded(isTolerant: Bool) -> String {
        let type = coding?.twin ?? form.wrapped.text(.twin)
        let arguments = "(\(type.parenthesized).self, \(paths.map(\.code).joined(separator: ", ")))"
        let member = coding == nil ? "" : ".value"
        guard form.isOptional || value != nil else { return "try object.required\(arguments)\(member)" }
        let call = isTolerant || hasDefaultOnMismatch ? "object.tolerant" : "try object.optional"
        let found = call + arguments + (coding == nil ? "" : ".flatMap { $0.value }")
        guard let value = value?(.twin), value != "nil" else { return found }
        return "\(found) ?? \(value)"
    }

    func decoding(besides keys: [String], isTolerant: Bool) -> String? {
        switch place {
        case .planned, .unencoded: "self.\(reference) = \(decoded(isTolerant: isTolerant))"
        case .extra: "self.\(reference) = try object.extra(besides: \(keys))"
        case .flattened:
            if case .optional(.declared(let type, _)) = form {
                "self.\(reference) = try object.hasAny(of: \(type.keys)) ? .init(from: decoder) : nil"
            } else {
                "self.\(reference) = try .init(from: decoder)"
            }
        case .computed, .fixed, .undecoded, .ignored: nil
        }
    }

    func encoding(besides keys: [String]) -> String? {
        let own = "self.\(reference)"
        switch place {
        case .planned, .undecoded:
            let value =
                coding.map {
                    form.isOptional ? "\(own).map { \($0.twin)(value: $0) }" : "\($0.twin)(value: \(own))"
                } ?? own
            return "try output.set(\(value), at: \(paths[0].code))"
        case .extra: return "try output.add(\(own), besides: \(keys))"
        case .flattened: return "try \(own)\(form.isOptional ? "?" : "").write(to: &output)"
        case .computed, .fixed, .unencoded, .ignored: return nil
        }
    }
}

extension [Step] {
    var code: String {
        "[\(map { if case .key(let key) = $0 { "\"\(key)\"" } else if case .index(let index) = $0 { "\(index)" } else { "" } }.joined(separator: ", "))]"
    }
}

extension Declaration.Tagging {
    var code: String {
        switch self {
        case .external: ".external"
        case .internal(let tag): ".internal(\"\(tag)\")"
        case .adjacent(let tag, let content): ".adjacent(\"\(tag)\", \"\(content)\")"
        case .untagged: ".untagged"
        }
    }
}

extension Access {
    var prefix: String { self == .internal ? "" : "\(self) " }
}

extension String {
    fileprivate var comment: String { "// " + self }
    fileprivate var parenthesized: String { hasSuffix("?") ? "(\(self))" : self }
}
