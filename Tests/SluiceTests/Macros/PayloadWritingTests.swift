#if Macros
import Sluice
import SluiceCore
import Testing

/// The payloads of enums are written in place, by prepared texts. Formats with other escapes are written in steps.
@Suite struct PayloadWritingTests {
    @JSONModel
    struct Circle: Equatable {
        let id: Int
        let note: String
        var tags: [String] = []
    }

    @JSONModel(tag: "type")
    enum Internal: Equatable {
        case circle(Circle)
        case square(side: Double, label: String?)
        case nothing
    }

    @JSONModel
    enum External: Equatable {
        case circle(Circle)
        case text(String)
        case number(Double)
        case inner(Internal)
        case list([Internal])
        case nothing
    }

    @JSONModel(tag: "t", content: "c")
    enum Adjacent: Equatable {
        case circle(Circle)
        case flag(Bool)
        case maybe(Circle?)
        case nothing
    }

    @JSONModel(.untagged)
    enum Untagged: Equatable {
        case text(String)
        case number(Int)
        case circle(Circle)
        case list([Untagged])
    }

    @JSONModel
    indirect enum Expression: Equatable {
        case constant(Int)
        case sum(left: Expression, right: Expression)
    }

    @JSONModel(.untagged, fallback: "other")
    enum Open: Equatable {
        case circle(Circle)
        case other(JSONValue)
    }

    @JSONModel
    struct Model: Equatable {
        let one: Internal
        let optional: External?
        let adjacent: [Adjacent]
        let untagged: [Untagged]
        let byName: [String: Internal]
        let open: [Open]
        let expression: Expression
        @JSONKey("items[*].inner.name") let names: [String]
        @JSONKey("flags[*]") let flags: [Bool]
        @JSONEmbedded let embedded: Circle
        @JSONFlatten let flattened: Flattened
        let last: Int
    }

    @JSONModel(tag: "kind")
    enum Flattened: Equatable {
        case push(ref: String)
        case star(stars: Int)
        case none
    }

    private static func model(_ number: Int) -> Model {
        // Longer and shorter than a string without memory of its own.
        let note = number % 2 == 0 ? "a note of more than fifteen bytes \(number)" : "\"\(number)\"\n"
        let circle = Circle(id: number, note: note, tags: number % 3 == 0 ? [note, "x"] : [])
        let internals: [Internal] = [.circle(circle), .square(side: 1.25, label: nil), .nothing]
        let externals: [External?] = [
            .circle(circle), .text(note), .number(0.5), .inner(.circle(circle)), .list(internals), .nothing, nil,
        ]
        let flattened: [Flattened] = [.push(ref: note), .star(stars: number), .none]
        return Model(
            one: internals[number % 3], optional: externals[number % 7],
            adjacent: [.circle(circle), .flag(number % 2 == 0), .maybe(number % 2 == 0 ? nil : circle), .nothing],
            untagged: [.text(note), .number(number), .circle(circle), .list([.list([]), .circle(circle)])],
            byName: ["b": internals[number % 3]],
            open: [.circle(circle), .other(.bool(true))],
            expression: .sum(left: .constant(number), right: .sum(left: .constant(2), right: .constant(3))),
            names: [note, "b"], flags: number % 4 == 0 ? [] : [true, false], embedded: circle,
            flattened: flattened[number % 3], last: number)
    }

    @Test func `payloads are written as in steps`() throws {
        let models = (0..<42).map { Self.model($0) }
        let encoder = JSONModelEncoder()
        var steps = encoder
        // The texts are ASCII, so that only the code is another.
        steps.escapesNonASCII = true
        let text = try encoder.encode(models, as: .string)
        #expect(try text == steps.encode(models, as: .string))
        #expect(try JSONModelDecoder().decode([Model].self, from: text) == models)
        var (sorted, sortedSteps) = (encoder, steps)
        (sorted.keyOrder, sortedSteps.keyOrder) = (.sorted, .sorted)
        #expect(try sorted.encode(models, as: .string) == sortedSteps.encode(models, as: .string))
        var pieces: [UInt8] = []
        try encoder.write(models) { pieces += $0 }
        #expect(String(decoding: pieces, as: UTF8.self) == text)
    }

    @Test func `each tagging has its form`() throws {
        let circle = Circle(id: 1, note: "n")
        func text(_ value: some JSONConvertible) throws -> String {
            try JSONModelEncoder().encode(value, as: .string)
        }
        let members = #""id":1,"note":"n","tags":[]"#
        #expect(try text(Internal.circle(circle)) == #"{"type":"circle",\#(members)}"#)
        #expect(try text(Internal.nothing) == #"{"type":"nothing"}"#)
        #expect(try text(External.circle(circle)) == #"{"circle":{\#(members)}}"#)
        #expect(try text(External.text("a")) == #"{"text":"a"}"#)
        #expect(try text(External.nothing) == #""nothing""#)
        #expect(try text(Adjacent.circle(circle)) == #"{"t":"circle","c":{\#(members)}}"#)
        #expect(try text(Adjacent.flag(true)) == #"{"t":"flag","c":true}"#)
        #expect(try text([Untagged.circle(circle), .number(2), .text("b")]) == #"[{\#(members)},2,"b"]"#)
    }

    @Test func `a failing payload has its path`() {
        let values: [External] = [.nothing, .number(.infinity), .circle(Circle(id: 1, note: "n"))]
        let error = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(values) }
        #expect(error?.issues.first?.path.description == "[1].number")
        let nested: [External] = [.list([.nothing, .square(side: .nan, label: nil)])]
        let other = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(nested) }
        #expect(other?.issues.first?.path.description == "[0].list[1].side")
    }

    @Test func `payloads count against the limit of nesting`() throws {
        let value: [External] = [.circle(Circle(id: 1, note: "n"))]
        var encoder = JSONModelEncoder()
        for depth in 1...5 {
            encoder.limits.depth = depth
            let isEncoded = (try? encoder.encode(value)) != nil
            // An array, the object of the case, the payload, and the array in the payload.
            #expect(isEncoded == (depth >= 4), "\(depth)")
        }
    }
}
#endif
