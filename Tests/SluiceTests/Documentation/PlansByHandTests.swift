import Sluice
import TestSupport
import Testing

/// Models like those of the article "Plans by hand". Its samples are compiled and run too.
@Suite struct PlansByHandTests {
    struct License: JSONModel {
        let key: String

        static let plan = ModelPlan<License>(JSONField(\.key, key: "key"))
    }

    struct Repository: JSONModel {
        let id: Int
        let name: String
        let owner: String
        var stars: Int
        let license: License?
        var cached: Bool

        static let plan = ModelPlan<Repository> {
            JSONField(\.id, key: "id")
            JSONField(\.name, key: "full_name")
            JSONField(\.owner, key: "owner.login", or: "user.login")
            JSONField(\.stars, key: "stars", default: 0)
            JSONField(\.license, key: "license")
            JSONField(ignoring: \.cached, default: false)
        }
    }

    struct Page<Item: JSONConvertible>: JSONModel {
        let items: [Item]
        let next: String?

        static var plan: ModelPlan<Page> {
            .shared {
                ModelPlan {
                    JSONField(\.items, key: "items")
                    JSONField(\.next, key: "next")
                }
            }
        }
    }

    final class Node: JSONModel {
        let name: String
        let children: [Node]

        init(name: String, children: [Node]) {
            self.name = name
            self.children = children
        }

        private struct Storage {
            var name: String
            var children: [Node]
        }

        static let plan = ModelPlan<Node>(
            storage: Storage.self,
            [JSONField(\.name, key: "name"), JSONField(\.children, key: "children", default: [])],
            make: { Node(name: $0.name, children: $0.children) })
    }

    enum Color: String, JSONConvertible {
        case red, green
    }

    struct Version: JSONConvertible, Equatable {
        var major: Int
        var minor: Int

        static var jsonShape: JSONShape {
            .scalar(Version.self, expecting: "a version") { scalar in
                guard let text = scalar.string else { throw JSONModelError.ConversionFailure.mismatch }
                let parts = text.split(separator: ".").compactMap { Int($0) }
                guard parts.count == 2 else {
                    throw JSONModelError.ConversionFailure.invalid("\(text) is not like 1.2")
                }
                return Version(major: parts[0], minor: parts[1])
            }
        }
    }

    private let decoder = JSONModelDecoder()

    @Test func `structs decode with plans written by hand`() throws {
        let repository = try decoder.decode(
            Repository.self,
            from: #"{"id":1,"full_name":"lloyd/yajl","user":{"login":"lloyd"},"license":{"key":"isc"}}"#)
        #expect(repository.owner == "lloyd")
        #expect(repository.stars == 0)
        #expect(repository.license?.key == "isc")
        #expect(!repository.cached)
        #expect(try decoder.decode(Page<Int>.self, from: #"{"items":[1],"next":null}"#).items == [1])
        #expect(try decoder.decode(Page<Page<Int>>.self, from: #"{"items":[{"items":[2]}]}"#).items[0].items == [2])
    }

    @Test func `classes and enums decode with plans written by hand`() throws {
        let node = try decoder.decode(Node.self, from: #"{"name":"a","children":[{"name":"b"}]}"#)
        #expect(node.children.map(\.name) == ["b"])
        #expect(try decoder.decode([[Color]].self, from: #"[["red"],["green"]]"#) == [[.red], [.green]])
    }

    @Test func `custom types decode as values and dictionary keys`() throws {
        #expect(try decoder.decode([Version?].self, from: #"["1.2",null]"#) == [Version(major: 1, minor: 2), nil])
        #expect(
            issue([Version].self, #"["1"]"#)?.kind
                == .invalidValue(expected: "a version", reason: "1 is not like 1.2"))
        #expect(issue([Version].self, "[1]")?.kind == .typeMismatch(expected: "a version", found: "a number"))
        let named = try decoder.decode([Version: String].self, from: #"{"1.2":"a"}"#)
        #expect(named == [Version(major: 1, minor: 2): "a"])
        #expect(issue([Version: String].self, #"{"x":"a"}"#) != nil)
    }

    @Test func `the offsets of the worked example are correct`() {
        struct Example {
            let id: Int
            let name: String
            let login: String?
            var stars = 0
        }
        #expect(MemoryLayout<Example>.offset(of: \.login) == 24)
        #expect(MemoryLayout<Example>.offset(of: \.stars) == 40)
    }
}

extension PlansByHandTests.Version: Hashable, JSONDictionaryKey {
    init?(jsonKey: String) {
        let parts = jsonKey.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 2 else { return nil }
        self.init(major: parts[0], minor: parts[1])
    }
}
