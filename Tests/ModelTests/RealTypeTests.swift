#if Macros
import Sluice
import TestSupport
import Testing

@Suite("Types that the macro expanded, filled by the core")
struct RealTypeTests {
    @Test func `structs decode`() throws {
        let repo = try decode(Repository.self, #"{"id":1,"full_name":"n","user":{"login":"u"},"cached":true}"#)
        #expect(repo.id == 1 && repo.name == "n" && repo.owner == "u" && repo.stars == 0)
        #expect(repo.license == nil && !repo.cached)
        // The memberwise initializer is still there.
        let made = Repository(id: 1, name: "n", owner: "o", license: nil)
        #expect(made.stars == 0)
    }

    @Test func `types of each access level decode`() throws {
        let point = try decode(
            PublicPoint.self, #"{"x":1,"y":2.5,"label":"l","weight":3,"note":null,"secret":[4]}"#)
        #expect(point.x == 1 && point.y == 2.5 && point.label == "l" && point.weight == 3)
        #expect(point.secretValue == [4])
        #expect(try decode(PackagePoint.self, #"{"x":1}"#).x == 1)
        #expect(try decode(PublicPoint.Part.self, #"{"x":1}"#).x == 1)
    }

    @Test func `escaped names and keys with paths decode`() throws {
        let names = try decode(
            Names.self,
            #"""
            {"default":1,"version.major":2,"a.b":3,"list":[0,4],"raw.name [0]":5,"plan":6}
            """#)
        #expect(names.default == 1 && names.in == "x" && names.major == 2 && names.dotted == 3)
        #expect(names.second == 4 && names.`raw.name [0]` == 5 && names.text == "two\n  lines")
        #expect(names.made == [1, 2] && names.fields == 3 && names.plan == 6)
    }

    @Test func `optionals and raw-value types decode`() throws {
        let least = try decode(Options.self, #"{"level":2}"#)
        #expect(least.level == .high && least.levels == [.low] && least.byName.isEmpty && least.maybe == .high)
        #expect(least.long == nil && least.forced == nil && least.unset == nil && least.ratio == -1.5)
        let most = try decode(
            Options.self,
            #"{"level":1,"levels":[2],"byName":{"a":1},"maybe":1,"long":1,"forced":2,"unset":3,"ratio":4}"#)
        #expect(most.levels == [.high] && most.byName == ["a": .low] && most.maybe == .low)
        #expect(most.long == 1 && most.forced == 2 && most.unset == 3 && most.ratio == 4)
    }

    @Test func `structs with a storage decode`() throws {
        var observed = try decode(Observed.self, #"{"id":1,"stars":5,"name":"n"}"#)
        #expect(observed.id == 1 && observed.stars == 5 && observed.changes == 0 && observed.upper == "N")
        observed.stars = 2
        #expect(observed.changes == 2)
        #expect(Observed(id: 1, name: "m").name == "m")

        var ignoring = try decode(Ignoring.self, #"{"id":3,"handler":1,"level":2}"#)
        #expect(ignoring.id == 3 && ignoring.owner == nil && ignoring.direct(1) == 2 && ignoring.handler == nil)
        #expect(ignoring.level == 10 && ignoring.twice == 6 && ignoring.pair == (1, "a"))

        let holding = try decode(SelfHolding.self, #"{"children":[{"start":1}]}"#)
        #expect(holding.start == 7 && holding.children[0].start == 1)
    }

    @Test func `classes decode`() throws {
        let node = try decode(Node.self, #"{"id":1,"children":[{"id":2,"children":[],"stars":3}]}"#)
        #expect(node.id == 1 && node.stars == 0 && node.children[0].stars == 3 && node.parent == nil)
        #expect(AllDefaults().a == 1 && AllDefaults(a: 4).a == 4)
        #expect(try decode(AllDefaults.self, #"{"b":2}"#).b == 2)
        #expect(OwnInit(only: 3).a == 3)
        #expect(try decode(OwnInit.self, "{}").a == 1)
        #expect(try decode(PrivateParts.self, #"{"mode":"off","count":2}"#).summary == "off on 2")
    }

    @Test func `nested types decode`() throws {
        #expect(try decode(Outer.Middle.Inner.self, "{}") == .init(kind: .a, start: 5))
        #expect(try Outer.Middle.hidden(#"{"kind":"a"}"#) == "a a")
        #expect(try decode(Outer.Extended.self, #"{"kind":"b"}"#).kind == .b)
    }

    @Test func `generic types decode`() throws {
        let box = try decode(Box<Int>.self, #"{"value":1,"all":[2]}"#)
        #expect(box.value == 1 && box.all == [2])
        #expect(try decode(Box<String>.self, #"{"value":"a"}"#).value == "a")
        #expect(try decode(Box<Bool>.Page.self, #"{"number":1,"box":true}"#).box == true)
        let ring = try decode(Box<Int>.Ring.self, #"{"value":1,"next":[{"value":2}]}"#)
        #expect(ring.value == 1 && ring.next[0].value == 2)
        #expect(try decode(Box<Int>.Row.self, #"{"value":1}"#).value == 1)
        #expect(try decode(Pair<Int, Bool>.self, #"{"first":1,"second":2}"#).second == 2)
    }

    @Test @MainActor func `types on the main actor decode`() throws {
        let model = try decode(OnMain.self, #"{"id":1,"names":["a"]}"#)
        #expect(model.id == 1 && model.names == ["a"])
        #expect(try decode(OnMainStruct.self, #"{"id":1}"#).stars == 0)
        _ = try decode(Empty.self, "{}")
    }
}
#endif
