import SluiceCore
import TestSupport
import Testing

/// A fault in a key was reported at the key before.
@Suite(.tags(.errors, .keys)) struct UnfinishedKeyTests {
    struct Leg: JSONModel, Equatable {
        var from: Int
        var to: Int?
        static let plan = ModelPlan<Leg>(JSONField(\.from), JSONField(\.to))
    }

    struct Trip: JSONModel, Equatable {
        var id: Int
        var leg: Leg?
        var legs: [String: Leg]?
        var deep: Int?
        var all: [Int]?
        var shape: One<Internal, Leg>?
        var raw: JSONRaw?
        static let plan = ModelPlan<Trip>(
            JSONField(\.id), JSONField(\.leg), JSONField(\.legs), JSONField(\.deep, key: "a.b.c"),
            JSONField(\.all, key: "each.*.x"), JSONField(\.shape), JSONField(\.raw))
    }

    @Test(arguments: [
        (#"{"id":1001,"ma"#, ""), (#"{"id":1001, "#, ""), (#"{"id":1001,"\ud800":1}"#, ""),
        (#"{"id":1001, 5}"#, ""), (#"{"id":1001,}"#, ""), (#"{"id":1001,'a':1}"#, ""),
        (#"{"id":1,"leg":{"from":1,"t"#, "leg"), (#"{"id":1,"leg":{"from":1},"t"#, ""),
        (#"{"id":1,"legs":{"a":{"from":1},"b"#, "legs"), (#"{"id":1,"legs":{"a":{"from":1,"b"#, "legs.a"),
        (#"{"a":{"b":{"c":1,"d"#, "a.b"), (#"{"a":{"b":{"c":1},"d"#, "a"), (#"{"each":{"k":{"x":1},"d"#, "each"),
        (#"{"each":{"k":{"x":1,"d"#, "each.k"), (#"{"shape":{"type":"one","from":1,"d"#, "shape"),
        (#"{"shape":{"from":1,"d"#, "shape"), (#"{"id":1,"none":{"a":1,"b"#, ""),
        (#"{"id":1,"none":{"a":1},"b"#, ""), (#"{"id":1,"raw":{"a":1,"b"#, "raw"),
        (#"{"id":1,"raw":{"a":1},"b"#, ""),
    ])
    func `an unfinished key is reported at its object`(_ text: String, _ path: String) throws {
        let issue = try refusal(Trip.self, text)
        #expect(issue.path.description == (path.isEmpty ? JSONPath().description : path))
    }

    @Test func `a key that is too long is reported at its object`() throws {
        let decoder = JSONModelDecoder.with { $0.limits.key = 4 }
        let issue = try refusal(Trip.self, #"{"id":1,"leg":{"from":1,"toolong":2}}"#, with: decoder)
        #expect(issue.path.description == "leg")
        #expect(issue.kind == .limitExceeded(.key, limit: 4))
    }

    @Test func `the end of every prefix has one path`() throws {
        let text =
            #"{"id":1,"x":{"y":[1,{"z":2}]},"leg":{"from":1,"to":2},"legs":{"a":{"from":1}},"raw":{"q":{"r":1}}}"#
        for count in 1..<text.utf8.count {
            _ = try refusals(Trip.self, String(decoding: text.utf8.prefix(count), as: UTF8.self))
        }
    }
}
