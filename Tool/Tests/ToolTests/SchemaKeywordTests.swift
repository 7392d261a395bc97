import Foundation
import ModelInference
import Sluice
import Testing

/// Schemas and documents in the manner of JSON-Schema-Test-Suite, with a group for each keyword that the models of a schema have. The models
/// are compiled, and accept the documents that the schema accepts.
@Suite struct SchemaKeywordTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The groups of the fixture, each with a name.
    private static func groups() throws -> [(name: String, group: JSONValue)] {
        let file = folder.appendingPathComponent("../../../Fixtures/Schemas/Keywords.json").standardized
        let groups = try JSONModelDecoder().decode([JSONValue].self, from: .file(file.path))
        return try groups.map { (try #require($0["name"]?.string), $0) }
    }

    @Test func `the models of the schemas are the compiled source`() throws {
        var source = ""
        for (name, group) in try Self.groups() {
            let schema = try #require(group["schema"])
            let models = InferredModels(schema: schema, name: "Root", InferenceOptions()).declarations
            let lines = models.split(separator: "\n", omittingEmptySubsequences: false)
            let indented = lines.map { $0.isEmpty ? "" : "        \($0)" }.joined(separator: "\n")
            source += "\(source.isEmpty ? "" : "\n")    enum \(name) {\n\(indented)    }\n"
        }
        let title = "/// The models of the schemas in Fixtures/Schemas/Keywords.json."
        let text = "#if Macros\nimport Foundation\nimport Sluice\n\n\(title)\nenum Keywords {\n\(source)}\n#endif\n"
        let expected = Self.folder.appendingPathComponent("Models/Keywords.swift")
        if ProcessInfo.processInfo.environment["SLUICE_WRITE_MODELS"] != nil {
            try text.write(to: expected, atomically: true, encoding: .utf8)
        }
        let committed = try String(contentsOf: expected, encoding: .utf8)
        #expect(text == committed, "run the tests with SLUICE_WRITE_MODELS=1, and read the difference")
    }

    #if Macros
    private static func accepts<T: JSONModel>(_ type: T.Type) -> (JSONValue) throws -> Set<Bool> {
        { document in
            let text = try JSONModelEncoder().encode(document, as: .string)
            return Set(
                JSONModelDecoder.Source.allCases.map { source in
                    var decoder = JSONModelDecoder()
                    decoder.source = source
                    return (try? decoder.decode(T.self, from: text)) != nil
                })
        }
    }

    @Test func `the models accept the documents that the schemas accept`() throws {
        let models = [
            "Types": Self.accepts(Keywords.Types.Root.self), "Members": Self.accepts(Keywords.Members.Root.self),
            "Containers": Self.accepts(Keywords.Containers.Root.self),
            "Choices": Self.accepts(Keywords.Choices.Root.self),
            "AnyOf": Self.accepts(Keywords.AnyOf.Root.self), "OneOf": Self.accepts(Keywords.OneOf.Root.self),
            "AllOf": Self.accepts(Keywords.AllOf.Root.self),
            "References": Self.accepts(Keywords.References.Tree.self),
        ]
        var count = 0
        for (name, group) in try Self.groups() {
            let accepts = try #require(models[name])
            for test in try #require(group["tests"]?.array) {
                let verdict = test["valid"] == true
                let document = try #require(test["data"])
                #expect(try accepts(document) == [verdict], "\(name): \(test["description"]?.string ?? "")")
                count += 1
            }
        }
        #expect(count > 40)
    }
    #endif
}
