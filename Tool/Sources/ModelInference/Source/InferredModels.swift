import SluiceCore

/// The source of inferred models.
package struct InferredModels {
    /// The declarations, with the necessary imports.
    package let declarations: String
    /// The type of the root in Swift, such as `[Repository]`.
    package let rootType: String
    /// Whether the encoder that reproduces the values writes nil properties as null.
    package let writesNulls: Bool
    private let isExact: Bool
    /// The bounds of the inference that the values exceed.
    private let notes: [String]
    /// The names of the imported modules.
    private let imports: [String]

    /// Infers the models of the observed values.
    ///
    /// - Parameter name: The name of the outermost model.
    package init(_ observer: ModelObserver, name: String) {
        let builder = DeclarationBuilder(observer, name: name)
        self.init(
            builder.all, builder.rootType, SourceRenderer(observer.options, recursiveTypes: builder.recursiveTypes),
            isExact: observer.options.purpose == .exact, writesNulls: builder.writesNulls, notes: observer.notes)
    }

    /// Makes the models of a JSON Schema.
    ///
    /// - Parameters:
    ///   - path: The path of the schema in its document.
    ///   - document: The document with the definitions; nil if the schema is the document.
    ///   - name: The name of the outermost model, unless the schema has a title.
    package init(
        schema: JSONValue, at path: JSONPath = JSONPath(), in document: JSONValue? = nil, name: String,
        _ options: InferenceOptions
    ) {
        let models = SchemaModels(schema, at: path, in: document ?? schema, name: name, options)
        self.init(
            models.all, models.rootType, SourceRenderer(options, recursiveTypes: models.recursiveTypes),
            isExact: false, writesNulls: false, notes: [])
    }

    private init(
        _ all: [Declaration], _ rootType: ValueType, _ renderer: SourceRenderer, isExact: Bool, writesNulls: Bool,
        notes: [String]
    ) {
        let needsFoundation = rootType.needsFoundation || all.contains(where: \.needsFoundation)
        imports = (needsFoundation ? ["Foundation"] : []) + ["Sluice"]
        declarations = all.map(renderer.source).joined(separator: "\n")
        self.rootType = rootType.text
        (self.isExact, self.writesNulls, self.notes) = (isExact, writesNulls, notes)
    }

    /// Returns the file with the models.
    ///
    /// - Parameters:
    ///   - name: The name of the input.
    ///   - call: The call that decodes the input, in Swift.
    package func source(of name: String, decodedBy call: String) -> String {
        let options = writesNulls ? "\n//     encoder.nullStrategy = .write" : ""
        let notes = notes.map { "\n// \(Self.line($0))" }.joined()
        let encoding = """
            //
            // An encoder with these options writes equal values:
            //
            //     var encoder = JSONModelEncoder()\(options)

            """
        return """
            // The models of \(Self.line(name)), inferred by `sluice model`.\(notes)
            //
            //     \(call)
            \(isExact ? encoding : "")
            \(imports.map { "import \($0)" }.joined(separator: "\n"))
            \(declarations.isEmpty ? "" : "\n" + declarations)
            """
    }

    /// Returns a text for one line of a comment.
    private static func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}

extension Declaration {
    fileprivate var needsFoundation: Bool {
        switch self {
        case .model(let model): model.properties.contains { $0.type.needsFoundation }
        case .union(let union):
            union.cases.contains { $0.payload?.needsFoundation == true }
                || union.fallback?.payload?.needsFoundation == true
        case .enumeration, .scalarUnion: false
        }
    }
}

/// Writes declarations as Swift source.
private struct SourceRenderer {
    private let access: String
    private let conformances: String
    private let hasFixedKeys: Bool
    private let recursiveTypes: Set<String>

    init(_ options: InferenceOptions, recursiveTypes: Set<String>) {
        self.recursiveTypes = recursiveTypes
        access = options.access.isEmpty ? "" : options.access + " "
        conformances = options.conformances.isEmpty ? "" : ": " + options.conformances.joined(separator: ", ")
        hasFixedKeys = options.keys == .asDeclared
    }

