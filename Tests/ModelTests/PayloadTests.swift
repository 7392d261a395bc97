#if Macros
import Sluice
import TestSupport
import Testing

/// Cases with values of types that do not declare `JSONConvertible`.
@Suite struct PayloadTests {
    private func expectRoundTrip<Root: JSONConvertible>(_ root: Root.Type, _ text: String) throws {
        let encoded = try JSONModelEncoder().encode(try decode(root, text), as: .string)
        #expect(encoded == text)
    }

    @Test func `raw values`() throws {
        for text in [
            #"{"one":"car"}"#, #"{"maybe":null}"#, #"{"maybe":"bike"}"#, #"{"list":["car","bike"]}"#,
            #"{"lists":[["car"],[]]}"#, #"{"set":["car"]}"#, #"{"values":{"a":"car"}}"#, #"{"keys":{"bike":1}}"#,
            #"{"label":{"x":"car"}}"#,
        ] {
            try expectRoundTrip(RawPayload.self, text)
        }
        #expect(try refusal(RawPayload.self, #"{"one":"boat"}"#).path == "one")
    }

    @Test func `values of untagged enums`() throws {
        for (text, value) in [
            (#""car""#, UntaggedPayload.one(.car)), ("1", .number(1)),
            (#"{"street":"a"}"#, .address(CodableAddress(street: "a"))), (#"["bike"]"#, .list([.bike])),
        ] {
            #expect(try decode(UntaggedPayload.self, text) == value)
            try expectRoundTrip(UntaggedPayload.self, text)
        }
    }

    @Test func `Codable values`() throws {
        for text in [
            #"{"type":"one","value":{"street":"a"}}"#, #"{"type":"maybe","value":null}"#,
            #"{"type":"maybe","value":{"street":"a"}}"#, #"{"type":"list","value":[{"street":"a"}]}"#,
            #"{"type":"values","value":{"x":{"street":"a"}}}"#, #"{"type":"raw","value":"car"}"#,
        ] {
            try expectRoundTrip(CodablePayload.self, text)
        }
        try expectRoundTrip(InternalPayload.self, #"{"type":"home","street":"a"}"#)
    }

    @Test func `values of types with the names of known types`() throws {
        try expectRoundTrip(NamedPayload.self, #"{"type":"data","x":1}"#)
        try expectRoundTrip(GenericPayload<Response.Data>.self, #"{"type":"data","x":1}"#)
        try expectRoundTrip(NamedParts.self, #"{"id":1,"x":2,"y":3}"#)
    }
}
#endif
