import SluiceCore
import SluiceSchemas
import Testing

/// The schemas of types, as JSON.
@Suite struct SchemaTests {
    private static func json(_ text: String) throws -> JSONValue {
        try JSONModelDecoder().decode(JSONValue.self, from: text)
    }

    /// Compares a schema without `$schema` with the expected JSON.
    private func expect(_ schema: JSONValue, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        var members = try #require(schema.object)
        members["$schema"] = nil
        #expect(JSONValue.object(members) == (try Self.json(expected)), sourceLocation: sourceLocation)
    }

    private func properties(_ schema: JSONValue) throws -> JSONObject { try #require(schema["properties"]?.object) }

    // MARK: Scalars and containers

    @Test func `a schema names its version`() throws {
        #expect(try Int.jsonSchema()["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        #expect(try Point.jsonSchema(.strict)["$schema"] == nil)
    }

    @Test func `integers have the range of their type`() throws {
        try expect(Int8.jsonSchema(), #"{"type": "integer", "minimum": -128, "maximum": 127}"#)
        try expect(UInt64.jsonSchema(), #"{"type": "integer", "minimum": 0, "maximum": 18446744073709551615}"#)
        try expect(
            Int128.jsonSchema(),
            #"{"type": "integer", "minimum": -170141183460469231731687303715884105728, "maximum": 170141183460469231731687303715884105727}"#
        )
    }

    @Test func `scalars`() throws {
        try expect(Bool.jsonSchema(), #"{"type": "boolean"}"#)
        try expect(String.jsonSchema(), #"{"type": "string"}"#)
        try expect(Double.jsonSchema(), #"{"type": "number"}"#)
        try expect(Float.jsonSchema(), #"{"type": "number", "minimum": -3.4028235e+38, "maximum": 3.4028235e+38}"#)
        try expect(String?.jsonSchema(), #"{"type": ["string", "null"]}"#)
        try expect(JSONNumber.jsonSchema(), #"{"type": "number"}"#)
        try expect(JSONValue.jsonSchema(), "{}")
        try expect(JSONRaw?.jsonSchema(), "{}")
    }

    @Test func `containers`() throws {
        try expect([String].jsonSchema(), #"{"type": "array", "items": {"type": "string"}}"#)
        try expect(Set<Bool?>.jsonSchema(), #"{"type": "array", "items": {"type": ["boolean", "null"]}}"#)
        try expect(
            [String: [Bool]].jsonSchema(),
            #"{"type": "object", "additionalProperties": {"type": "array", "items": {"type": "boolean"}}}"#)
        try expect(
            [Int8: Bool].jsonSchema(.encoding),
            #"{"type": "object", "propertyNames": {"pattern": "^(0|[1-9][0-9]{0,1}|1[0-1][0-9]|12[0-6]|127|-([1-9][0-9]{0,1}|1[0-1][0-9]|12[0-7]|128))$"}, "additionalProperties": {"type": "boolean"}}"#
        )
        try expect(
            [Size: Bool].jsonSchema(),
            #"{"type": "object", "propertyNames": {"enum": ["small", "large"]}, "additionalProperties": {"type": "boolean"}}"#
        )
    }

    @Test func `raw values are listed`() throws {
        try expect(Size.jsonSchema(), #"{"type": "string", "enum": ["small", "large"]}"#)
        try expect(Size?.jsonSchema(), #"{"type": ["string", "null"], "enum": ["small", "large", null]}"#)
        try expect(Level.jsonSchema(), #"{"type": "integer", "enum": [1, 2]}"#)
    }

    @Test func `an unknown raw value is decoded as a fallback and never encoded`() throws {
        try expect(Rank.jsonSchema(), #"{"type": "number"}"#)
        try expect(Rank.jsonSchema(.encoding), #"{"type": "integer", "enum": [0, 1]}"#)
        try expect(Color.jsonSchema(), #"{"description": "A color.", "type": "string"}"#)
        try expect(
            Color.jsonSchema(.encoding),
            #"{"description": "A color.", "type": "string", "enum": ["red", "unknown"]}"#)
    }

    // MARK: Models

    @Test func `required, optional and default properties`() throws {
        try expect(
            Point.jsonSchema(),
            """
            {
              "title": "Point", "description": "A point.", "type": "object",
              "properties": {
                "x": {"description": "The abscissa.", "type": "boolean"}, "y": {"type": ["string", "null"]},
                "z": {"type": ["boolean", "null"], "default": true}
              },
              "required": ["x"]
            }
            """)
    }

    @Test func `an encoder writes all values that are not nil`() throws {
        try expect(
            Point.jsonSchema(.encoding),
            """
            {
              "title": "Point", "description": "A point.", "type": "object",
              "properties": {
                "x": {"description": "The abscissa.", "type": "boolean"}, "y": {"type": "string"}, "z": {"type": "boolean"}
              },
              "required": ["x", "z"], "additionalProperties": false
            }
            """)
        let encoder = JSONModelEncoder.with { $0.nullStrategy = .write }
        let schema = try encoder.jsonSchema(of: Point.self)
        #expect(schema["required"] == ["x", "y", "z"])
        #expect(schema["properties"]?["y"] == ["type": ["string", "null"]])
    }

    @Test func `a strict schema requires all properties and permits no others`() throws {
        try expect(
            Point.jsonSchema(.strict),
            """
            {
              "title": "Point", "description": "A point.", "type": "object",
              "properties": {
                "x": {"description": "The abscissa.", "type": "boolean"}, "y": {"type": ["string", "null"]},
                "z": {"type": ["boolean", "null"]}
              },
              "required": ["x", "y", "z"], "additionalProperties": false
            }
            """)
    }

    @Test func `a default that differs each time is omitted`() throws {
        #expect(try properties(Tally.jsonSchema())["count"]?["default"] == nil)
    }

    @Test func `models are definitions`() throws {
        try expect(
            Line.jsonSchema(),
            """
            {
              "title": "Line", "type": "object",
              "properties": {
                "from": {"$ref": "#/$defs/Spot"}, "to": {"anyOf": [{"$ref": "#/$defs/Spot"}, {"type": "null"}]},
                "via": {"description": "Between.", "$ref": "#/$defs/Spot"}
              },
              "required": ["from", "via"],
              "$defs": {
                "Spot": {"title": "Spot", "type": "object", "properties": {"x": {"type": "boolean"}}, "required": ["x"]}
              }
            }
            """)
        // Interfaces of language models permit no keywords beside a reference.
        #expect(
            try properties(Line.jsonSchema(.strict))["via"] == [
                "description": "Between.", "anyOf": [["$ref": "#/$defs/Spot"]],
            ])
    }

    @Test func `a model that contains itself refers to the root`() throws {
        try expect(
            Branch.jsonSchema(),
            """
            {
              "title": "Branch", "type": "object",
              "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
              "required": ["name", "children"]
            }
            """)
        let list = try [Branch].jsonSchema()
        #expect(list["items"] == ["$ref": "#/$defs/Branch"])
        #expect(list["$defs"]?["Branch"]?["properties"]?["children"]?["items"] == ["$ref": "#/$defs/Branch"])
    }

    @Test func `two models with one name have two definitions`() throws {
        let schema = try Twins.jsonSchema()
        let properties = try properties(schema)
        #expect(properties["one"] == ["$ref": "#/$defs/Inner"] && properties["two"] == ["$ref": "#/$defs/Inner2"])
        #expect(schema["$defs"]?["Inner2"]?["title"] == "Inner")
    }

    @Test func `a path is nested objects`() throws {
        try expect(
            Nested.jsonSchema(),
            """
            {
              "title": "Nested", "type": "object",
              "properties": {
                "owner": {
                  "type": "object", "required": ["login"],
                  "properties": {"login": {"type": "string"}, "site": {"type": ["object", "null"], "properties": {
                    "admin": {"type": ["boolean", "null"]}}}}
                },
                "tags": {"type": ["array", "null"], "prefixItems": [{}, {"type": ["string", "null"]}]},
                "items": {"type": "array", "items": {"type": ["object", "null"], "properties": {"id": {"type": "boolean"}}}},
                "users": {"type": ["object", "null"], "additionalProperties": {
                  "type": ["object", "null"], "properties": {"name": {"type": "string"}}}}
              },
              "required": ["owner", "items"]
            }
            """)
    }

    @Test func `an encoder writes null before an element`() throws {
        let properties = try properties(Nested.jsonSchema(.encoding))
        #expect(
            properties["tags"] == [
                "type": "array", "prefixItems": [["type": "null"], ["type": ["string", "null"]]], "items": false,
            ])
    }

    @Test func `one of several keys is required`() throws {
        let schema = try Candidates.jsonSchema()
        let notNull: JSONValue = [
            "type": "object", "required": ["a"], "properties": ["a": ["not": ["type": "null"]]],
        ]
        #expect(
            schema["anyOf"] == [
                ["type": "object", "required": ["a"], "properties": ["a": ["type": "string"]]],
                ["type": "object", "required": ["b"], "properties": ["b": ["type": "string"]], "not": notNull],
            ])
        #expect(schema["required"] == nil)
        #expect(schema["properties"]?["a"] == ["type": ["string", "null"]])
        // A candidate after a present one is ignored.
        #expect(schema["properties"]?["b"] == ["anyOf": [["type": "string"], [:]]])
        #expect(try Candidates.jsonSchema(.strict)["required"] == ["a"])
        // An encoder writes the first key.
        #expect(try Candidates.jsonSchema(.encoding)["anyOf"] == nil)
        #expect(try FreeCandidates.jsonSchema()["anyOf"] == nil)
        let number: JSONValue = ["type": "integer", "minimum": -128, "maximum": 127]
        #expect(
            try HalvedCandidates.jsonSchema()["anyOf"]?[1] == [
                "type": "object", "required": ["b"], "properties": ["b": number],
                "not": ["type": "object", "required": ["a"], "properties": ["a": ["not": ["type": "null"]]]],
            ])
    }

    @Test func `elements that are dropped accept any JSON`() throws {
        let properties = try properties(Forgiving.jsonSchema())
        #expect(properties["list"] == ["type": "array", "items": ["anyOf": [["type": "boolean"], [:]]]])
        // Null is not a value of another type.
        #expect(
            properties["flag"] == ["anyOf": [["type": "boolean"], ["not": ["type": "null"]]], "default": true])
        #expect(
            properties["counts"] == [
                "type": "object", "additionalProperties": ["anyOf": [["type": "boolean"], [:]]],
            ])
        #expect(
            try self.properties(Forgiving.jsonSchema(.encoding))["list"] == [
                "type": "array", "items": ["type": "boolean"],
            ])
    }

    /// The decoder drops a value in which lossy fields find no elements.
    @Test func `values on the path of lossy fields accept any JSON`() throws {
        let list = try #require(properties(Collected.jsonSchema())["list"])
        #expect(list["items"]?["anyOf"]?[1] == [:])
        for text in [#"{"list":[[],{"ids":1},{"ids":[true]}]}"#, #"{"list":[1,{"ids":[true,2]}]}"#] {
            #expect(try JSONModelDecoder().decode(Collected.self, from: text).ids == [true])
        }
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode(Collected.self, from: #"{"list":1}"#) }
    }

    @Test func `other keys`() throws {
        #expect(try Extras.jsonSchema()["additionalProperties"] == ["type": ["boolean", "null"]])
        #expect(try Extras.jsonSchema(.strict)["additionalProperties"] == false)
        let decoder = JSONModelDecoder.with { $0.unknownKeys = .reject }
        #expect(try decoder.jsonSchema(of: Point.self)["additionalProperties"] == false)
        #expect(try decoder.jsonSchema(of: Extras.self)["additionalProperties"] == ["type": ["boolean", "null"]])
        // Extra keys that are no JSON cannot hold a key beside a path.
        for (isLossy, closed) in [(false, .bool(false)), (true, nil)] as [(Bool, JSONValue?)] {
            let properties = try (isLossy ? DeepExtras<Lossy>.jsonSchema() : DeepExtras<Int>.jsonSchema())[
                "properties"]
            #expect(properties?["a"]?["additionalProperties"] == closed)
            #expect(properties?["list"]?["prefixItems"]?[0]?["additionalProperties"] == nil)
        }
    }

    @Test func `JSON in a string`() throws {
        #expect(
            try properties(Wrapped.jsonSchema())["spot"] == [
                "type": "string", "contentMediaType": "application/json", "contentSchema": ["$ref": "#/$defs/Spot"],
            ])
        #expect(try properties(Wrapped.jsonSchema(.strict))["spot"]?["type"] == "string")
    }

    @Test func `JSON in a string is converted like the property`() throws {
        let forms = try #require(try properties(LenientText.jsonSchema())["list"]?["anyOf"]?.array)
        let list = try #require(try properties(LenientText.jsonSchema())["plain"])
        #expect(forms.first?["contentSchema"] == list && list["items"]?["anyOf"] != nil)
        let value = try JSONModelDecoder().decode(LenientText.self, from: #"{"list":"[true,\"2\"]","plain":[3]}"#)
        #expect(value.list == [1, 2])
    }

    @Test func `JSON in a string or not`() throws {
        let text: JSONValue = [
            "type": "string", "contentMediaType": "application/json", "contentSchema": ["$ref": "#/$defs/Spot"],
        ]
        #expect(try properties(EitherForm.jsonSchema())["spot"] == ["anyOf": [["$ref": "#/$defs/Spot"], text]])
        #expect(try properties(EitherForm.jsonSchema(.encoding))["spot"] == ["$ref": "#/$defs/Spot"])
        // A string is read as JSON even if any JSON is accepted.
        #expect(
            try properties(EitherForm.jsonSchema())["any"] == [
                "anyOf": [
                    ["not": ["type": "string"]],
                    ["type": "string", "contentMediaType": "application/json", "contentSchema": [:]],
                ]
            ])
    }

    @Test func `null in a string`() throws {
        let schema = try TextDefaults.jsonSchema()
        let properties = try properties(schema)
        let bools: JSONValue = ["type": "array", "items": ["type": "boolean"]]
        let boolsOrNull: JSONValue = ["type": ["array", "null"], "items": ["type": "boolean"]]
        func text(_ type: JSONValue, _ contents: JSONValue) -> JSONValue {
            ["type": type, "contentMediaType": "application/json", "contentSchema": contents]
        }
        // Null in a string is null: an error, the default, or no value for a key.
        #expect(properties["required"] == text("string", bools))
        #expect(properties["text"]?["contentSchema"] == boolsOrNull)
        #expect(properties["either"]?["anyOf"] == [bools, text("string", boolsOrNull), ["type": "null"]])
        let noFirst: JSONValue = [
            "type": "object", "required": ["first"],
            "properties": ["first": ["not": ["anyOf": [["type": "null"], text("string", ["type": "null"])]]]],
        ]
        #expect(schema["anyOf"]?[1]?["not"] == noFirst)
    }

    @Test func `presence, lazy values and JSON`() throws {
        let properties = try properties(Anything.jsonSchema())
        #expect(properties["presence"] == ["type": ["boolean", "null"]])
        // A lazy value is decoded later.
        #expect(properties["lazy"] == ["anyOf": [["$ref": "#/$defs/Spot"], [:]]])
        #expect(try Anything.jsonSchema()["required"] == ["lazy", "json"])
        #expect(try Anything.jsonSchema(.encoding)["required"] == ["lazy", "json"])
    }

    @Test func `a flattened model`() throws {
        let schema = try Flat.jsonSchema()
        #expect(try properties(schema).keys.sorted() == ["id", "name", "x"])
        #expect(schema["required"] == ["id", "x"])
        #expect(try properties(schema)["x"]?["description"] == nil)
        // The fields of an optional flattened model are present together or not at all.
        let present: JSONValue = [
            "type": "object", "required": ["name"], "properties": ["name": ["not": ["type": "null"]]],
        ]
        #expect(schema["anyOf"] == [["allOf": [present]], ["not": present]])
        #expect(try Flat.jsonSchema(.encoding)["required"] == ["id", "x"])
    }

    // MARK: Options

    @Test func `the options of a decoder apply`() throws {
        var decoder = JSONModelDecoder()
        decoder.keyStrategy = .snakeCase
        #expect(try properties(decoder.jsonSchema(of: Named.self)).keys.sorted() == ["full_name"])
        decoder.only = ["y"]
        #expect(try properties(decoder.jsonSchema(of: Loose.self)).keys.sorted() == ["y"])
        decoder.only = nil
        decoder.register(Flag())
        #expect(
            try properties(decoder.jsonSchema(of: Spot.self))["x"] == ["type": "string", "pattern": "^on|off$"])
    }

    @Test func `a coercion accepts other scalars`() throws {
        var decoder = JSONModelDecoder()
        decoder.coercion = .lenient
        try expect(decoder.jsonSchema(of: String.self), #"{"type": ["string", "number", "boolean"]}"#)
        let number = try decoder.jsonSchema(of: Double.self)
        #expect(number["anyOf"]?[0] == ["type": "number"] && number["anyOf"]?[2] == ["type": "boolean"])
        decoder.coercion = .mjExtension
        try expect(decoder.jsonSchema(of: Int.self), #"{"type": ["number", "string", "boolean"]}"#)
        // A number is converted to its text, which is JSON in a string.
        #expect(
            try properties(decoder.jsonSchema(of: Wrapped.self))["spot"]?["anyOf"]?[1] == [
                "allOf": [["type": ["number", "boolean"]], ["$ref": "#/$defs/Spot"]]
            ])
        // A tag is a string of another case.
        #expect(
            try decoder.jsonSchema(of: Tagged.self)["oneOf"]?[1]?["properties"]?["type"] == [
                "anyOf": [["type": "string", "not": ["enum": ["spot"]]], ["type": ["number", "boolean"]]]
            ])
        // A property with a default keeps its default.
        #expect(try properties(decoder.jsonSchema(of: Point.self))["z"]?["anyOf"]?[1] == [:])
    }

    @Test func `numbers that are not finite are written as the encoder requires`() throws {
        var encoder = JSONModelEncoder()
        encoder.nonConformingFloatStrategy = .null
        try expect(encoder.jsonSchema(of: Double.self), #"{"type": ["number", "null"]}"#)
        encoder.nonConformingFloatStrategy = .write(infinity: "+", negativeInfinity: "-", nan: "?")
        try expect(
            encoder.jsonSchema(of: Double.self), #"{"anyOf": [{"type": "number"}, {"enum": ["+", "-", "?"]}]}"#)
    }

    // MARK: Stated schemas

    @Test func `a shape and a transform state their schema`() throws {
        let properties = try properties(Stated.jsonSchema())
        #expect(properties["slug"] == ["type": "string", "minLength": 1])
        #expect(properties["flag"] == ["type": ["string", "null"], "pattern": "^on|off$"])
        #expect(properties["doubled"] == ["type": "integer", "minimum": -128, "maximum": 127])
        #expect(properties["any"] == ["type": ["string", "number", "boolean"]])
        #expect(try self.properties(Stated.jsonSchema(.strict))["slug"] == ["type": "string"])
        #expect(try self.properties(Stated.jsonSchema(.encoding))["any"] == [:])
    }

    // MARK: Failures

    @Test func `a type without a strict schema states the reason`() throws {
        #expect(throws: JSONModelError.self) { try Labeled.jsonSchema(.strict) }
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().jsonSchema(of: Labeled.self, .strict)
        }
        #expect(
            error?.issues.first?.kind
                == .invalidPlan("Labeled.labels: a dictionary has no strict schema, because its keys are unknown"))
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().jsonSchema(of: [Point].self, .strict) }
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().jsonSchema(of: Shape.self, .strict) }
    }

    private struct Ask: JSONModel {
        let chapter: Chapter
        let title: String
        static let plan = ModelPlan<Ask>(JSONField(\.chapter), JSONField(\.title))
    }

    private struct Halves: JSONModel {
        let whole: JSONRaw
        let part: Bool
        let last: Bool
        static let plan = ModelPlan<Halves>(
            JSONField(\.whole, key: "a"), JSONField(\.part, key: "a.b"), JSONField(\.last))
    }

    private struct Picked: JSONModel {
        let id: Bool
        let first: Bool
        let last: Bool
        static let plan = ModelPlan<Picked>(
            JSONField(\.id), JSONField(\.first, key: "list[0].x"), JSONField(\.last))
    }

    @Test func `a schema error names the property and the model at fault, once`() {
        func message<T: JSONConvertible>(_: T.Type, _ form: JSONSchemaForm) -> String? {
            do throws(JSONModelError) { _ = try T.jsonSchema(form) } catch { return error.description }
            return nil
        }
        #expect(
            message(Happening.self, .strict)
                == "Happening.kind: an enum in the object of a model has no strict schema")
        #expect(
            message(Halves.self, .strict)
                == "Halves.whole: a value of which other properties read parts has no strict schema")
        #expect(message(Picked.self, .strict) == "Picked.first: a single element of an array has no strict schema")
        #expect(message(Nested.self, .strict) == "Nested.tag: a single element of an array has no strict schema")
        #expect(message(Chapter.self, .gemini) == "Chapter: a model that contains itself has no gemini schema")
        #expect(message(Ask.self, .gemini) == "Ask: Chapter: a model that contains itself has no gemini schema")
    }

    // MARK: Language models

    private struct Trip: JSONModel {
        let title: String
        let nights: Int?
        let stops: [Point]
        let size: Size?
        let labels: [String: Int]

        static let plan = ModelPlan<Trip>(
            JSONField(\.title, key: "title", or: "name"), JSONField(\.nights), JSONField(\.stops, default: []),
            JSONField(\.size), JSONField(\.labels, default: [:]))
    }

    private struct Chapter: JSONModel {
        let title: String
        let chapters: [Chapter]

        static let plan = ModelPlan<Chapter>(JSONField(\.title), JSONField(\.chapters))
    }

    @Test func `the schema of a tool requires what the model requires`() throws {
        let schema = try JSONModelDecoder.with { $0.coercion = .lenient }.jsonSchema(of: Trip.self, .tool)
        #expect(schema["type"] == "object" && schema["$schema"] == nil && schema["allOf"] == nil)
        #expect(schema["required"] == ["title"] && schema["additionalProperties"] == false)
        let properties = try properties(schema)
        #expect(Array(properties.keys) == ["title", "nights", "stops", "size", "labels"])
        #expect(properties["title"] == ["type": "string"])
        #expect(properties["nights"] == ["type": "integer"])
        #expect(properties["stops"]?["default"] == [])
        #expect(properties["labels"]?["additionalProperties"] == ["type": "integer"])
        #expect(try Chapter.jsonSchema(.tool)["properties"]?["chapters"]?["items"] == ["$ref": "#"])
        let error = #expect(throws: JSONModelError.self) { try Shape.jsonSchema(.tool) }
        #expect(error?.description.contains("a tool schema needs a model at its root") == true)
    }

    private struct Visit: JSONModel {
        let place: Point
        let end: Point?
        let shape: Shape
        let level: Level
        let size: Size?
        let number: Int32

        static let plan = ModelPlan<Visit>(
            JSONField(\.place), JSONField(\.end), JSONField(\.shape), JSONField(\.level), JSONField(\.size),
            JSONField(\.number))
    }

    /// A transform that states bounds.
    private struct Percent: JSONTransform {
        func decode(_ json: Int) throws -> Int { json }
        func encode(_ value: Int) throws -> Int { value }
        var jsonSchema: JSONValue? {
            ["anyOf": [["type": "integer", "minimum": 0, "maximum": 100], ["type": "null"]]]
        }
    }

    private struct Bounded: JSONModel {
        let small: UInt8
        let large: UInt64?
        let list: [Int32]
        let part: Float
        let share: Int

        static let plan = ModelPlan<Bounded>(
            JSONField(\.small), JSONField(\.large), JSONField(\.list), JSONField(\.part),
            JSONField(\.share, transform: Percent()))
    }

    @Test func `a strict schema has no bounds of numbers`() throws {
        let strict = try properties(Bounded.jsonSchema(.strict))
        #expect(strict["small"] == ["type": "integer"] && strict["large"] == ["type": ["integer", "null"]])
        #expect(strict["list"] == ["type": "array", "items": ["type": "integer"]])
        #expect(strict["share"] == ["anyOf": [["type": "integer"], ["type": "null"]]])
        for form in [JSONSchemaForm.tool, .gemini] {
            #expect(try properties(Bounded.jsonSchema(form))["small"]?["maximum"] == 255)
        }
        #expect(try properties(Bounded.jsonSchema(.gemini))["share"]?["maximum"] == 100)
    }

    @Test func `the schema for Gemini has no references`() throws {
        let schema = try Visit.jsonSchema(.gemini)
        let order: JSONValue = ["place", "end", "shape", "level", "size", "number"]
        #expect(schema["propertyOrdering"] == order && schema["required"] == order)
        let properties = try properties(schema)
        #expect(properties["place"]?["type"] == "object" && properties["place"]?["nullable"] == nil)
        #expect(properties["end"]?["type"] == "object" && properties["end"]?["nullable"] == true)
        #expect(properties["shape"]?["anyOf"]?.array?.count ?? 0 > 1)
        #expect(properties["level"]?["enum"] == nil && properties["level"]?["type"] == "integer")
        #expect(properties["size"]?["enum"] == ["small", "large"] && properties["size"]?["nullable"] == true)
        #expect(properties["number"]?["maximum"] == 2_147_483_647)
        let text = try JSONModelEncoder().encode(schema, as: .string)
        for keyword in ["$ref", "$defs", "additionalProperties", "null\"", "const"] {
            #expect(!text.contains(keyword))
        }
        let error = #expect(throws: JSONModelError.self) { try Chapter.jsonSchema(.gemini) }
        #expect(error?.description.contains("contains itself") == true)
        #expect(throws: JSONModelError.self) { try Trip.jsonSchema(.gemini) }
    }

    private enum Grade: Int, JSONConvertible {
        case poor = 1
        case fair
        case best = 5
        case none = -1
    }

    private struct Graded: JSONModel {
        let level: Level?
        let grade: Grade
        let other: Grade?
        static let plan = ModelPlan<Graded>(JSONField(\.level), JSONField(\.grade), JSONField(\.other)).describing(
            "Grades.", ["other": "Another grade."])
    }

    @Test func `the schema for Gemini states the numbers of an enum by their bounds`() throws {
        let properties = try properties(Graded.jsonSchema(.gemini))
        #expect(properties["level"] == ["type": "integer", "nullable": true, "minimum": 1, "maximum": 2])
        let ranges: JSONValue = [
            ["minimum": -1, "maximum": -1, "type": "integer"], ["minimum": 1, "maximum": 2, "type": "integer"],
            ["minimum": 5, "maximum": 5, "type": "integer"],
        ]
        #expect(properties["grade"] == ["anyOf": ranges])
        #expect(properties["other"]?["anyOf"] == ranges && properties["other"]?["nullable"] == true)
        #expect(properties["other"]?["description"] == "Another grade.")
    }

    private struct Place: JSONModel {
        let city: String
        let street: String?
        let zip: Int
        static let plan = ModelPlan<Place>(JSONField(\.city), JSONField(\.street), JSONField(\.zip))
    }

    private struct Person: JSONModel {
        let id: Int
        let place: Place?
        static let plan = ModelPlan<Person>(JSONField(\.id), JSONField(flatten: \.place))
    }

    @Test func `the schema of a tool states which properties a flattened model needs`() throws {
        let schema = try Person.jsonSchema(.tool)
        #expect(schema["required"] == ["id"])
        let needed: JSONValue = ["city": ["zip"], "street": ["city", "zip"], "zip": ["city"]]
        #expect(schema["dependentRequired"] == needed)
        #expect(try Flat.jsonSchema(.tool)["dependentRequired"] == nil)
    }

    private struct Dated: JSONModel {
        let at: Format<DateFormat>
        let id: Format<OtherFormat>

        static let plan = ModelPlan<Dated>(JSONField(\.at), JSONField(\.id))
    }

    private struct Degrees: JSONConvertible {
        let value: Double
        static let jsonShape = JSONShape.scalar(Degrees.self, expecting: "a number") { scalar in
            guard let value = scalar.double else { throw JSONModelError.ConversionFailure.mismatch }
            return Degrees(value: value)
        } write: {
            JSONNumber($0.value).map { .number($0) } ?? .null
        }
    }

    private struct Weather: JSONModel {
        let high: Degrees
        let low: Degrees?
        static let plan = ModelPlan<Weather>(JSONField(\.high), JSONField(\.low))
    }

    @Test func `the schema for Gemini has an alternative for each type of a scalar`() throws {
        let properties = try properties(Weather.jsonSchema(.gemini))
        let types: JSONValue = [["type": "string"], ["type": "number"], ["type": "boolean"]]
        #expect(properties["high"]?["anyOf"] == types && properties["high"]?["nullable"] == nil)
        #expect(properties["low"]?["anyOf"] == types && properties["low"]?["nullable"] == true)
        #expect(properties["high"]?["type"] == nil)
    }

    @Test func `the schema for Gemini has the format of dates only`() throws {
        let properties = try properties(Dated.jsonSchema(.gemini))
        #expect(properties["at"] == ["type": "string", "format": "date-time"])
        #expect(properties["id"] == ["type": "string"])
    }

    @Test func `an unusable plan is an error`() throws {
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().jsonSchema(of: Broken.self) }
        #expect(throws: JSONModelError.self) { try Broken.jsonSchema() }
        #expect(throws: JSONModelError.self) { try Broken.jsonSchema(.encoding) }
    }

    @Test func `an index beyond those that a schema describes one by one`() throws {
        let far = try #require(Far.jsonSchema()["properties"]?["list"])
        #expect(far["minItems"] == 100_000 && far["prefixItems"]?.array?.count == 1000)
    }

    // MARK: Enums

    @Test func `an externally tagged enum`() throws {
        try expect(
            Shape.jsonSchema(.encoding),
            """
            {
              "title": "Shape",
              "oneOf": [
                {
                  "description": "A round shape.", "type": "object", "properties": {"spot": {"$ref": "#/$defs/Spot"}},
                  "required": ["spot"], "additionalProperties": false
                },
                {"const": "none"}
              ],
              "$defs": {
                "Spot": {
                  "title": "Spot", "type": "object", "properties": {"x": {"type": "boolean"}}, "required": ["x"],
                  "additionalProperties": false
                }
              }
            }
            """)
        let decoding = try #require(Shape.jsonSchema()["oneOf"]?.array)
        #expect(decoding.count == 3)
        #expect(decoding[2] == ["type": "object", "properties": ["none": [:]], "required": ["none"]])
        // Two names are an error.
        let names: [JSONValue] = [
            ["type": "object", "required": ["spot"]], ["type": "object", "required": ["none"]],
        ]
        #expect(try Shape.jsonSchema()["allOf"] == [["oneOf": .array(names + [["not": ["anyOf": .array(names)]]])]])
        #expect(
            try HasShape.jsonSchema(.strict)["$defs"]?["Shape"]?["anyOf"]?[1] == [
                "type": "string", "enum": ["none"],
            ])
    }

    @Test func `an internally tagged enum`() throws {
        let schema = try #require(Tagged.jsonSchema()["oneOf"]?.array)
        #expect(
            schema[0] == [
                "type": "object", "properties": ["type": ["const": "spot"], "x": ["type": "boolean"]],
                "required": ["type", "x"],
            ])
        #expect(
            schema[1] == [
                "type": "object", "properties": ["type": ["type": "string", "not": ["enum": ["spot"]]]],
                "required": ["type"],
            ])
        #expect(try Tagged.jsonSchema(.encoding)["oneOf"]?[0]?["additionalProperties"] == false)
    }

    @Test func `an adjacently tagged enum`() throws {
        try expect(
            Adjacent.jsonSchema(),
            """
            {
              "title": "Adjacent",
              "oneOf": [
                {
                  "type": "object", "properties": {"t": {"const": "flag"}, "c": {"type": "boolean"}}, "required": ["t", "c"]
                },
                {"not": {"type": "object", "required": ["t"], "properties": {"t": {"enum": ["flag"]}}}}
              ]
            }
            """)
    }

    @Test func `an untagged enum`() throws {
        try expect(
            Untagged.jsonSchema(),
            """
            {
              "title": "Untagged", "anyOf": [{"$ref": "#/$defs/Spot"}, {"type": "boolean"}, {"const": "none"}],
              "$defs": {
                "Spot": {"title": "Spot", "type": "object", "properties": {"x": {"type": "boolean"}}, "required": ["x"]}
              }
            }
            """)
    }

    @Test func `an enum in the object of a model`() throws {
        let schema = try Happening.jsonSchema()
        #expect(schema["properties"] == ["id": ["type": "boolean"]] && schema["required"] == ["id"])
        #expect(schema["oneOf"]?.array?.count == 2)
        let written = try Happening.jsonSchema(.encoding)
        #expect(written["unevaluatedProperties"] == false)
        #expect(written["oneOf"]?.array?.allSatisfy { $0["additionalProperties"] == nil } == true)
    }

    @Test func `any JSON in the object of a model has the members of an object`() throws {
        #expect(
            try LooseJSON.jsonSchema(.encoding)["anyOf"] == [["type": "boolean"], ["additionalProperties": true]])
    }

    @Test func `a flattened model with JSON is present if the JSON is null`() throws {
        let present: JSONValue = ["type": "object", "required": ["note"], "properties": ["note": [:]]]
        #expect(try Annotated.jsonSchema()["anyOf"] == [["allOf": [present]], ["not": present]])
        #expect(try JSONModelDecoder().decode(Annotated.self, from: #"{"note":null}"#).note?.note == .null)
    }

    @Test func `the members of an enum are no extra keys`() throws {
        for form in [JSONSchemaForm.decoding, .encoding] {
            let schema = try OpenHappening.jsonSchema(form)
            #expect(schema["additionalProperties"] == ["type": "boolean"])
            #expect(try properties(schema)["type"] == [:])
        }
    }

    @Test func `keys of other cases are unknown, except a key that two enums share`() throws {
        let decoder = JSONModelDecoder.with { $0.unknownKeys = .reject }
        #expect(try properties(decoder.jsonSchema(of: Pair.self)).map(\.key) == ["id", "width"])
        let known = #"{"id":true,"one":"circle","radius":true,"other":"empty","width":true}"#
        #expect(try decoder.decode(Pair.self, from: known).id)
        let unknown = #"{"id":true,"one":"box","width":true,"other":"empty","radius":true}"#
        #expect(throws: JSONModelError.self) { try decoder.decode(Pair.self, from: unknown) }
    }
}

// MARK: Models

extension SchemaTests {
    private enum Size: String, CaseIterable, JSONConvertible, JSONDictionaryKey { case small, large }
    private enum Level: Int, CaseIterable, JSONConvertible {
        case low = 1
        case high
    }

    private enum Rank: UInt8, JSONConvertible {
        case low, high
        static var jsonShape: JSONShape { .rawValue(Rank.self, values: [.low, .high], fallback: .low) }
    }

    private enum Color: String, JSONConvertible {
        case red, unknown
        static var jsonShape: JSONShape {
            JSONShape.rawValue(Color.self, values: [.red, .unknown], fallback: .unknown).describing("A color.")
        }
    }

    private struct Point: JSONModel {
        let x: Bool
        let y: String?
        let z: Bool
        static let plan = ModelPlan<Point>(JSONField(\.x), JSONField(\.y), JSONField(\.z, default: true))
            .describing(
                "A point.", ["x": "The abscissa."])
    }

    private struct Spot: JSONModel {
        let x: Bool
        static let plan = ModelPlan<Spot>(JSONField(\.x))
    }

    private struct EitherForm: JSONModel {
        let spot: Spot
        let any: JSONValue
        static let plan = ModelPlan<EitherForm>(
            JSONField(embedded: \.spot, as: .either), JSONField(embedded: \.any, as: .either))
    }

    private struct Line: JSONModel {
        let from: Spot
        let to: Spot?
        let via: Spot
        static let plan = ModelPlan<Line>(JSONField(\.from), JSONField(\.to), JSONField(\.via)).describing(
            nil, ["via": "Between."])
    }

    private struct Branch: JSONModel {
        let name: String
        let children: [Branch]
        static let plan = ModelPlan<Branch>(JSONField(\.name), JSONField(\.children))
    }

    private struct Twins: JSONModel {
        enum One {
            struct Inner: JSONModel {
                let a: Bool
                static let plan = ModelPlan<Inner>(JSONField(\.a))
            }
        }
        enum Two {
            struct Inner: JSONModel {
                let b: Bool
                static let plan = ModelPlan<Inner>(JSONField(\.b))
            }
        }
        let one: One.Inner
        let two: Two.Inner
        static let plan = ModelPlan<Twins>(JSONField(\.one), JSONField(\.two))
    }

    private struct Tally: JSONModel {
        nonisolated(unsafe) static var next = 0
        let count: Int
        static func make() -> Int {
            next += 1
            return next
        }
        static let plan = ModelPlan<Tally>(JSONField(\.count, default: make()))
    }

    private struct Nested: JSONModel {
        let login: String
        let admin: Bool?
        let tag: String?
        let ids: [Bool]
        let names: [String]?
        static let plan = ModelPlan<Nested>(
            JSONField(\.login, key: "owner.login"), JSONField(\.admin, key: "owner.site.admin"),
            JSONField(\.tag, key: "tags[1]"), JSONField(\.ids, key: "items[*].id"),
            JSONField(\.names, key: "users.*.name"))
    }

    private struct Candidates: JSONModel {
        let text: String
        static let plan = ModelPlan<Candidates>(JSONField(\.text, key: "a", or: "b"))
    }

    private struct FreeCandidates: JSONModel {
        let any: JSONValue?
        static let plan = ModelPlan<FreeCandidates>(JSONField(\.any, key: "a", or: "b"))
    }

    private struct HalvedCandidates: JSONModel {
        let number: Int
        static let plan = ModelPlan<HalvedCandidates>(JSONField(\.number, key: "a", or: "b", transform: Doubled()))
    }

    private protocol FormatName: SendableMetatype { static var name: JSONValue { get } }
    private enum DateFormat: FormatName { static let name: JSONValue = "date-time" }
    private enum OtherFormat: FormatName { static let name: JSONValue = "uuid" }

    /// A string with a format.
    private struct Format<Name: FormatName>: JSONConvertible {
        let text: String
        static var jsonShape: JSONShape {
            .scalar(Format.self, expecting: "text") {
                Format(text: $0.string ?? "")
            } write: {
                .string($0.text)
            }.schema(["type": "string", "format": Name.name])
        }
    }

    private struct Forgiving: JSONModel {
        let list: [Bool]
        let flag: Bool
        let counts: [Int: Bool]
        static let plan = ModelPlan<Forgiving>(
            JSONField(\.list).lossy(), JSONField(\.flag, default: true).defaulting(on: [.missing, .mismatch]),
            JSONField(\.counts).lossy())
    }

    private struct Collected: JSONModel {
        let ids: [Bool]
        static let plan = ModelPlan<Collected>(JSONField(\.ids, key: "list[*].ids[*]").lossy())
    }

    private enum Lossy {}

    private struct DeepExtras<T>: JSONModel {
        let b: Int
        let x: Int
        let rest: [String: Int]
        static var plan: ModelPlan<DeepExtras> {
            .shared {
                let extra = JSONField<DeepExtras>(extra: \.rest)
                return ModelPlan(
                    JSONField(\.b, key: "a.b"), JSONField(\.x, key: "list[0].x"),
                    T.self == Lossy.self ? extra.lossy() : extra)
            }
        }
    }

    private struct Extras: JSONModel {
        let id: Bool
        let rest: [String: Bool?]
        static let plan = ModelPlan<Extras>(JSONField(\.id), JSONField(extra: \.rest))
    }

    private struct Wrapped: JSONModel {
        let spot: Spot
        static let plan = ModelPlan<Wrapped>(JSONField(embedded: \.spot))
    }

    private struct LenientText: JSONModel {
        let list: [Int]
        let plain: [Int]
        static let plan = ModelPlan<LenientText>(
            [JSONField(embedded: \.list), JSONField(\.plain)], coercion: .lenient)
    }

    private struct TextDefaults: JSONModel {
        let required: [Bool]
        let text: [Bool]
        let either: [Bool]
        let keys: [Bool]
        static let plan = ModelPlan<TextDefaults>(
            JSONField(embedded: \.required),
            JSONField(embedded: \.text, default: []).defaulting(on: [.missing, .null]),
            JSONField(embedded: \.either, as: .either, default: []).defaulting(on: [.missing, .null]),
            JSONField(embedded: \.keys, key: "first", or: "second"))
    }

    private struct Anything: JSONModel {
        let presence: JSONPresence<Bool>
        let lazy: JSONLazy<Spot>
        let json: JSONValue
        static let plan = ModelPlan<Anything>(JSONField(\.presence), JSONField(\.lazy), JSONField(\.json))
    }

    private struct Name: JSONModel {
        let name: String
        static let plan = ModelPlan<Name>(JSONField(\.name))
    }

    private struct Flat: JSONModel {
        let id: Bool
        let spot: Spot
        let name: Name?
        static let plan = ModelPlan<Flat>(JSONField(\.id), JSONField(flatten: \.spot), JSONField(flatten: \.name))
    }

    private struct Named: JSONModel {
        let fullName: String
        static let plan = ModelPlan<Named>(JSONField(\.fullName))
    }

    private struct Loose: JSONModel {
        let x: Bool?
        let y: String?
        static let plan = ModelPlan<Loose>(JSONField(\.x), JSONField(\.y))
    }

    private struct Flag: JSONTransform {
        func decode(_ json: String) throws -> Bool { json == "on" }
        func encode(_ value: Bool) throws -> String { value ? "on" : "off" }
        var jsonSchema: JSONValue? { ["type": "string", "pattern": "^on|off$"] }
    }

    private struct Doubled: JSONTransform {
        func decode(_ json: Int8) throws -> Int { Int(json) * 2 }
        func encode(_ value: Int) throws -> Int8 { Int8(value / 2) }
    }

    private struct Slug: JSONConvertible {
        let text: String
        static var jsonShape: JSONShape {
            .scalar(Slug.self, expecting: "a slug") {
                Slug(text: $0.string ?? "")
            } write: {
                .string($0.text)
            }.schema(["type": "string", "minLength": 1])
        }
    }

    private struct AnyText: JSONConvertible {
        let text: String
        static var jsonShape: JSONShape {
            .scalar(AnyText.self, expecting: "a scalar") {
                AnyText(text: $0.string ?? "")
            } write: {
                .string($0.text)
            }
        }
    }

    private struct Stated: JSONModel {
        let slug: Slug
        let flag: Bool?
        let doubled: Int
        let any: AnyText
        static let plan = ModelPlan<Stated>(
            JSONField(\.slug), JSONField(\.flag, transform: Flag()), JSONField(\.doubled, transform: Doubled()),
            JSONField(\.any))
    }

    private struct Labeled: JSONModel {
        let labels: [String: String]
        static let plan = ModelPlan<Labeled>(JSONField(\.labels))
    }

    private struct Broken: JSONModel {
        let a: Bool
        let b: Bool
        static let plan = ModelPlan<Broken>(JSONField(\.a))
    }

    private struct Far: JSONModel {
        let last: Bool
        static let plan = ModelPlan<Far>(JSONField(\.last, key: "list[99999]"))
    }

    private enum Shape: JSONEnum {
        case spot(Spot)
        case none
        static let plan = ModelPlan<Shape>(cases: [
            .of("spot", Self.spot), JSONCase("none", value: .none) { if case .none = $0 { true } else { false } },
        ]).describing(nil, ["spot": "A round shape."])
    }

    private struct HasShape: JSONModel {
        let shape: Shape
        static let plan = ModelPlan<HasShape>(JSONField(\.shape))
    }

    private enum Tagged: JSONEnum {
        case spot(Spot)
        case other(String)
        static let plan = ModelPlan<Tagged>(
            cases: [.of("spot", Self.spot), .of("other", Self.other)], tagging: .internal(tag: "type"),
            fallback: "other")
    }

    private enum Adjacent: JSONEnum {
        case flag(Bool)
        case other(JSONValue)
        static let plan = ModelPlan<Adjacent>(
            cases: [.of("flag", Self.flag), .of("other", Self.other)], tagging: .adjacent(tag: "t", content: "c"),
            fallback: "other")
    }

    private enum Untagged: JSONEnum {
        case spot(Spot)
        case flag(Bool)
        case none
        static let plan = ModelPlan<Untagged>(
            cases: [
                .of("spot", Self.spot), .of("flag", Self.flag),
                JSONCase("none", value: .none) { if case .none = $0 { true } else { false } },
            ], tagging: .untagged)
    }

    private struct Happening: JSONModel {
        let id: Bool
        let kind: Tagged
        static let plan = ModelPlan<Happening>(JSONField(\.id), JSONField(flatten: \.kind))
    }

    private enum AnyJSON: JSONEnum {
        case flag(Bool)
        case json(JSONValue)
        static let plan = ModelPlan<AnyJSON>(
            cases: [.of("flag", Self.flag), .of("json", Self.json)], tagging: .untagged)
    }

    private struct LooseJSON: JSONModel {
        let any: AnyJSON
        static let plan = ModelPlan<LooseJSON>(JSONField(flatten: \.any))
    }

    private struct Note: JSONModel {
        let note: JSONValue
        static let plan = ModelPlan<Note>(JSONField(\.note))
    }

    private struct Annotated: JSONModel {
        let note: Note?
        static let plan = ModelPlan<Annotated>(JSONField(flatten: \.note))
    }

    private struct OpenHappening: JSONModel {
        let kind: Tagged
        let rest: [String: Bool]
        static let plan = ModelPlan<OpenHappening>(JSONField(flatten: \.kind), JSONField(extra: \.rest))
    }

    /// A model with two enums, both of which have a case with `width`.
    private struct Pair: JSONModel {
        struct Circle: JSONModel {
            let radius: Bool
            static let plan = ModelPlan<Circle>(JSONField(\.radius))
        }

        struct Box: JSONModel {
            let width: Bool
            static let plan = ModelPlan<Box>(JSONField(\.width))
        }

        enum One: JSONEnum {
            case circle(Circle)
            case box(Box)
            static let plan = ModelPlan<One>(
                cases: [.of("circle", Self.circle), .of("box", Self.box)], tagging: .internal(tag: "one"))
        }

        enum Other: JSONEnum {
            case empty
            case box(Box)
            static let plan = ModelPlan<Other>(
                cases: [.of("empty", .empty), .of("box", Self.box)], tagging: .internal(tag: "other"))
        }

        let id: Bool
        let one: One
        let other: Other
        static let plan = ModelPlan<Pair>(JSONField(\.id), JSONField(flatten: \.one), JSONField(flatten: \.other))
    }
}
