import ModelInference
import Sluice
import TestSupport
import Testing

#if Macros
import Foundation

/// An invoice with members of all kinds.
@JSONModel(keys: .snakeCase)
struct Invoice: Sendable {
    /// The number.
    let id: Int
    let createdAt: Date?
    let customer: Customer
    let items: [Item]
    let rates: [String: Double]
    let status: Status
    let reference: IntOrText?
    let method: Method
    let key: UUID
    let link: URL?
    let big: UInt64
    let isPaid: Bool
    let anything: JSONValue
}

@JSONModel
struct Customer: Sendable {
    let name: String
    let friends: [Customer]?
}

@JSONModel
final class Item: Sendable {
    let price: Double
    let part: Item?
}

@JSONModel
enum Status: String, Sendable {
    case open
    case inProgress = "in progress"
}

@JSONModel(.untagged)
enum IntOrText: Sendable {
    case int(Int)
    case string(String)
}

@JSONModel(tag: "type")
enum Method: Sendable {
    case card(Card)
    case cash
}

@JSONModel
struct Card: Sendable {
    let number: String
}
#endif

#if Macros
/// Enums whose schemas are those of other enums.
private enum Alike {
    @JSONModel(fallback: "other")
    enum Command {
        @JSONKey("go", or: "move") case go(Int)
        case square(side: Double)
        case other(String)
    }

    @JSONModel(tag: "type", fallback: "unknown")
    enum Session {
        case login(user: String)
        case unknown
    }
}

private enum Made {
    @JSONModel(fallback: "other")
    enum Command: Sendable {
        case go(Int)
        case move(Int)
        case square(Square)
        case other(String)
    }

    @JSONModel
    struct Square: Sendable {
        let side: Double
    }

    @JSONModel(tag: "type", fallback: "unknown")
    enum Session: Sendable {
        case login(Login)
        case unknown
    }

    @JSONModel
    struct Login: Sendable {
        let user: String
    }
}
#endif

/// Models that are made from schemas.
@Suite struct SchemaModelsTests {
    private func models(_ schema: JSONValue, name: String = "Root") -> String {
        InferredModels(schema: schema, name: name, InferenceOptions()).declarations
    }

    /// The type of the member `a` of an object with this schema.
    private func type(_ schema: String, isRequired: Bool = true) throws -> String {
        let required = isRequired ? #", "required": ["a"]"# : ""
        let text = #"{"type": "object", "properties": {"a": \#(schema)}\#(required)}"#
        let source = models(try JSONModelDecoder().decode(JSONValue.self, from: text))
        return String(try #require(source.firstMatch(of: #/let a: ([^\n]*)\n/#), "\(source)").1)
    }

    #if Macros
    @Test func `the schemas of models come back`() throws {
        let expected = """
            /// An invoice with members of all kinds.
            @JSONModel(keys: .snakeCase)
            struct Invoice: Sendable {
                /// The number.
                let id: Int
                let createdAt: Date?
                let customer: Customer
                let items: [Item]
                let rates: [String: Double]
                let status: Status
                let reference: IntOrString?
                let method: Method
                let key: UUID
                let link: URL?
                let big: UInt64
                let isPaid: Bool
                let anything: JSONValue
            }

            @JSONModel
            struct Customer: Sendable {
                let name: String
                let friends: [Customer]?
            }

            @JSONModel
            final class Item: Sendable {
                let price: Double
                let part: Item?
            }

            @JSONModel
            enum Status: String, Sendable {
                case open
                case inProgress = "in progress"
            }

            @JSONModel(.untagged)
            enum IntOrString: Sendable {
                case int(Int)
                case string(String)
            }

            @JSONModel(tag: "type")
            enum Method: Sendable {
                case card(Card)
                case cash
            }

            @JSONModel
            struct Card: Sendable {
                let number: String
            }

            """
        let text = try JSONModelEncoder().encode(Invoice.jsonSchema(), as: .string)
        #expect(try models(Invoice.jsonSchema(), name: "Invoice") == expected, "\(text)")
    }

    @Test(arguments: [JSONSchemaForm.decoding, .encoding])
    func `the schemas of enums come back as the compiled source`(form: JSONSchemaForm) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "Models/Unions.swift")
        let compiled = try String(contentsOf: file, encoding: .utf8)
        var expected = compiled.replacing("#if Macros\nimport Foundation\nimport Sluice\n\n", with: "")
        expected = expected.replacing("#endif\n", with: "")
        if form == .encoding {
            // Only the first name of a case is written, and no fallback without a value.
            expected = expected.replacing(#"@JSONKey("link", or: "url", "href") "#, with: "")
            expected = expected.replacing(
                #"@JSONModel(fallback: "unknown")"# + "\nenum Level: Sendable",
                with: "@JSONModel\nenum Level: String, Sendable")
        }
        #expect(try models(Unions.jsonSchema(form), name: "Unions") == expected)
    }

