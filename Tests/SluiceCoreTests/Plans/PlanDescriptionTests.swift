import SluiceCore
import Testing

/// The descriptions of plans.
struct PlanDescriptionTests {
    struct License: JSONModel {
        let key: String
        static let plan = ModelPlan<License>(JSONField(\.key))
    }

    struct Repository: JSONModel {
        let id: Int
        let name: String
        let owner: String
        var stars = 0
        let license: License?
        var cached = false

        static let plan = ModelPlan<Repository> {
            JSONField(\.id)
            JSONField(\.name, key: "full_name")
            JSONField(\.owner, key: "owner.login", or: "user.login")
            JSONField(\.stars, default: 0)
            JSONField(\.license, key: #"license\.v2[0]"#)
            JSONField(ignoring: \.cached, default: false)
        }
    }

    final class Node: JSONModel {
        struct Storage { var name: String }
        let name: String
        init(_ storage: Storage) { name = storage.name }
        static let plan = ModelPlan<Node>(storage: Storage.self, [JSONField(\.name)], make: { Node($0) })
    }

    @Test func `the description of a plan is a table of its fields`() {
        #expect(
            Repository.plan.description == #"""
                Repository: 6 fields
                key                       property  type      offset
                id                        id        Int            0  required
                full_name                 name      String         8  required
                owner.login | user.login  owner     String        24  required
                stars                     stars     Int           40  default
                ["license.v2"][0]         license   License?      48  optional
                –                         cached    –             64  ignored
                """#)
    }

    private enum Shape: JSONEnum {
        case point
        case license(License)
        case other(String)

        static let plan = makePlan(.external)

        static func makePlan(_ tagging: JSONTagging) -> ModelPlan<Shape> {
            ModelPlan(
                cases: [
                    .of("point", keys: ["point", "dot"], .point), .of("license", Self.license),
                    .of("other", Self.other),
                ], tagging: tagging, fallback: "other")
        }
    }

    @Test func `the description of an enum is a table of its cases`() {
        for (tagging, words) in [
            (JSONTagging.external, "external tag: the key around the value"),
            (.internal(tag: "type"), #"internal tag "type""#),
            (.adjacent(tag: "t", content: "c"), #"adjacent tag "t", content "c""#),
        ] {
            let lines = Shape.makePlan(tagging).description.split(separator: "\n").map(String.init)
            #expect(lines.first == "Shape: 3 cases, \(words)")
            #expect(lines.dropFirst(2).count { $0.contains("point | dot  point") } == 1)
            #expect(lines.dropFirst(2).count { $0.contains("License") } == 1)
            #expect(lines.dropFirst(2).filter { $0.hasSuffix("fallback") }.count == 1)
        }
        #expect(Shape.makePlan(.untagged).description.hasPrefix("Shape: 3 cases, untagged"))
    }

    @Test func `the description of a plan shows extra keys and the keys of a flattened enum`() {
        #expect(
            FlattenedEnumTests.Maybe<Adjacent>.plan.description == """
                Maybe<Adjacent>: 3 fields
                key         property  type                           offset
                id          id        Int                                 0  required
                its cases'  action    Action<Adjacent>?                   8  optional, flattened
                all others  rest      Dictionary<String, JSONValue>      56  default
                """)
    }

    @Test func `the description of a plan names the exceptions of its fields`() {
        struct Exceptional: JSONModel {
            let list: [Int]
            var secret = "s"
            var made = 1
            let license: License?
            static let plan = ModelPlan<Exceptional>([
                JSONField(\.list).lossy(), JSONField(\.secret).ignored(.encoding),
                JSONField(\.made, default: 1).ignored(.decoding), JSONField(flatten: \.license),
            ])
        }
        #expect(
            "\(Exceptional.plan)" == """
                Exceptional: 4 fields
                key     property  type        offset
                list    list      Array<Int>       0  required, lossy
                secret  secret    String           8  required, not written
                –       made      –               24  ignored
                key     key       String          32  optional, flattened
                """)
    }

    @Test func `the description of a plan names its storage or its defect`() {
        #expect(
            "\(Node.plan)" == """
                Node: 1 field, through a storage
                key   property  type    offset
                name  name      String       0  required
                """)
        struct Pair: JSONModel {
            let a: Int
            let b: Int
            static let plan = ModelPlan<Pair>(JSONField(\.a))
        }
        #expect(Pair.plan.description.hasSuffix("\nunusable: no field names the stored property 'b'"))
    }
}
