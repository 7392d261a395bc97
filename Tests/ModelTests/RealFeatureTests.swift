#if Macros
import Foundation
import Sluice
import TestSupport
import Testing

@Suite("Options, attributes and enums that the macro expanded, in use")
struct RealFeatureTests {
    @Test func `options of a plan apply`() throws {
        let user = try decode(Strategic.self, #"{"user_name":"a","ID":"7"}"#)
        #expect(user.userName == "a" && user.id == 7)
        let other = try decode(StrategicClass.self, #"{"userName_":"a","maybe_":"3"}"#)
        #expect(other.userName == "a" && other.maybe == 3)
    }

    @Test func `a flattened enum may have JSON in a string`() throws {
        let text = #"{"id":1,"type":"moved","data":"{\"from\":1,\"to\":2}"}"#
        let delivery = try decode(Delivery.self, text)
        guard case .move(1, 2) = delivery.hook else {
            Issue.record("\(delivery)")
            return
        }
        #expect(try encode(delivery) == text)

    }

    @Test func `attributes of properties apply in a struct`() throws {
        let least = try decode(
            Attributed.self,
            #"""
            {"kind":"x","password":"p","grade":"?","count":"many","items":[{"id":1},{"id":2}],"byName":{"a":1,"b":"c"},"number":"4",
             "x":1,"y":2,"label":"l","weight":3,"more":[true]}
            """#)
        #expect(least.kind == "user" && least.password == "p" && least.level == 3 && least.grade == .low)
        #expect(least.count == 0 && least.perhaps == nil && least.name == "none" && least.nick == nil)
        #expect(least.ids == [1, 2] && least.byName == ["a": 1] && least.number == 4 && least.inner == nil)
        #expect(least.point.x == 1 && least.point.weight == 3 && least.rest.keys.sorted() == ["more"])

        let most = try decode(
            Attributed.self,
            #"""
            {"password":"p","level":1,"grade":2,"perhaps":"x","name":"a b","nick":"c d","items":[],"number":1,
             "aliases":["a b"],"byRole":{"x y":["c d"]},"marks":["e f"],"table":[["g h"],[]],
             "in":"{\"id\":1,\"full_name\":\"f\",\"owner\":{\"login\":\"o\"}}",
             "x":1,"y":2,"label":"l","weight":3}
            """#)
        #expect(most.level == 1 && most.grade == .high && most.perhaps == nil && most.name == "ab")
        #expect(most.nick == "cd" && most.ids.isEmpty && most.byName.isEmpty && most.inner?.owner == "o")
        #expect(most.aliases == ["ab"] && most.byRole == ["x y": ["cd"]] && most.marks == ["ef"])
        #expect(most.table == [["gh"], []])
    }

    @Test func `nil is a default, and defaults apply in the stated cases`() throws {
        let least = try decode(NilDefaults.self, #"{"count":"x","name":1,"level":null}"#)
        #expect(least.date == nil && least.count == nil && least.name == nil && least.level == 5)
        let most = try decode(NilDefaults.self, #"{"date":1,"count":2,"name":"n","level":3}"#)
        #expect(most.date == 1 && most.count == 2 && most.name == "n" && most.level == 3)
    }

    @Test func `attributes of properties apply in a class`() throws {
        let text = #"{"password":"p","level":1,"name":"a b","x":1,"y":2,"label":"l","weight":3,"more":1}"#
        let model = try decode(AttributedClass.self, text)
        #expect(model.kind == "user" && model.cached == 1 && model.level == 1 && model.name == "ab")
        #expect(model.point.y == 2 && model.rest.keys.sorted() == ["more"])
        let written = try encode(model)
        #expect(written.contains(#""kind":"user""#) && !written.contains("password") && !written.contains("cached"))
    }

    @Test func `properties may have the names of generated members`() throws {
        let text = #"{"plan":"free","jsonShape":1,"fields":[2],"storage":3}"#
        let model = try decode(Subscription.self, text)
        #expect(model.plan == "free" && model.jsonShape == 1 && model.fields == [2])
        #expect(try decode(SubscriptionClass.self, text).plan == "free")
        guard case .free(plan: "a", cases: 2) = try decode(Tier.self, #"{"type":"free","plan":"a","cases":2}"#)
        else {
            Issue.record()
            return
        }
    }

    @Test func `initial values may be conditional`() throws {
        let model = try decode(ConditionalValues.self, "{}")
        #expect(model.limit == 100 && model.name == "large")
        #expect(try decode(ConditionalValuesClass.self, "{}").limit == 100)
    }

    @Test func `cases with labeled values may have names of the language`() throws {
        let values: [(String, Meta)] = [
            (#"{"type":{"name":"a"}}"#, .type(name: "a")),
            (#"{"protocol":{"Type":1}}"#, .protocol(Type: 1)),
            (#"{"any":{"of":[2]}}"#, .any(of: [2])),
        ]
        for (text, meta) in values {
            #expect(try decode(Meta.self, text) == meta)
            #expect(try encode(meta) == text)
        }
    }

    @Test func `a hook is called once beside a conformance in an extension`() throws {
        let base = try decode(HookedBase.self, #"{"name":"a"}"#)
        #expect(base.name == "a!")
        #expect(try refusal(HookedBase.self, #"{"name":""}"#).underlying is Hooked.Bad)
        let derived = try decode(HookedDerived.self, #"{"name":"a","title":"t"}"#)
        #expect(derived.name == "a!" && derived.title == "t?")
        #expect(try refusal(HookedDerived.self, #"{"name":"","title":"t"}"#).underlying is Hooked.Bad)
        for object in [base, derived] {
            _ = try JSONModelEncoder().encode(object)
            #expect(object.writes == 1)
        }
        let again = try decode(HookedAgain.self, #"{"name":"a"}"#)
        _ = try JSONModelEncoder().encode(again)
        #expect(again.name == "a!" && again.checks == 1 && again.writes == 1)
        #expect(try decode(HookedBox<Int>.self, #"{"content":1,"name":"a"}"#).name == "a!")
        #expect(try decode(HookedStorage.self, #"{"name":"a"}"#).name == "a!")
        #expect(try decode(HookedChoice.self, #"{"name":"a"}"#) == .name("a!"))
        #expect(try refusal(HookedVerdict.self, #"{"name":"no"}"#).underlying is JSONValidationError)
        #expect(try refusal(HookedVerdict.self, #"{"name":"bad"}"#).underlying is Hooked.Bad)
    }

    @Test func `hooks are called`() throws {
        #expect(try decode(Hooked.self, #"{"name":"a"}"#).name == "a!")
        #expect(try decode(HookedClass.self, #"{"name":"a"}"#).name == "a!")
        #expect(try decode(HookedTwice.self, #"{"name":"a"}"#).name == "a!")
        #expect(try refusal(HookedTwice.self, #"{"name":""}"#).underlying is Hooked.Bad)
        #expect(throws: JSONModelError.self) { try decode(Checked.self, #"{"x":0}"#) }
        #expect(try decode(Checked.self, #"{"x":1}"#).x == 1)
    }

    @Test func `codable models work with Foundation's coders`() throws {
        func read<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
            try JSONDecoder().decode(type, from: Data(text.utf8))
        }
        let point = try read(CodedPoint.self, #"{"X":1,"y":2}"#)
        #expect(point.x == 1 && point.y == 2)
        #expect(try read(CodedPoint.self, String(decoding: JSONEncoder().encode(point), as: UTF8.self)) == point)
        let node = try read(CodedNode.self, #"{"id":1,"next":{"id":2}}"#)
        #expect(node.id == 1 && node.next?.id == 2)
        let hooked = try read(HookedCoded.self, #"{"name":"a"}"#)
        #expect(hooked.name == "a" && hooked.checks == 1)
        let error = #expect(throws: JSONModelError.self) { try read([HookedCoded].self, #"[{"name":""}]"#) }
        #expect(error?.issues.first?.path == "[0]" && error?.issues.first?.underlying is JSONValidationError)
        #expect(try read(HookedCodedAgain.self, #"{"name":"a"}"#).name == "a!")
        let cat = try read(CodedCat.self, #"{"name":"a","tricks":["b"],"lives":8}"#)
        #expect(cat.name == "a" && cat.tricks == ["b"] && cat.lives == 8)
        let message = try read(Message.self, #"{"type":"text","value":"a"}"#)
        #expect(String(decoding: try JSONEncoder().encode(message), as: UTF8.self).contains(#""value":"a""#))
    }

    @Test func `enums with a raw type decode`() throws {
        #expect(try decode([Suit].self, #"["spades"]"#) == [.spades])
        let error = #expect(throws: JSONModelError.self) { try decode([Suit].self, #"["clubs"]"#) }
        #expect(
            error?.issues.first?.kind
                == .invalidValue(
                    expected: #"one of "hearts", "spades""#, reason: #""clubs" is not one of its values"#)
        )
        #expect(try decode([Status].self, "[1,2,3]") == [.open, .closed, .unknown])
        #expect(try decode([Signal].self, "[1,0]") == [.on, .off])
        #expect(try decode([Share].self, "[1,0]") == [.whole, .none])
        #expect(try decode([Permission].self, #"["read","execute"]"#) == [.read, .none])
    }

    @Test func `enums with associated values decode`() throws {
        let text = #"{"type":"big_square","side_length":2,"tags":["hearts"]}"#
        guard case .bigSquare(let side, nil, let tags) = try decode(Figure.self, text) else {
            Issue.record("not a square")
            return
        }
        #expect(side == 2 && tags == [.hearts])
        let nested = #"{"of":{"y":2,"type":"disc","x":1,"label":"l","weight":3},"in":4,"type":"triangle"}"#
        guard case .triangle(.disc(let point), 4) = try decode(Figure.self, nested) else {
            Issue.record("not a triangle")
            return
        }
        #expect(point.y == 2)
        guard case .other = try decode(Figure.self, #"{"type":"line"}"#) else {
            Issue.record("not the fallback")
            return
        }
        guard case .none = try decode(Figure.self, #"{"type":"none"}"#) else {
            Issue.record("not none")
            return
        }
    }

    @Test func `encoded enums equal the decoded documents`() throws {
        for text in [
            #"{"type":"none"}"#, #"{"type":"big_square","side_length":2.5,"name":"n","tags":["spades"]}"#,
            #"{"type":"tri","of":{"type":"none"},"in":4}"#,
        ] {
            #expect(try encode(decode(Figure.self, text)) == text)
        }
        let message = #"{"type":"reply","value":{"to":{"type":"text","value":"t"}}}"#
        #expect(try encode(decode(Message.self, message)) == message)
        #expect(try encode(decode(Either<Int, String>.self, #""a""#)) == #""a""#)
        #expect(
            try encode(decode(Either<Int, String>.self, #"{"left":1,"right":"b"}"#)) == #"{"left":1,"right":"b"}"#)
    }

    @Test func `models may contain enums`() throws {
        let card = try decode(
            Holder.Card.self, #"{"suit":"hearts","figure":{"type":"none"},"either":1,"hidden":{"b":{"x":1}}}"#)
        #expect(card.suit == .hearts && card.status == .unknown && card.figures.isEmpty)
    }

    @Test func `subclasses are encoded and merged`() throws {
        let dog = try decode(Dog.self, #"{"name":"a","owner":"b","tricks":["c"],"barks":true,"legs":3}"#)
        #expect(try encode(dog) == #"{"name":"a","legs":3,"owner":"b","tricks":["c"],"barks":true}"#)
        // By the object's own class.
        #expect(try encode(dog as Animal) == encode(dog))
        var animal: Animal = dog
        try JSONModelDecoder().merge(#"{"owner":"c","legs":4}"#, into: &animal)
        #expect((animal as? Dog)?.tricks == ["c"] && animal.legs == 4)

        var car = Car(doors: 2)
        let same = car
        try JSONModelDecoder().merge(Array(#"{"doors":5,"wheels":3}"#.utf8), into: &car)
        #expect(car.doors == 5 && car.wheels == 3 && car === same)
    }

    @Test func `a merge keeps the ignored properties of models that are made again`() throws {
        let (decoder, animal) = (JSONModelDecoder(), Animal(name: "a"))
        let live = try decode(LiveTrack.self, #"{"title":"a"}"#)
        (live.plays, live.note, live.album, live.constant, live.seats, live.hall) = (1, "n", animal, 8, 2, "h")
        var tracks: [String: Track] = ["a": live]
        try decoder.merge(#"{"a":{"title":"b","place":"p"}}"#, into: &tracks, options: .mergePatch)
        let changed = try #require(tracks["a"] as? LiveTrack)
        #expect(changed !== live && changed.title == "b" && changed.place == "p" && live.title == "a")
        #expect(changed.plays == 1 && changed.changes == 1 && changed.note == "n" && changed.album === animal)
        #expect(changed.constant == 8 && changed.seats == 2 && changed.hall == "h")

        var list = try decode(Playlist.self, #"{"tracks":[{"title":"a"}],"name":"n"}"#)
        (list.isOpen, list.note, list.action) = (true, "n", { 3 })
        (list.name, list.tracks[0].plays) = ("m", 4)
        let reads = list.reads
        var merged = [list]
        try decoder.merge(
            #"[{"tracks":[{"title":"b"}]}]"#, into: &merged,
            options: JSONMergeOptions(nested: .merge, arrays: .byIndex))
        #expect(merged[0].tracks[0].title == "b" && merged[0].tracks[0].plays == 4 && merged[0].name == "m")
        #expect(merged[0].isOpen && merged[0].note == "n" && merged[0].action?() == 3)
        let (upper, next) = (merged[0].upper, merged[0].reads)
        #expect(merged[0].made === list.made && upper == "M" && (reads, next) == (1, 2))
    }
}
#endif
