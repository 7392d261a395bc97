#if Macros
import Sluice
import TestSupport
import Testing

@JSONModel
struct Wheel {
    let radius: Double
    let tags: [String]
}

@JSONModel
struct Beam {
    let length: Int
    let wheels: [Wheel]
}

/// Cases that are written in each way: members, scalars, a name alone, and in steps.
protocol Part: JSONConvertible {
    static var all: [Self] { get }
}

private let oneWheel = Wheel(radius: 1.5, tags: ["a", "b"])
private let oneBeam = Beam(length: 7, wheels: [oneWheel, oneWheel])

@JSONModel
enum ExternalPart: Part {
    case wheel(Wheel)
    case beam(Beam)
    case number(Double)
    case name(String)
    case list([Int])
    case none

    static var all: [Self] { [.wheel(oneWheel), .beam(oneBeam), .number(2.5), .name("n"), .list([1, 2]), .none] }
}

@JSONModel(tag: "type")
enum InternalPart: Part {
    case wheel(Wheel)
    case beam(Beam)
    case members([String: Int])
    case none

    static var all: [Self] { [.wheel(oneWheel), .beam(oneBeam), .members(["x": 1]), .none] }
}

@JSONModel(tag: "t", content: "c")
enum AdjacentPart: Part {
    case wheel(Wheel)
    case beam(Beam)
    case number(Double)
    case none

    static var all: [Self] { [.wheel(oneWheel), .beam(oneBeam), .number(2.5), .none] }
}

@JSONModel(.untagged)
enum UntaggedPart: Part {
    case wheel(Wheel)
    case beam(Beam)
    case number(Double)
    case list([Int])

    static var all: [Self] { [.wheel(oneWheel), .beam(oneBeam), .number(2.5), .list([1, 2])] }
}

/// The elements of an array of enums, whose payloads are written one after another in the same memory.
@Suite struct EnumArrayTests {
    /// Calls a closure with all arrays of up to three values.
    private func forEachArray<Value>(of values: [Value], _ body: ([Value]) throws -> Void) rethrows {
        var arrays: [[Value]] = [[]]
        for _ in 0...3 {
            for array in arrays { try body(array) }
            arrays = arrays.flatMap { array in values.map { array + [$0] } }
        }
    }

    private func expectElements<Value: Part>(_ type: Value.Type, _ encoder: JSONModelEncoder) throws {
        try forEachArray(of: type.all) { values in
            let each = try values.map { try encoder.encode($0, as: .string) }
            let text = "[\(each.joined(separator: ","))]"
            #expect(try encoder.encode(values, as: .string) == text)
            #expect(
                try encoder.encode(["a": [values], "b": [values]], as: .string)
                    == #"{"a":[\#(text)],"b":[\#(text)]}"#)
        }
    }

    @Test func `an array has the text of each element`() throws {
        let encoder = JSONModelEncoder.with { $0.keyOrder = .sorted }
        try expectElements(ExternalPart.self, encoder)
        try expectElements(InternalPart.self, encoder)
        try expectElements(AdjacentPart.self, encoder)
        try expectElements(UntaggedPart.self, encoder)
    }

    private func expectPath<Value: Part>(_ type: Value.Type, _ faulty: Value) throws {
        let inside = try encodingRefusal(faulty).path.description
        let path = try encodingRefusal([type.all[0], type.all[1], faulty, type.all[0]]).path.description
        #expect(path == "[2]" + (inside.isEmpty ? "" : ".\(inside)"))
    }

    @Test func `an error has the index of its element`() throws {
        let faulty = Wheel(radius: .infinity, tags: [])
        try expectPath(ExternalPart.self, .wheel(faulty))
        try expectPath(ExternalPart.self, .number(.nan))
        try expectPath(InternalPart.self, .wheel(faulty))
        try expectPath(AdjacentPart.self, .wheel(faulty))
        try expectPath(UntaggedPart.self, .beam(Beam(length: 1, wheels: [oneWheel, faulty])))
    }

    @Test func `an array is written in pieces up to an error of the sink`() throws {
        let values = [[ExternalPart]](repeating: ExternalPart.all, count: 5_000).flatMap { $0 }
        let whole = try JSONModelEncoder().encode(values)
        var pieces: [UInt8] = []
        try JSONModelEncoder().write(values) { pieces += $0 }
        #expect(pieces == whole)
        struct Full: Error {}
        var count = 0
        #expect(throws: (any Error).self) {
            try JSONModelEncoder().write(values) { piece in
                count += 1
                if count == 2 { throw Full() }
            }
        }
        #expect(count == 2)
    }
}
#endif