    @Test func `the source of an enum that does not come back has the same schema`() throws {
        #expect(
            try models(Alike.Command.jsonSchema(), name: "Command") == """
                @JSONModel(fallback: "other")
                enum Command: Sendable {
                    case go(Int)
                    case move(Int)
                    case square(Square)
                    case other(String)
                }

                @JSONModel
                struct Square: Sendable {
                    let side: Double
                }

                """)
        #expect(try Alike.Command.jsonSchema() == Made.Command.jsonSchema())
        #expect(
            try models(Alike.Session.jsonSchema(), name: "Session") == """
                @JSONModel(tag: "type", fallback: "unknown")
                enum Session: Sendable {
                    case login(Login)
                    case unknown
                }

                @JSONModel
                struct Login: Sendable {
                    let user: String
                }

                """)
        #expect(try Alike.Session.jsonSchema() == Made.Session.jsonSchema())
    }
    #endif

    @Test func `alternatives that are no enum are any JSON`() throws {
        let a = #"{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}"#
        let b = #"{"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}"#
        // An object with both members is valid for anyOf, and for oneOf if one has another type.
        #expect(try type(#"{"anyOf": [\#(a), \#(b)]}"#) == "JSONValue")
        #expect(try type(#"{"oneOf": [\#(a), \#(b)]}"#) == "JSONValue")
        #expect(try type(#"{"oneOf": [{"const": "x"}, \#(a), \#(a)]}"#) == "A")
    }

    @Test func `texts of several schemas are one enum`() throws {
        #expect(try type(#"{"oneOf": [{"const": "x"}, {"const": "y"}, {"enum": ["y", "z"]}]}"#) == "A")
        #expect(try type(#"{"oneOf": [{"const": 1}, {"const": null}]}"#) == "Int?")
        #expect(try type(#"{"oneOf": [{"const": null}]}"#) == "JSONValue")
    }

    @Test func `the parts of a schema are one model`() throws {
        let schema = try JSONModelDecoder().decode(
            JSONValue.self,
            from: #"""
                {"allOf": [{"$ref": "#/$defs/base~1of%20all"}, {"oneOf": [{"required": ["c"]}, {"required": ["d"]}]}],
                 "properties": {"b": {}, "c": {"type": "boolean"}}, "required": ["b"],
                 "$defs": {"base/of all": {"title": "Base", "properties": {"b": {"type": "integer"}, "e": {"type": "string"}},
                                           "allOf": [{"$ref": "#/$defs/named"}, {"$ref": "#/$defs/base~1of%20all"}]},
                           "named": {"properties": {"name": {"type": "string"}}, "required": ["name"]}}}
                """#)
        #expect(
            models(schema) == """
                @JSONModel
                struct Root: Sendable {
                    let b: Int
                    let c: Bool?
                    let e: String?
                    let name: String
                }

                """)
        #expect(try type(#"{"allOf": [{"type": "string"}, {"maxLength": 3}]}"#) == "String")
    }

    @Test func `the parts of a schema may be references to references`() throws {
        func source(_ schema: String, _ definitions: String) throws -> String {
            let text = #"{\#(schema), "$defs": {\#(definitions)}}"#
            return models(try JSONModelDecoder().decode(JSONValue.self, from: text))
        }
        let parts = ##""allOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/C"}]"##
        let b = #""B": {"properties": {"b": {"type": "string"}}}"#
        let aliases = ##""A": {"$ref": "#/$defs/B"}, "C": {"$ref": "#/$defs/D"}"##
        #expect(
            try source(parts, #"\#(aliases), \#(b), "D": {"properties": {"d": {"type": "integer"}}}"#) == """
                @JSONModel
                struct Root: Sendable {
                    let b: String?
                    let d: Int?
                }

                """)
        let expected = """
            @JSONModel
            struct Root: Sendable {
                let b: String?
            }

            """
        // References to the same definition, and to each other.
        #expect(try source(parts, ##"\##(aliases), \##(b), "D": {"$ref": "#/$defs/A"}"##) == expected)
        #expect(try source(parts, ##""A": {"$ref": "#/$defs/C"}, "C": {"$ref": "#/$defs/A"}"##) == "")
        let either = ##""oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/C"}]"##
        func tagged(_ name: String, _ type: String) -> String {
            let member = name.lowercased()
            let members = #"{"type": {"const": "\#(member)"}, "\#(member)": {"type": "\#(type)"}}"#
            return #""\#(name)": {"type": "object", "properties": \#(members), "required": ["type"]}"#
        }
        let union = try source(
            either, #"\#(aliases), \#(tagged("B", "string")), \#(tagged("D", "integer"))"#)
        #expect(union.contains(#"@JSONModel(tag: "type")"#), "\(union)")
    }

    @Test func `a part that is repeated in each of its parts takes linear time`() {
        // Each level would double the time.
        expectLinearTime(upTo: 24) { count in
            var definitions: JSONObject = ["D\(count)": ["properties": ["x": ["type": "string"]]]]
            for number in 0..<count {
                let part: JSONValue = ["$ref": .string("#/$defs/D\(number + 1)")]
                definitions["D\(number)"] = ["allOf": [part, part]]
            }
            let schema: JSONValue = [
                "allOf": [["$ref": "#/$defs/D0"], ["$ref": "#/$defs/D0"]], "$defs": .object(definitions),
            ]
            #expect(models(schema).contains("let x: String?"))
        }
    }

    @Test func `scalars have their types`() throws {
        #expect(try type(#"{"type": "integer"}"#) == "Int")
        #expect(try type(#"{"type": "integer", "minimum": 0, "maximum": 18446744073709551615}"#) == "UInt64")
        #expect(try type(#"{"type": "integer", "maximum": 18446744073709551616}"#) == "Int128")
        #expect(try type(#"{"type": "number"}"#) == "Double")
        #expect(try type(#"{"type": "string", "format": "date-time"}"#) == "Date")
        #expect(try type(#"{"type": "string", "format": "email"}"#) == "String")
        #expect(try type(#"{"type": ["string", "null"]}"#) == "String?")
        #expect(try type(#"{"type": ["string", "integer", "boolean"]}"#) == "BoolOrIntOrString")
        #expect(try type(#"{"type": ["string", "object"]}"#) == "JSONValue")
        #expect(try type(#"{"const": 1}"#) == "Int")
        #expect(try type(#"{"enum": ["x", 2, null]}"#) == "IntOrString?")
        #expect(try type(#"{"enum": ["x", "y", null]}"#) == "A?")
        #expect(try type("true") == "JSONValue")
        #expect(try type(#"{"not": {"type": "string"}}"#) == "JSONValue")
    }

    @Test func `members that are not required are optional`() throws {
        #expect(try type(#"{"type": "integer"}"#, isRequired: false) == "Int?")
        #expect(try type(#"{"type": ["integer", "null"]}"#, isRequired: false) == "Int?")
        #expect(
            try type(#"{"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}"#) == "[Int]?"
        )
    }

    @Test func `containers have the types of their parts`() throws {
        #expect(try type(#"{"type": "array"}"#) == "[JSONValue]")
        #expect(
            try type(#"{"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}}"#) == "[[Bool]]")
        #expect(try type(#"{"type": "array", "prefixItems": [{"type": "string"}]}"#) == "[JSONValue]")
        #expect(try type(#"{"type": "object"}"#) == "[String: JSONValue]")
        #expect(try type(#"{"type": "object", "additionalProperties": {"type": "string"}}"#) == "[String: String]")
        #expect(try type(#"{"properties": {"b": {"type": "string"}}}"#) == "A")
        #expect(try type(#"{"allOf": [{"properties": {"b": {}}}, {"properties": {"c": {}}}]}"#) == "A")
    }

    @Test func `references are followed, also into themselves`() throws {
        let schema: JSONValue = [
            "$ref": "#/definitions/node",
            "definitions": [
                "node": [
                    "type": "object", "required": ["next", "all"],
                    "properties": [
                        "next": ["$ref": "#/definitions/node"],
                        "all": ["type": "array", "items": ["$ref": "#/definitions/node"]],
                        "loop": ["$ref": "#/definitions/loop"],
                        "missing": ["$ref": "#/definitions/none"],
                    ],
                ], "loop": ["$ref": "#/definitions/loop"],
            ],
        ]
        let expected = """
            @JSONModel
            final class Node: Sendable {
                let next: Node
                let all: [Node]
                let loop: JSONValue?
                let missing: JSONValue?
            }

            """
        #expect(models(schema) == expected)
    }

    @Test func `a definition has the name of its key without escapes`() throws {
        let page = #"{"type": "object", "properties": {"next": {"type": "string"}}}"#
        let schema = ##"{"$ref": "#/$defs/Page%3CUser%3E", "$defs": {"Page<User>": \##(page)}}"##
        let source = models(try JSONValue(parsing: schema))
        #expect(source.hasPrefix("@JSONModel\nstruct PageUser: Sendable {"), "\(source)")
    }

    @Test func `objects with a tag may contain an enum of themselves`() throws {
        let either = ##"{"oneOf": [{"$ref": "#/$defs/Node"}, {"$ref": "#/$defs/Leaf"}]}"##
        let schema = try JSONModelDecoder().decode(
            JSONValue.self,
            from: ##"""
                {"$ref": "#/$defs/Node", "$defs": {
                  "Node": {"type": "object", "required": ["type", "left", "right"],
                           "properties": {"type": {"const": "node"}, "left": \##(either), "right": \##(either)}},
                  "Leaf": {"type": "object", "required": ["type", "value"],
                           "properties": {"type": {"const": "leaf"}, "value": {"type": "integer"}}}}}
                """##)
        let source = models(schema)
        #expect(
            source.contains(
                """
                @JSONModel(tag: "type")
                indirect enum Left: Sendable {
                    case node(LeftNode)
                    case leaf(Leaf)
                }

                @JSONModel
                struct LeftNode: Sendable {
                    let left: Left
                    let right: Left
                }

                """), "\(source)")
        #expect(
            source.contains("    let left: Left\n    let right: Left\n}\n\n@JSONModel\nenum NodeType"), "\(source)")
    }

    @Test func `the parts of a schema may contain themselves`() throws {
        func source(_ part: String) throws -> String {
            let parent = ##"{"allOf": [{"$ref": "#/$defs/Node"}, \##(part)]}"##
            let node = #"{"properties": {"name": {"type": "string"}, "parent": \#(parent)}, "required": ["name"]}"#
            let text = ##"{"$ref": "#/$defs/Node", "$defs": {"Node": \##(node)}}"##
            return models(try JSONModelDecoder().decode(JSONValue.self, from: text))
        }
        let expected = """
            @JSONModel
            struct Node: Sendable {
                let name: String
                let parent: Parent?
            }

            @JSONModel
            final class Parent: Sendable {
                let name: String
                let parent: Parent?
            }

            """
        #expect(try source(#"{"description": "The parent."}"#) == expected)
        #expect(try source(#"{"required": ["name"]}"#) == expected)
        // An array in itself has no model.
        let list = ##"{"allOf": [{"$ref": "#/$defs/List"}, {"maxItems": 3}]}"##
        let text =
            ##"{"items": \##(list), "type": "array", "$defs": {"List": {"type": "array", "items": \##(list)}}}"##
        #expect(models(try JSONModelDecoder().decode(JSONValue.self, from: text)) == "")
    }

    @Test func `a definition that accepts null is optional in itself, too`() throws {
        let node = ##"{"$ref": "#/$defs/Tree"}"##
        let members = #"{"left": \#(node), "others": {"type": "array", "items": \#(node)}}"#
        for tree in [
            #"{"anyOf": [{"type": "object", "properties": \#(members)}, {"type": "null"}]}"#,
            #"{"type": ["object", "null"], "properties": \#(members)}"#,
        ] {
            let text = #"{"properties": {"tree": \#(node)}, "$defs": {"Tree": \#(tree)}}"#
            let source = models(try JSONModelDecoder().decode(JSONValue.self, from: text))
            let expected = """
                final class Tree: Sendable {
                    let left: Tree?
                    let others: [Tree?]?
                }

                """
            #expect(source.hasSuffix(expected) && source.contains("let tree: Tree?\n"), "\(source)")
        }
    }

    @Test func `a definition may contain itself through a definition that has no model`() throws {
        let node = ##"{"$ref": "#/$defs/Node"}"##
        for (link, type) in [
            (#"{"anyOf": [\#(node), {"type": "null"}]}"#, "Node?"),
            (#"{"type": "array", "items": \#(node)}"#, "[Node]"),
        ] {
            let next = ##"{"properties": {"next": {"$ref": "#/$defs/Link"}}, "required": ["next"]}"##
            let text =
                ##"{"properties": {"first": {"$ref": "#/$defs/Link"}}, "required": ["first"], "##
                + #""$defs": {"Link": \#(link), "Node": \#(next)}}"#
            let source = models(try JSONModelDecoder().decode(JSONValue.self, from: text))
            #expect(source.contains("    let first: \(type)\n"), "\(source)")
            #expect(source.contains(" Node: Sendable {\n    let next: \(type)\n}\n"), "\(source)")
        }
    }

    @Test func `a definition may begin with JSON`() {
        let schema: JSONValue = [
            "properties": ["request": ["$ref": "#/definitions/JSONRPCRequest"]],
            "definitions": ["JSONRPCRequest": ["properties": ["id": ["type": "integer"]]]],
        ]
        #expect(models(schema).contains("struct RootJSONRPCRequest: Sendable {"), "\(models(schema))")
    }
}
