import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// What is made of a text that ends early, or that is no JSON from some byte on.
@Suite(.tags(.cuts)) struct EarlyEndTests {
    struct Owner: JSONModel, Hashable {
        let login: String
        var site: String?
        static let plan = ModelPlan<Owner>(JSONField(\.login), JSONField(\.site))
    }

    struct Repo: JSONModel, Hashable {
        let id: Int
        var name: String?
        var owner: Owner?
        var tags: [String]?
        var scores: [String: Int]?
        var flags = 7
        var any: JSONValue?
        var deep: Int?
        static let plan = ModelPlan<Repo>(
            JSONField(\.id), JSONField(\.name), JSONField(\.owner), JSONField(\.tags), JSONField(\.scores),
            JSONField(\.flags, default: 7), JSONField(\.any), JSONField(\.deep, key: "way.to[1].it"))
    }

    struct Page: JSONModel, Hashable {
        let owner: Owner
        let items: [Repo]
        static let plan = ModelPlan<Page>(JSONField(\.owner), JSONField(\.items))
    }

    /// What is made of a text, whole and in pieces from every source: the outcomes must agree.
    private func partial<T: JSONConvertible & Hashable>(
        _ type: T.Type, _ text: String, at path: JSONPath = JSONPath(),
        with decoder: JSONModelDecoder = JSONModelDecoder(), sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (value: T?, issues: [JSONIssue]) {
        let bytes = Array(text.utf8)
        var first: (value: T?, issues: [JSONIssue])?
        func check(_ way: String, _ read: () throws(JSONModelError) -> JSONPartial<T>) {
            var outcome: (value: T?, issues: [JSONIssue])
            do throws(JSONModelError) {
                let partial = try read()
                outcome = (partial.value, partial.issues)
            } catch { outcome = (nil, error.issues) }
            guard let known = first else {
                first = outcome
                return
            }
            #expect(outcome.value == known.value, "\(way)", sourceLocation: sourceLocation)
            let (issues, others) = (
                outcome.issues.map { "\($0)\n\($0.excerpt)" }, known.issues.map { "\($0)\n\($0.excerpt)" }
            )
            #expect(issues == others, "\(way)", sourceLocation: sourceLocation)
        }
        for source in JSONModelDecoder.Source.allCases {
            var decoder = decoder
            decoder.source = source
            check("\(source), whole") { () throws(JSONModelError) in
                try decoder.decodePartially(type, from: bytes, at: path)
            }
            for size in Set([1, 2, 3, 7, 16, 64, max(bytes.count / 2, 1), max(bytes.count - 1, 1)]).sorted() {
                let pieces = bytes.pieces(of: size)
                check("\(source), in pieces of \(size)") { () throws(JSONModelError) in
                    try decoder.decodePartially(type, from: .chunks(pieces), at: path)
                }
            }
        }
        return try #require(first, sourceLocation: sourceLocation)
    }

    @Test func `only a number at the end of the text may lack digits`() throws {
        #expect(try partial([Int].self, "[1,2").value == [1])
        #expect(try partial([Int].self, "[1,2\u{0B}3]").value == [1, 2])
        #expect(try partial([Int].self, "[1,2\u{0C}").value == [1, 2])
        #expect(try partial([Int].self, "[1,2x").value == [1, 2])
    }

    private static let page = #"""
        {"owner":{"login":"a","site":"s"},"items":[
         {"id":1,"name":"n","owner":{"login":"b"},"tags":["x","y"],"scores":{"p":1,"q":2},"flags":3},
         {"id":2,"any":{"k":[1,true,{"z":null}]},"way":{"to":[0,{"it":5}]}},{"id":3}]}
        """#

    @Test func `complete elements and fields are kept, incomplete ones are dropped`() throws {
        let list = try partial([String].self, #"["a","b","c"#)
        #expect(list.value == ["a", "b"])
        #expect(list.issues.map(\.kind) == [.unexpectedEnd])
        #expect(list.issues[0].location.offset == 11)
        let repo = try partial(Repo.self, #"{"id":1,"name":"n","tags":["x","y"],"scores":{"p":1,"q":2"#)
        #expect(repo.value == Repo(id: 1, name: "n", tags: ["x", "y"], scores: ["p": 1]))
        #expect(repo.issues.map(\.kind) == [.unexpectedEnd])
        #expect(try partial(Repo.self, #"{"id":1,"name"#).value == Repo(id: 1))
        #expect(try partial(Repo.self, #"{"id":1,"name":"#).value == Repo(id: 1))
        #expect(try partial(Repo.self, #"{"id":1,"unknown":{"a":[1,"#).value == Repo(id: 1))
        #expect(try partial(JSONValue.self, #"{"a":[1,{"b":tru"#).value == ["a": [1, [:]]])
        #expect(try partial(Set<Int>.self, "[1,2,").value == [1, 2])
        #expect(try partial([[Int]].self, "[[1],[2,3").value == [[1], [2]])
    }

    @Test func `a value in memory keeps what is before a part that is nested too deeply`() throws {
        var decoder = JSONModelDecoder.with { $0.limits.depth = 2 }
        let value: JSONValue = [[], [[1]], []]
        let list = try decoder.decodePartially([[[Int]]].self, from: value)
        #expect(list.value == [[], []])
        #expect(list.issues.map(\.kind) == [.limitExceeded(.depth, limit: 2)])
        #expect(try decoder.decodePartially([[[Int]]].self, from: "[[],[[1]],[]]").value == list.value)
        decoder.limits.depth = 3
        let inner = try decoder.decodePartially([[[Int]]].self, from: ["a": value] as JSONValue, at: "a")
        #expect(inner.value == [[], []])
    }

    @Test func `an unterminated number at the end is dropped`() throws {
        #expect(try partial([Int].self, "[1,12").value == [1])
        #expect(try partial([Int].self, "[1,12 ").value == [1, 12])
        #expect(try partial([Int].self, "[1,12,").value == [1, 12])
        #expect(try partial(Repo.self, #"{"id":1,"flags":12"#).value == Repo(id: 1))
        #expect(try partial([Double].self, "[1.5e3,1.5e3").value == [1500])
        #expect(try partial(Int.self, "12").value == 12)
        #expect(try partial(Int.self, "[3,12", at: "[1]").value == nil)
        // The error is that of a text that is decoded as a whole.
        for text in ["[1,12", "[1,12 ", "[1,", "[", #"[1,"a"#] {
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().decode([Int].self, from: text)
            }
            guard error?.issues[0].kind == .unexpectedEnd else { continue }
            #expect(try partial([Int].self, text).issues.map { "\($0)" } == error?.issues.map { "\($0)" })
        }
    }

    @Test func `an unterminated number on a path is dropped`() throws {
        struct Numbers: JSONModel, Hashable {
            let first: Int?
            let third: Int?
            let ids: [Int?]
            static let plan = ModelPlan<Numbers>(
                JSONField(\.first, key: "a[0]"), JSONField(\.third, key: "a[2]"),
                JSONField(\.ids, key: "rows[*].at[1]", default: []))
        }
        for text in [
            #"{"a":[1"#, #"{"a":[1,2"#, #"{"a":[1,2,3"#, #"{"a":[1,2,3,4"#, #"{"a":[1,2 "#, #"{"rows":[{"at":[1,2"#,
            #"{"rows":[{"at":[1,2]},{"at":[1,2,3"#,
        ] {
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().decode(Numbers.self, from: text)
            }
            let (value, issues) = try partial(Numbers.self, text)
            #expect(value != nil)
            #expect(issues.map { "\($0)" } == error?.issues.map { "\($0)" }, "\(text)")
        }
        #expect(try partial(Numbers.self, #"{"a":[1,2,3"#).value == Numbers(first: 1, third: nil, ids: []))
    }

    @Test func `a model without a required key is dropped and reported`() throws {
        let (value, issues) = try partial([Page].self, #"[{"owner":{"login":"a"},"items":[{"id":1},{"name":"b"#)
        #expect(value == [Page(owner: Owner(login: "a"), items: [Repo(id: 1)])])
        #expect(issues.brief == ["[0].items[1].name: unexpectedEnd", "[0].items[1]: lacks id"])
        #expect(issues.map(\.location.offset) == [52, 52])
        #expect(issues[0].excerpt == issues[1].excerpt)
        let optional = try partial(Repo.self, #"{"id":1,"owner":{"site":"x","#)
        #expect(optional.value == Repo(id: 1))
        #expect(optional.issues.brief == ["owner: unexpectedEnd", "owner: lacks login"])
        // Told once, as ever.
        let required = try partial([Page].self, #"[{"owner":{"site":"x","#)
        #expect(required.value == [])
        #expect(
            required.issues.brief == ["[0].owner: unexpectedEnd", "[0].owner: lacks login", "[0]: lacks items"])
        let first = try partial([Page].self, #"[{"items":[],"owner":{"site":"x","#)
        #expect(first.value == [])
        #expect(first.issues.brief == ["[0].owner: unexpectedEnd", "[0].owner: lacks login"])
    }

    @Test func `input without a complete value gives nil`() throws {
        for text in ["", "  ", "x", #""abc"#, #"{"name":"n""#, "tru"] {
            let (value, issues) = try partial(Repo.self, text)
            #expect(value == nil)
            #expect(issues.count == 1)
        }
        #expect(try partial([Int].self, #"{"a":{"b":[1"#, at: "a.c").value == nil)
        #expect(try partial([Int].self, #"{"a":{"b":[1,2"#, at: "a.b").value == [1])
        #expect(try partial([Int].self, #"{"a":{"b":[1,2],"c":"#, at: "a.b").value == [1, 2])
    }

    @Test func `values before a syntax error are kept`() throws {
        let (value, issues) = try partial([Repo].self, #"[{"id":1},{"id":2,"tags":["a",]}, {"id":3}]"#)
        #expect(value == [Repo(id: 1), Repo(id: 2, tags: ["a"])])
        #expect(issues.map(\.kind) == [.syntax("a comma precedes the closing bracket")])
        let trailing = try partial([Int].self, "[1,2] x")
        #expect(trailing.value == [1, 2])
        #expect(trailing.issues.map(\.kind) == [.trailingContent])
        var decoder = JSONModelDecoder()
        decoder.limits.depth = 2
        #expect(try partial([[[Int]]].self, "[[],[[1]]]", with: decoder).value == [[], []])
        decoder.limits = JSONLimits()
        decoder.limits.document = 7
        #expect(try partial([Int].self, "[1,2,34,5]", with: decoder).value == [1, 2])
        #expect(try partial([String].self, "[\"a\",\"b\\x\"]").value == ["a"])
    }

    @Test func `issues before the end keep their order and their effect`() throws {
        let (value, issues) = try partial(
            [Repo].self, #"[{"id":"x"},{"id":1,"tags":[1,"a"]},{"id":2},{"id":"y","na"#)
        #expect(value == [Repo(id: 2)])
        #expect(
            issues.brief == [
                "[0].id: an integer, not a string", "[1].tags[0]: a string, not a number",
                "[3].id: an integer, not a string", "[3]: unexpectedEnd",
            ])
        let decoder = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: 1) }
        let limited = try partial(
            [Page].self, #"[{"owner":{"login":"a"},"items":[{"id":1},{"name":"b"#, with: decoder)
        #expect(limited.value?.first?.items == [Repo(id: 1)])
        #expect(limited.issues.count == 1)
    }

    @Test func `longer prefixes never give fewer elements`() throws {
        let bytes = Array(Self.page.utf8)
        let whole = try JSONModelDecoder().decode(Page.self, from: bytes)
        var count = 0
        for length in 0..<bytes.count {
            let text = String(decoding: bytes[..<length], as: UTF8.self)
            guard let value = try partial(Page.self, text).value else {
                #expect(count == 0)
                continue
            }
            #expect(value.owner == whole.owner)
            #expect(value.items.count >= count)
            #expect(value.items.dropLast() == whole.items.prefix(max(value.items.count - 1, 0)))
            count = value.items.count
        }
        #expect(count == 3)
    }

    // MARK: Features

    @Test func `a transform never receives incomplete JSON`() throws {
        struct Sum: JSONTransform {
            func decode(_ json: [Int]) throws -> Int { json.reduce(0, +) }
            func encode(_ value: Int) throws -> [Int] { [value] }
        }
        struct Model: JSONModel, Hashable {
            var sum = 5
            var list: [Int]?
            static let plan = ModelPlan<Model>(
                JSONField(\.sum, key: "sum", transform: Sum(), default: 5), JSONField(\.list))
        }
        #expect(try partial(Model.self, #"{"sum":[1,2],"list":[1,"#).value == Model(sum: 3, list: [1]))
        #expect(try partial(Model.self, #"{"list":[1],"sum":[1,2,"#).value == Model(sum: 5, list: [1]))
    }

    /// A sum, which its type makes from the numbers.
    struct Total: JSONConvertible, Hashable {
        let value: Int
        static var jsonShape: JSONShape { .transformed(by: Sum()) }

        struct Sum: JSONTransform {
            func decode(_ json: [Int]) throws -> Total {
                if json.count < 2 { throw JSONModelError.ConversionFailure.mismatch }
                return Total(value: json.reduce(0, +))
            }
            func encode(_ value: Total) throws -> [Int] { [value.value, 0] }
        }
    }

    @Test func `a transform never receives JSON without a part that failed`() throws {
        let text = #"[[1,2],[3,"x",4],[5,6],["y",7],[8]]"#
        let (value, issues) = try partial([Total].self, text)
        let expected = [
            "[1][1]: an integer, not a string", "[3][0]: an integer, not a string", "[4]: Total, not an array",
        ]
        #expect(value == [Total(value: 3), Total(value: 11)])
        #expect(issues.brief == expected)
        #expect(try refusals([Total].self, text, with: .collecting).brief == expected)
        let members = try partial([String: Total?].self, #"{"a":[1,2],"b":["x",2,3],"c":null}"#)
        #expect(members.value == ["a": Total(value: 3), "c": nil])
        #expect(members.issues.brief == ["b[0]: an integer, not a string"])
        #expect(try partial(Total.self, #"[1,2,"x"]"#).value == nil)
    }

    @Test func `complete enums are kept`() throws {
        enum Shape: JSONEnum, Hashable {
            case circle(Owner)
            case list([Int])
            static let plan = ModelPlan<Shape>(
                cases: [.of("circle", Self.circle), .of("list", Self.list)], tagging: .external)
        }
        let owner = Shape.circle(Owner(login: "a"))
        #expect(
            try partial([Shape].self, #"[{"list":[1]},{"circle":{"login":"a","site":"#).value == [
                .list([1]), owner,
            ])
        #expect(try partial([Shape].self, #"[{"list":[1,2,"#).value == [.list([1, 2])])
        let (value, issues) = try partial([Shape].self, #"[{"list":[1]},{"circle":{"site":"a","#)
        #expect(value == [.list([1])])
        #expect(issues.brief == ["[1].circle: unexpectedEnd", "[1].circle: lacks login"])
        #expect(try partial([Shape].self, #"[{"list":[1]},{"#).value == [.list([1])])
        #expect(try partial([Shape].self, #"[{"list":[1]},{"circle":"#).value == [.list([1])])
    }

    @Test func `complete gathered values and extra keys are kept`() throws {
        struct Names: JSONModel, Hashable {
            var names: [String] = []
            var sites: [String?] = []
            var rest: [String: JSONValue] = [:]
            static let plan = ModelPlan<Names>([
                JSONField(\.names, key: "items[*].name", default: []),
                JSONField(\.sites, key: "items[*].site", default: []), JSONField(extra: \.rest),
            ])
        }
        let text = #"{"more":[1,{"a":2}],"items":[{"name":"a","site":"x"},{"name":"b"},{"site":"z","name":"c"#
        let (value, _) = try partial(Names.self, text)
        #expect(value?.names == ["a", "b"])
        #expect(value?.sites == ["x", nil, "z"])
        #expect(value?.rest == ["more": [1, ["a": 2]]])
        #expect(try partial(Names.self, #"{"more":[1,{"a":2"#).value?.rest == ["more": [1, [:]]])
    }

    @Test func `a candidate that ends early fails its own model only`() throws {
        struct Account: JSONModel, Hashable {
            var owner: Owner?
            static let plan = ModelPlan<Account>(JSONField(\.owner, key: "owner", or: "user"))
        }
        struct Entry: JSONModel, Hashable {
            let id: Int
            var account: Account?
            static let plan = ModelPlan<Entry>(JSONField(\.id), JSONField(\.account))
        }
        for members in [#""user":{"site":"#, #""owner":null,"user":{"site":"#, #""user":{"login":"#] {
            let (value, issues) = try partial([String: Entry].self, #"{"a":{"id":1,"account":{"# + members)
            #expect(value == ["a": Entry(id: 1, account: nil)])
            #expect(issues.first?.kind == .unexpectedEnd)
        }
        let (value, _) = try partial([String: Entry].self, #"{"a":{"id":1,"account":{"owner":{"login":"#)
        #expect(value == ["a": Entry(id: 1, account: Account(owner: nil))])
    }

    @Test func `a stream delivers complete elements only`() throws {
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder.collecting
            decoder.source = source
            var ids: [Int] = []
            let error = #expect(throws: JSONModelError.self) {
                try decoder.forEach(Repo.self, in: #"[{"id":1},{"id":2},{"id":3,"na"#, at: "[*]") {
                    ids.append($0.id)
                }
            }
            #expect(ids == [1, 2])
            #expect(error?.issues.map(\.kind) == [.unexpectedEnd])
        }
    }
}
