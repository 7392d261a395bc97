// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/PlansByHand.md by `make samples`: change the document, not this file.
import Foundation
import Sluice
import Testing

@Suite struct PlansByHandSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 7)
struct License: JSONModel { let key: String; static let plan = ModelPlan<License>(JSONField(\.key, key: "key")) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 9)
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
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 40)
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
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 62)
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
        make: { Node(name: $0.name, children: $0.children) },
        read: { Storage(name: $0.name, children: $0.children) })
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 87)
@Test func `structs and classes are decoded and encoded`() throws {
let text = #"{"id":1,"full_name":"a","owner":{"login":"b"},"stars":0,"license":{"key":"c"}}"#
let repository = try JSONModelDecoder().decode(Repository.self, from: text)
#expect(try JSONModelEncoder().encode(repository, as: .string) == text)
let page = try JSONModelDecoder().decode(Page<Page<Int>>.self, from: #"{"items":[{"items":[2]}]}"#)
#expect(try JSONModelEncoder().encode(page, as: .string) == #"{"items":[{"items":[2]}]}"#)
let node = try JSONModelDecoder().decode(Node.self, from: #"{"name":"a","children":[{"name":"b"}]}"#)
#expect(try JSONModelEncoder().encode(node, as: .string) == #"{"name":"a","children":[{"name":"b","children":[]}]}"#)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 123)
enum Color: String, JSONConvertible {
    case red, green
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 131)
enum Content: JSONEnum {
    case text(String)
    case empty

    static let plan = ModelPlan<Content>(cases: [
        JSONCase(
            "text", payload: String.self, make: { .text($0) },
            read: { if case .text(let text) = $0 { text } else { nil } }),
        JSONCase("empty", value: .empty, matches: { if case .empty = $0 { true } else { false } }),
    ])
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 143)
@Test func `an enum with values is decoded and encoded`() throws {
let text = #"[{"text":"a"},"empty"]"#
let contents = try JSONModelDecoder().decode([Content].self, from: text)
#expect(try JSONModelEncoder().encode(contents, as: .string) == text)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 155)
struct Version: JSONConvertible, Equatable {
    var major: Int
    var minor: Int

    static var jsonShape: JSONShape {
        .scalar(Version.self, expecting: "a version") { scalar in
            guard let text = scalar.string else { throw JSONModelError.ConversionFailure.mismatch }
            let parts = text.split(separator: ".").compactMap { Int($0) }
            guard parts.count == 2 else { throw JSONModelError.ConversionFailure.invalid("\(text) is not like 1.2") }
            return Version(major: parts[0], minor: parts[1])
        } write: { version in
            .string("\(version.major).\(version.minor)")
        }
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 176)
struct Stack<Element: JSONConvertible>: JSONConvertible {
    var elements: [Element] = []

    static var jsonShape: JSONShape {
        .array(Self.self, of: Element.self, make: { Self(elements: $0) }, elements: { $0.elements })
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 189)
}
private typealias Version = PlansByHandSamples.Version
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 192)
extension Version: Hashable, LosslessStringConvertible, JSONDictionaryKey {
    var description: String { "\(major).\(minor)" }

    init?(_ description: String) {
        let parts = description.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 2 else { return nil }
        self.init(major: parts[0], minor: parts[1])
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/PlansByHand.md", line: 202)
extension PlansByHandSamples {
@Test func `custom types are decoded and encoded`() throws {
let versions = try JSONModelDecoder().decode([Version: Version].self, from: #"{"1.2":"3.4"}"#)
#expect(versions == [Version(major: 1, minor: 2): Version(major: 3, minor: 4)])
#expect(try JSONModelEncoder().encode(versions, as: .string) == #"{"1.2":"3.4"}"#)
let stack = try JSONModelDecoder().decode(Stack<Version>.self, from: #"["1.2","3.4"]"#)
#expect(stack.elements == [Version(major: 1, minor: 2), Version(major: 3, minor: 4)])
#expect(try JSONModelEncoder().encode(stack, as: .string) == #"["1.2","3.4"]"#)
#expect(throws: JSONModelError.self) { try JSONModelDecoder().decode([Version].self, from: #"["1"]"#) }
#expect(try JSONModelDecoder().decode([[Color]].self, from: #"[["red"],["green"]]"#) == [[.red], [.green]])
}
#sourceLocation()
}
