import SluiceCore
import TestSupport
import Testing

/// Floating-point numbers, booleans and strings.
struct ScalarTests {
    @Test func `doubles are rounded correctly and overflow is an error`() throws {
        let text = "[0,-0.0,1,0.1,-1.5e3,5e-324,1.7976931348623157e308,9007199254740993,0.30000000000000004]"
        let values = try decode([Double].self, text)
        #expect(
            values == [
                0, 0, 1, 0.1, -1500, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 9_007_199_254_740_992,
                0.1 + 0.2,
            ])
        #expect(values[1].sign == .minus)
        #expect(try decode(Double.self, "1e-400") == 0)
        #expect(try refusal(Double.self, "1e309").kind == .numberOutOfRange(type: "Double", text: "1e309"))
        #expect(try refusal(Double.self, "-2e308").kind == .numberOutOfRange(type: "Double", text: "-2e308"))
    }

    /// From the text, not by way of a double, which would round twice.
    @Test func `floats are rounded once`() throws {
        #expect(
            try decode([Float].self, "[0.1,16777217,3.4028234e38]") == [0.1, 16_777_216, .greatestFiniteMagnitude])
        #expect(try decode(Float.self, "1.000000178813934326171875000000001") == Float(1).nextUp.nextUp)
        #expect(try refusal(Float.self, "3.5e38").kind == .numberOutOfRange(type: "Float", text: "3.5e38"))
    }

    @Test func `halves are rounded correctly and overflow is an error`() throws {
        #expect(try decode([Float16].self, "[0.1,65504,-2049]") == [0.1, 65504, -2048])
        #expect(try refusal(Float16.self, "65520").kind == .numberOutOfRange(type: "Float16", text: "65520"))
    }

    @Test func `booleans decode from true and false only`() throws {
        #expect(try decode([Bool].self, "[true,false]") == [true, false])
        #expect(try refusal(Bool.self, "1").kind == .typeMismatch(expected: "a boolean", found: "a number"))
        #expect(try refusal(Bool.self, #""true""#).kind == .typeMismatch(expected: "a boolean", found: "a string"))
    }

    @Test func `strings decode escapes and any length`() throws {
        let text =
            #"["","a","exactly 15 byte","exactly 16 bytes","\u00e9é","\ud83d\ude00😀","\u0000\b\f\n\r\t\/\\\""]"#
        #expect(
            try decode([String].self, text) == [
                "", "a", "exactly 15 byte", "exactly 16 bytes", "éé", "😀😀", "\0\u{8}\u{C}\n\r\t/\\\"",
            ])
        #expect(try refusal(String.self, "1").kind == .typeMismatch(expected: "a string", found: "a number"))
    }

    /// Characters keep their spelling: what is equal to Unicode is not made the same bytes.
    @Test func `strings are not normalized`() throws {
        let text = "[\"e\u{301}\",\"\u{E9}\"]"
        let values = try decode([String].self, text)
        #expect(values.map { Array($0.utf8) } == [[0x65, 0xCC, 0x81], [0xC3, 0xA9]])
    }

    @Test func `optionals decode from null`() throws {
        #expect(try decode([Int?].self, "[1,null]") == [1, nil])
        #expect(try decode([Double?].self, "[null,0.5]") == [nil, 0.5])
        #expect(try decode([Float?].self, "[null,0.5]") == [nil, 0.5])
        #expect(try decode([Float16?].self, "[null,0.5]") == [nil, 0.5])
        #expect(try decode([Bool?].self, "[true,null,false]") == [true, nil, false])
        #expect(
            try decode([String?].self, #"[null,"","long enough for the heap"]"#) == [
                nil, "", "long enough for the heap",
            ])
        #expect(try decode([[Int]?].self, "[null,[],[1]]") == [nil, [], [1]])
        #expect(try decode(Int?.self, "null") == nil)
        #expect(try decode(Int?.self, "3") == 3)
    }

    @Test func `nested optionals decode from null`() throws {
        #expect(try decode([Int??].self, "[1,null,-1]") == [.some(.some(1)), .none, .some(.some(-1))])
        #expect(try decode([Int???].self, "[1,null]") == [.some(.some(.some(1))), .none])
        #expect(try decode([UInt8??].self, "[0,null,255]") == [.some(.some(0)), .none, .some(.some(255))])
        #expect(try decode([Bool??].self, "[true,null]") == [.some(.some(true)), .none])
        #expect(try decode([String??].self, #"["a",null]"#) == [.some(.some("a")), .none])
        #expect(try decode([Double??].self, "[0.5,null]") == [.some(.some(0.5)), .none])
        #expect(
            try decode([[Int??]??].self, "[[1,null],null]") == [.some(.some([.some(.some(1)), .none])), .none])
    }
}
