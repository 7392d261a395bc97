import SluiceCore
import TestSupport
import Testing

/// The bounds of each integer width, and the refusal of the values next to them.
@Suite(.tags(.coercion)) struct IntegerBoundsTests {
    private func check<T: FixedWidthInteger & JSONConvertible>(
        _ type: T.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for value in [T.min, T.min + 1, 0, 1, T.max - 1, T.max] {
            #expect(try decode([T].self, "[\(value)]") == [value], sourceLocation: sourceLocation)
            #expect(try decode(T.self, "\(value)") == value, sourceLocation: sourceLocation)
            #expect(try decode([T?].self, "[null,\(value)]") == [nil, value], sourceLocation: sourceLocation)
            // The same numbers in another spelling.
            #expect(try decode(T.self, "\(value).0") == value, sourceLocation: sourceLocation)
            #expect(try decode(T.self, "\(value).00e0") == value, sourceLocation: sourceLocation)
            if value == 0 { continue }
            #expect(try decode(T.self, "\(value)00e-2") == value, sourceLocation: sourceLocation)
        }
        let (below, above) = (T.textBelow, T.textAbove)
        for text in [below, above, "\(above).0", "\(below)0e-1", "1e40", "-1e400", "1e99999999999999999999"] {
            #expect(
                try refusal(T.self, text).kind == .numberOutOfRange(type: "\(T.self)", text: text),
                sourceLocation: sourceLocation)
            let optional = try refusal([T?].self, "[\(text)]").kind
            #expect(
                optional == .numberOutOfRange(type: "Optional<\(T.self)>", text: text),
                sourceLocation: sourceLocation)
        }
        for text in ["1.5", "1e-1", "0.1", "15e-1", "100e-3", "1e-400"] {
            #expect(
                try refusal(T.self, text).kind == .notAnInteger(type: "\(T.self)", text: text),
                sourceLocation: sourceLocation)
        }
        for text in ["1.0", "1e0", "10e-1", "0.1e1", "0.0001E+4"] {
            #expect(try decode(T.self, text) == 1, sourceLocation: sourceLocation)
        }
        for text in ["-0", "0.0", "-0.0e5", "0e999999999999", "0e-999999999999"] {
            #expect(try decode(T.self, text) == 0, sourceLocation: sourceLocation)
        }
        #expect(try decode(T.self, "1e2") == 100, sourceLocation: sourceLocation)
    }

    @Test func `an integer type holds its bounds only`() throws {
        for type in IntegerTypes.all { try check(type) }
    }

    @Test(arguments: ["true", "null", #""1""#, "{}", "[]"])
    func `values of other kinds are not integers`(_ text: String) throws {
        switch try refusal(Int.self, text).kind {
        case .typeMismatch(expected: "an integer", _), .nullValue(expected: "an integer"): break
        case let kind: Issue.record("\(kind)")
        }
    }
}