    func source(_ declaration: Declaration) -> String {
        switch declaration {
        case .model(let model): source(model)
        case .union(let union):
            source(
                enum: union.name, union.strategy, union.cases, union.fallback, comment: union.comment,
                (union.tag.map { ["tag: \(literal($0))"] } ?? [])
                    + (union.content.map { ["content: \(literal($0))"] } ?? []))
        case .enumeration(let enumeration):
            if let fallback = enumeration.fallback {
                source(
                    enum: enumeration.name, enumeration.strategy, enumeration.cases,
                    Declaration.Fallback(name: fallback, payload: .string), comment: enumeration.comment, [])
            } else {
                source(enumeration)
            }
        case .scalarUnion(let union):
            "@JSONModel(.untagged)\n\(access)enum \(union.name)\(conformances) {\n"
                + union.types.map { "    case \(Names.member($0.scalarName))(\($0.text))\n" }.joined() + "}\n"
        }
    }

    private func keys(_ strategy: InferenceOptions.Keys) -> [String] {
        strategy == .asDeclared && !hasFixedKeys ? [] : ["keys: .\(strategy.rawValue)"]
    }

    private func attribute(_ arguments: [String]) -> String {
        arguments.isEmpty ? "@JSONModel" : "@JSONModel(\(arguments.joined(separator: ", ")))"
    }

    private func source(_ model: Declaration.Model) -> String {
        let kind = recursiveTypes.contains(model.name) ? "final class" : "struct"
        var text =
            "\(comment(model.comment, ""))\(attribute(keys(model.strategy)))\n\(access)\(kind) \(model.name)\(conformances) {\n"
        for property in model.properties {
            var attributes = ""
            text += comment(property.comment, "    ")
            if let key = property.key { attributes += "@JSONKey(\(literal(key))) " }
            if property.type.takesTransform { attributes += "@JSONTransform(.iso8601WithFractionalSeconds) " }
            if property.isFlattened { attributes += "@JSONFlatten " }
            text += "    \(attributes)\(access)let \(Names.quoted(property.name)): \(property.type.text)\n"
        }
        return text + "}\n"
    }

    private func source(
        enum name: String, _ strategy: InferenceOptions.Keys, _ cases: [Declaration.Case],
        _ fallback: Declaration.Fallback?, comment: String?, _ arguments: [String]
    ) -> String {
        let attribute = attribute(
            keys(strategy) + arguments + (fallback.map { ["fallback: \(literal($0.name))"] } ?? []))
        let kind = recursiveTypes.contains(name) ? "indirect enum" : "enum"
        var text = "\(self.comment(comment, ""))\(attribute)\n\(access)\(kind) \(name)\(conformances) {\n"
        for enumCase in cases { text += "\(self.comment(enumCase.comment, "    "))    \(source(enumCase))\n" }
        if let fallback, let type = fallback.payload { text += "    case \(fallback.name)(\(type.text))\n" }
        return text + "}\n"
    }

    /// Returns an enum with raw values, which has no case for other strings.
    private func source(_ enumeration: Declaration.Enumeration) -> String {
        let cases = enumeration.cases.map { enumCase in
            let value = enumCase.key.map { " = \(literal($0))" } ?? ""
            return "    case \(Names.quoted(enumCase.name))\(value)\n"
        }
        let protocols = conformances.isEmpty ? "" : ", " + conformances.dropFirst(2)
        return
            "\(comment(enumeration.comment, ""))@JSONModel\n\(access)enum \(enumeration.name): String\(protocols) {\n\(cases.joined())}\n"
    }

    private func comment(_ text: String?, _ space: String) -> String {
        text?.split(whereSeparator: \.isNewline).map { "\(space)/// \($0)\n" }.joined() ?? ""
    }

    private func source(_ enumCase: Declaration.Case) -> String {
        let others = enumCase.others.isEmpty ? "" : ", or: " + enumCase.others.map(literal).joined(separator: ", ")
        let key = enumCase.key.map { "@JSONKey(\(literal($0))\(others)) " } ?? ""
        let payload = enumCase.payload.map { "(\($0.text))" } ?? ""
        return "\(key)case \(Names.quoted(enumCase.name))\(payload)"
    }

    /// Returns a string literal. A text with quotes and without control characters is a raw literal.
    private func literal(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { !Self.needsEscape($0) }
        if isPlain, text.contains("\""), !text.hasPrefix("\"\""), !text.contains("\"#"), !text.contains("\\#") {
            return "#\"\(text)\"#"
        }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case _ where Self.needsEscape(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.generalCategory == .format
    }
}
