#if Macros
import Foundation
import Sluice
import TestSupport
import Testing

/// The partial types of models, which the macro adds.
@Suite struct PartialTests {
    @JSONModel(.partial)
    struct Owner: Equatable {
        @JSONKey("login_name") let login: String
        let home: Address?
    }

    @JSONModel(.partial)
    struct Address: Equatable {
        let city: String
        let lines: [String]
    }

    /// A model without a partial type.
    @JSONModel
    struct Score: Equatable {
        let points: Int
        let of: Int
    }

    @JSONModel(tag: "type")
    enum Action: Equatable {
        case open(Owner)
        case close
    }

    struct Celsius: JSONTransform {
        func decode(_ json: String) throws -> Double { Double(json.dropLast()) ?? 0 }
        func encode(_ value: Double) throws -> String { "\(value)C" }
    }

    struct Coded: Codable, Equatable { let x: Int }

    @JSONModel(.partial, keys: .snakeCase)
    struct Repository: Equatable {
        let fullName: String
        let owner: Owner
        let owners: [Owner]
        let byRole: [String: [Owner]]?
        var stars = 3
        let score: Score
        let action: Action?
        let created: Date?
        @JSONTransform(Celsius()) let degrees: Double
        let coded: Coded?
        @JSONEmbedded(.either) let embedded: Address?
        @JSONFlatten let address: Address
        @JSONExtra var rest: [String: Int]
        @JSONIgnore var cached = 1
        @JSONIgnore(.decoding) var kind = "x"
        private let secret: String?

        mutating func didDecode() throws { cached = 2 }
    }

    typealias Partial = Repository.Partial

