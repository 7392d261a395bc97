import SluiceCore
import TestSupport
import Testing

/// Keys that a model has no property for: passed over, refused, or reported.
struct UnknownKeyTests {
    struct Loose: JSONModel, Equatable {
        let name: String?
        let inner: Strict?
        static let plan = ModelPlan<Loose>(JSONField(\.name, key: "name"), JSONField(\.inner, key: "inner"))
    }

    struct Strict: JSONModel, Equatable {
        let fullName: String?
        let city: String?
        static let plan = ModelPlan<Strict>(
            [JSONField(\.fullName, key: "full_name"), JSONField(\.city, key: "home.city")], unknownKeys: .reject)
    }

    struct Telling: JSONModel, Equatable {
        let id: Int
        let loose: Loose?
        static let plan = ModelPlan<Telling>(
            [JSONField(\.id, key: "id"), JSONField(\.loose, key: "loose")], unknownKeys: .report)
    }

    @Test func `a model can refuse unknown keys`() throws {
        _ = try decode(Loose.self, #"{"x":1,"inner":{"home":{"zip":1}}}"#)
        let issue = try refusal(Loose.self, #"{"inner":{ "fullname":"n"}}"#)
        #expect((issue.kind, issue.path, issue.location.offset) == (.unknownKey("fullname"), "inner.fullname", 11))
        #expect((issue.model, issue.property) == ("Strict", nil))
        #expect(issue.hint == #"did you mean "full_name"?"#)
        #expect(try refusal(Strict.self, #"{"quite":1}"#).hint == nil)
    }

    @Test func `a model can report unknown keys`() throws {
        let (value, issues) = try TestSupport.reported(
            Telling.self, #"{"a":[{}],"id":1,"loose":{"b":2,"name":"n"},"c":"x","idd":null}"#)
        #expect(value == Telling(id: 1, loose: Loose(name: "n", inner: nil)))
        #expect(issues.brief == ["a: unknown a", "c: unknown c", "idd: unknown idd"])
        #expect(issues.map(\.location.offset) == [1, 44, 52])
        #expect(issues.last?.hint == #"did you mean "id"?"#)
        #expect(try refusal(Telling.self, #"{"di":1}"#).hint?.contains("\"di\" is similar") == true)
    }

    @Test func `the option of a model overrides the decoder's`() throws {
        let strict = JSONModelDecoder.with { $0.unknownKeys = .reject }
        #expect(try refusal(Loose.self, #"{"name":"n","Name":1}"#, with: strict).kind == .unknownKey("Name"))
        #expect(try decode(Loose.self, #"{"name":"n"}"#, with: strict).name == "n")
        // A model's own word counts for more.
        let (_, issues) = try TestSupport.reported(Telling.self, #"{"id":1,"x":1}"#, with: strict)
        #expect(issues.brief == ["x: unknown x"])
        let telling = JSONModelDecoder.with { $0.unknownKeys = .report }
        #expect(
            try TestSupport.reported(Loose.self, #"{"x":1,"y":[{"z":1}]}"#, with: telling).issues.brief
                == ["x: unknown x", "y: unknown y"])
        #expect(try refusal(Loose.self, #"{"inner":{"x":1}}"#, with: telling).path == "inner.x")
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a key that differs in any byte is unknown`(_ source: JSONModelDecoder.Source) throws {
        struct One: JSONModel {
            let value: Int
            static let plan = ModelPlan<One>(JSONField(\.value))
        }
        for count in 1...40 {
            let key = String("abcdefghijklmnopqrstuvwxyz0123456789ABCD".prefix(count))
            let decoder = JSONModelDecoder.with {
                $0.source = source
                $0.keyStrategy = .custom { _ in key }
            }
            func isKnown(_ key: some StringProtocol) -> Bool {
                (try? decoder.decode(One.self, from: "{\"\(key)\":1}")) != nil
            }
            // A key with an escape is compared in another way.
            let others = (0..<count).map { key.prefix($0) + "-" + key.dropFirst($0 + 1) }
            #expect(isKnown(key) && isKnown("\\u0061" + key.dropFirst()))
            #expect(others.filter { isKnown($0) } == [])
            #expect(others.dropFirst().filter { isKnown("\\u0061" + $0.dropFirst()) } == [])
            #expect(!isKnown(key + "-") && !isKnown(String(key.dropLast())))
        }
    }

    @Test func `the driver recovers from unknown keys`() throws {
        struct Outer: JSONModel, Equatable {
            let list: [Strict]
            let one: Strict?
            static let plan = ModelPlan<Outer>(
                JSONField(\.list, key: "list").lossy(),
                JSONField(\.one, key: "one", default: nil).defaulting(on: [.missing, .mismatch]))
        }
        let (value, issues) = try TestSupport.reported(
            Outer.self,
            #"{"one":{"full_name":"a","x":[{}],"y":1},"list":[{"full_name":"b"},{"z":{"a":1},"full_name":"c"},{}]}"#
        )
        #expect(value.list == [Strict(fullName: "b", city: nil), Strict(fullName: nil, city: nil)])
        #expect(value.one == nil)
        #expect(issues.brief == ["one.x: unknown x", "list[1].z: unknown z"])
    }
}
