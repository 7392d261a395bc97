#if Macros
import Foundation
import Sluice
import Testing

@Suite struct MacroStructTests {
    @Test func `scalars and containers decode as with a plan by hand`() {
        let full =
            #"{"id":1,"name":"a","ratio":0.5,"isOpen":true,"tags":["x"],"sizes":{"s":1},"set":[1,1],"hue":"red","#
            + #""hues":["red",null],"any":{"a":[1]},"raw":[ 1 ],"price":1.5,"when":0,"page":"a:b","#
            + #""uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","blob":"AQI=","grid":[[1,2],[]],"wide":-1}"#
        expectSame(
            Everything.self, EverythingByHand.self,
            from: full, full.replacing("\"red\"", with: "\"mauve\""), full.replacing("1.5", with: "true"),
            full.replacing("-1", with: "1e99"), full.replacing("\"blob\"", with: "\"glob\""), "{}", "[]", "null",
            "{")
    }

    @Test func `a struct with one property decodes as with a plan by hand`() {
        expectSame(One.self, OneByHand.self, from: #"{"value":1}"#, #"{"value":"1"}"#, "{}", #"{"Value":1}"#)
    }

    @Test func `a struct without properties decodes`() throws {
        #expect(try JSONModelDecoder().decode([None].self, from: #"[{},{"a":1}]"#).count == 2)
    }

    @Test func `paths and candidates decode as with a plan by hand`() {
        expectSame(
            Pathed.self, PathedByHand.self,
            from: #"{"owner":{"login":"a"},"tags":["x","y"],"version.major":1,"id":5}"#,
            #"{"user":{"login":"b"},"owner":null,"tags":["x","y"],"version.major":1,"_id":5,"ID":6}"#,
            #"{"login":"c","user":{"login":"b"},"owner":{},"tags":[null,"y"],"version.major":1,"ID":6,"_id":5}"#,
            #"{"owner":{"login":null},"login":"c","tags":["x"],"version.major":1,"id":null,"_id":5}"#,
            #"{"owner":{"login":1}}"#, #"{"owner":"a"}"#, #"{"tags":{}}"#, "{}")
    }

    @Test func `defaults and optionals decode as with a plan by hand`() {
        expectSame(
            Lenient.self, LenientByHand.self,
            from: "{}", #"{"stars":null,"title":null,"limit":null,"list":null,"note":null,"explicit":null}"#,
            #"{"stars":1,"title":"t","limit":2,"list":[1],"note":"n","explicit":"e"}"#, #"{"stars":"1"}"#,
            #"{"limit":"1"}"#, #"{"note":1}"#)
    }

    @Test func `ignored properties and constants decode as with a plan by hand`() throws {
        expectSame(
            Guarded.self, GuardedByHand.self,
            from: #"{"id":1}"#, #"{"id":1,"cached":true,"kind":"other","parent":"p","count":5}"#, "{}")
        #expect(Guarded.total == 0)
    }

    @Test func `decoding does not call property observers`() throws {
        expectSame(
            Observed.self, ObservedByHand.self,
            from: #"{"id":1,"count":2}"#, #"{"id":1,"count":2,"name":"n"}"#, #"{"id":1}"#, #"{"id":1,"count":"2"}"#)
        // Making a model is no change of it.
        var model = try JSONModelDecoder().decode(Observed.self, from: #"{"id":1,"count":2}"#)
        #expect(model.changes == 0)
        model.count += 1
        #expect(model.changes == 1)
    }

    @Test func `nested and private types decode as with a plan by hand`() {
        expectSame(
            Outer.self, OuterByHand.self,
            from: #"{"inner":{"x":1,"deepest":{"y":"a"}},"all":[{"x":2,"deepest":{"y":"b"}}],"secret":{"z":1}}"#,
            #"{"inner":{"x":1,"deepest":{}},"all":[],"secret":{"z":1}}"#,
            #"{"inner":{"x":1,"deepest":{"y":"a"}},"all":[{"x":2}],"secret":{"z":1}}"#,
            #"{"inner":{"x":1,"deepest":{"y":"a"}},"all":[]}"#)
    }

    @Test func `generic types decode as with a plan by hand`() {
        expectSame(
            Page<One>.self, PageByHand<OneByHand>.self,
            from: #"{"items":[{"value":1}],"next":"n"}"#, #"{"items":[]}"#, #"{"items":[{}]}"#, "{}")
        expectSame(Page<Int>.self, PageByHand<Int>.self, from: #"{"items":[1],"first":2}"#, #"{"items":["1"]}"#)
        expectSame(
            Page<Page<String>>.self, PageByHand<PageByHand<String>>.self,
            from: #"{"items":[{"items":["a"]}]}"#, #"{"items":[{"items":[0]}]}"#)
    }

    @Test func `values are freed after an error`() {
        // The address sanitizer sees what is lost.
        let long = String(repeating: "long ", count: 20)
        expectSame(
            Lenient.self, LenientByHand.self,
            from: "{\"title\":\"\(long)\",\"list\":[1,2],\"title\":\"\(long)\",\"stars\":true}",
            "{\"title\":\"\(long)\",\"explicit\":\"\(long)\",\"note\":1}")
        expectSame(Observed.self, ObservedByHand.self, from: "{\"name\":\"\(long)\",\"id\":1,\"count\":null}")
    }
}
#endif
