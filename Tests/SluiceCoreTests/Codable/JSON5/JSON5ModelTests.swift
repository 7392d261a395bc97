import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Models from JSON5.
@Suite struct JSON5ModelTests {
    private struct Settings: JSONModel, Equatable {
        var name: String
        var size: Int
        var ratio: Double
        var lazy: JSONLazy<[Int]>?
        static let plan = ModelPlan<Settings>(
            JSONField(\.name), JSONField(\.size), JSONField(\.ratio, default: 1).defaulting(on: .all),
            JSONField(\.lazy))
    }

    private static let text = """
        // The settings.
        {
          name: 'a\\'b', /* quotes */ size: +0x1F,
          ratio: .5, lazy: [1, 2,],
        }
        """

    @Test func `a model is decoded, also at a path, and from a file of chunks`() throws {
        let decoder = JSONModelDecoder()
        let settings = try decoder.decode(Settings.self, fromJSON5: Self.text)
        #expect((settings.name, settings.size, settings.ratio) == ("a'b", 31, 0.5))
        #expect(try settings.lazy?.value == [1, 2])
        #expect(
            try decoder.decode(Int.self, fromJSON5: .chunks(Array(Self.text.utf8).pieces(of: 3)), at: "lazy[1]")
                == 2)
        let tree: JSONValue = ["name": "x", "size": 1]
        #expect(try decoder.decode(Settings.self, fromJSON5: tree).name == "x")
    }

    @Test func `issues have their location in the JSON5`() throws {
        func issues(_ text: String, _ decoder: JSONModelDecoder = .collecting) -> [String] {
            do {
                let settings = try decoder.decode(Settings.self, fromJSON5: text)
                return ["\(settings)"]
            } catch { return error.issues.map { "\($0.path) \($0.location.line):\($0.location.column)" } }
        }
        #expect(issues(Self.text.replacing("+0x1F", with: "+.5")) == ["size 3:36"])
        #expect(
            issues(Self.text.replacing("'a\\'b'", with: "[]").replacing("+0x1F", with: "'x'")) == [
                "name 3:9", "size 3:32",
            ])
        #expect(issues(Self.text.replacing("+0x1F", with: "+ 1")) == ["size 3:36"])
        #expect(issues(Self.text.replacing(".5", with: "NaN")) == ["ratio 4:10"])
        #expect(issues("") == ["$ 1:1"])
    }

    @Test func `reported issues have their location in the JSON5, and limits apply to the JSON5`() throws {
        let log = IssueLog()
        var decoder = JSONModelDecoder()
        decoder.issueHandler = { log.add($0) }
        decoder.limits.string = 4
        let settings = try decoder.decode(Settings.self, fromJSON5: Self.text.replacing(".5", with: "'x'"))
        #expect(settings.ratio == 1)
        #expect(log.issues.map { "\($0.location.line):\($0.location.column)" } == ["4:10"])
        decoder.limits.string = 2
        let error = #expect(throws: JSONModelError.self) { try decoder.decode(Settings.self, fromJSON5: Self.text) }
        #expect(error?.issues[0].kind == .limitExceeded(.string, limit: 2))
    }
}