    private static let text = #"""
        {"full_name": "sluice", "owner": {"login_name": "ann", "home": {"city": "Bonn", "lines": ["a", "b"]}},
         "owners": [{"login_name": "x"}, {"login_name": "yz"}], "by_role": {"dev": [{"login_name": "d"}]}, "stars": 12,
         "score": {"points": 1, "of": 2}, "action": {"type": "open", "login_name": "o"}, "created": "2024-01-02T03:04:05Z",
         "degrees": "1.5C", "coded": {"x": 4}, "embedded": "{\"city\":\"E\",\"lines\":[]}", "city": "Ulm", "lines": ["l"],
         "more": 5, "secret": "s"}
        """#

    @Test func `the properties have partial types`() {
        let partial = Partial()
        let owner: Owner.Partial? = partial.owner
        let owners: [Owner.Partial]? = partial.owners
        let byRole: [String: [Owner.Partial]]? = partial.byRole
        let stars: Int? = partial.stars
        let score: Score? = partial.score
        let action: Action? = partial.action
        let created: Date? = partial.created
        let degrees: Double? = partial.degrees
        let coded: Coded? = partial.coded
        let embedded: Address.Partial? = partial.embedded
        let city: String? = partial.address.city
        #expect(owner == nil && owners == nil && byRole == nil && stars == nil && score == nil && action == nil)
        #expect(created == nil && degrees == nil && coded == nil && embedded == nil && city == nil)
        #expect(partial.rest.isEmpty && !Mirror(reflecting: partial).children.contains { $0.label == "cached" })
    }

    @Test func `a complete document fills the partial model`() throws {
        let partial = try decode(Partial.self, Self.text)
        let whole = try decode(Repository.self, Self.text)
        #expect(whole.cached == 2)
        #expect(partial.fullName == whole.fullName && partial.owner?.home?.lines == ["a", "b"])
        #expect(partial.owners?.map(\.login) == ["x", "yz"] && partial.byRole?["dev"]?.first?.login == "d")
        #expect(partial.stars == 12 && partial.score == Score(points: 1, of: 2) && partial.action == whole.action)
        #expect(partial.created == whole.created && partial.degrees == 1.5 && partial.coded == Coded(x: 4))
        #expect(partial.embedded?.city == "E" && partial.address.city == "Ulm" && partial.rest == ["more": 5])
        #expect(try decode(Partial.self, "{}").owner == nil)
        #expect(try refusal(Partial.self, #"{"owner": 5}"#).path == "owner")
        // The JSON of a partial model is that of the model.
        let again = try decode(Repository.self, try JSONModelEncoder().encode(partial, as: .string))
        #expect(again == whole)
    }

    @JSONModel(.partial, tag: "type")
    enum Block { case text(text: String, size: Int?) }

    @Test func `a partial type is named with its model`() throws {
        let owner = try refusal(Partial.self, #"{"owner": {"login_name": 1}}"#)
        #expect(owner.model == "Owner.Partial" && owner.description.contains("for Owner.Partial.login ("))
        #expect(try refusal(Page<Int>.Partial.self, #"{"next": 1}"#).model == "Page.Partial")
        let schema = try Partial.jsonSchema()
        #expect(schema["title"] == "Repository.Partial" && schema["$defs"]?["Owner_Partial"] != nil)
        #expect("\(Address.Partial.plan)".hasPrefix("Address.Partial: "))
        #expect("\(Block.Partial.plan)".hasPrefix("Block.Partial: "))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a snapshot has a value at every moment`(_ source: JSONModelDecoder.Source) throws {
        let bytes = Array(Self.text.utf8)
        var feed = JSONModelDecoder(from: source).feed(of: Partial.self)
        var logins: Set<String> = []
        var states: Set<String> = []
        for (count, byte) in bytes.enumerated() {
            let elements = try feed.push([byte])
            #expect(elements.count == (count == bytes.count - 1 ? 1 : 0))
            let snapshot = feed.snapshot()
            // The first bytes determine the encoding of the text.
            guard count >= 4 else { continue }
            let value = try #require(snapshot.value, "\(count)")
            for owner in [value.owner].compactMap(\.self) + (value.owners ?? []) {
                if let login = owner.login { logins.insert(login) }
            }
            states.insert("\(snapshot.state(of: \.owner))")
        }
        #expect(logins.isSuperset(of: ["a", "an", "ann", "x", "y", "yz"]))
        #expect(states == ["absent", "open", "complete"])
        let rest = try feed.finish()
        #expect(rest.isEmpty)
    }

    @JSONModel(.partial)
    final class Tree {
        let id: Int
        let children: [Tree]
    }

    @JSONModel(.partial)
    struct Page<Item: JSONConvertible> {
        let items: [Item]
        var next: String?
    }

    @JSONModel(.partial)
    struct Envelope<Item: JSONConvertible & Sendable>: Sendable {
        let item: Item?
    }

    @JSONModel(.partial, tag: "type")
    enum Update<Item: JSONConvertible & Sendable>: Sendable {
        case new(item: Item)
        case end
    }

    @Test func `generic models that are Sendable have partial types`() throws {
        let envelope = try decode(Envelope<Owner>.Partial.self, #"{"item": {"login_name": "a"}}"#)
        let owner: Owner.Partial? = envelope.item
        #expect(owner?.login == "a")
        guard case .new(let item) = try decode(Update<Owner>.Partial.self, #"{"type": "new", "item": {}}"#) else {
            Issue.record("another case")
            return
        }
        #expect(item != nil && item?.login == nil)
    }

    @Test func `classes, recursive and generic models have partial types`() throws {
        let tree = try decode(Tree.Partial.self, #"{"children": [{"id": 1}, {"children": [{}]}]}"#)
        #expect(tree.id == nil && tree.children?.count == 2 && tree.children?[1].children?[0].id == nil)
        var feed = JSONModelDecoder().feed(of: Page<Owner>.Partial.self)
        _ = try feed.push(Array(#"{"items": [{"login_name": "a"}, {"login_name": "b"#.utf8))
        let items: [Owner.Partial]? = feed.snapshot().value?.items
        #expect(items?.map(\.login) == ["a", "b"])
    }

    @JSONModel(.partial)
    struct Stop: Hashable {
        let name: String
        var zones: Set<Int> = []
    }

    @JSONModel(.partial)
    struct Route {
        let stops: Set<Stop>
        let tags: Set<String>?
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `sets of partial values are arrays`(_ source: JSONModelDecoder.Source) throws {
        let text =
            #"{"stops": [{"name": "Bonn", "zones": [1, 2]}, {"name": "Bonn", "zones": [2, 1]}, {"name": "Ulm"}]}"#
        var feed = JSONModelDecoder(from: source).feed(of: Route.Partial.self)
        var names: [[String]] = []
        for byte in text.utf8.dropLast(2) {
            _ = try feed.push([byte])
            let stops: [Stop.Partial] = feed.snapshot().value?.stops ?? []
            let new = stops.map { "\($0.name ?? "")\($0.zones ?? [])" }
            if new != names.last { names.append(new) }
        }
        #expect(names.contains(["Bo[]"]) && names.contains(["Bonn[1, 2]", "Bonn[2]"]))
        #expect(names.last == ["Bonn[1, 2]", "Bonn[2, 1]", "Ulm[]"])
        #expect(try decode(Route.self, text).stops.count == 2)
        #expect(try decode(Route.Partial.self, #"{"stops": [], "tags": ["a", "a"]}"#).tags == ["a", "a"])
    }

    @Test func `elements of a stream can be partial`() throws {
        var feed = JSONModelDecoder().feed(of: Owner.Partial.self, at: "owners[*]")
        let owners = try feed.push(Array(#"{"owners": [{}, {"login_name": "a"}, {"home": {"city": "B"#.utf8))
        #expect(owners.map(\.login) == [nil, "a"])
        let city = feed.snapshot().value?.home?.city
        #expect(city == "B")
    }
}

extension PartialTests.Address.Partial: Equatable {}

extension PartialTests {
    @Test func `a conformance of the partial type is synthesized`() throws {
        #expect(try decode(Address.Partial.self, #"{"city": "B"}"#) != Address.Partial())
    }

    @JSONModel(defaultsOn: .all)
    struct Settings: Equatable {
        let id: Int
        var volume = 5
        let theme: String?
        @JSONDefault(7, on: [.missing]) let stated: Int
    }

    @JSONModel(defaultsOn: .all, tag: "type")
    enum Shape: Equatable {
        case square(side: Double = 2)
    }

    @Test func `mismatches leave the defaults`() throws {
        let settings = try decode(Settings.self, #"{"id": 1, "volume": "loud", "theme": 5}"#)
        #expect(settings == Settings(id: 1, volume: 5, theme: nil, stated: 7))
        #expect(try refusal(Settings.self, #"{"id": 1, "stated": "x"}"#).path == "stated")
        #expect(try decode(Shape.self, #"{"type": "square", "side": "x"}"#) == .square(side: 2))
    }

    @JSONModel
    class Animal: CustomStringConvertible {
        @JSONKey("animal_name") let name: String
    }

    @JSONModel
    final class Dog: Animal {
        @JSONKey("dog.barks") let barks: Bool
        @JSONIgnore var cached = 1
    }

    @Test func `a class that declares the conformance has a description`() throws {
        let dog = try decode(Dog.self, #"{"animal_name": "Rex", "dog": {"barks": true}}"#)
        #expect("\(dog as Animal)" == #"Dog {"name":"Rex","barks":true}"#)
    }
}
#endif
