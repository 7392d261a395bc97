import Foundation
import Testing

@Suite struct FloatDecodingTests {
    @Test func `doubles are decoded`() throws {
        let json =
            "[0,-0.0,1,1.5,-2.25e-3,1E5,123456789.125,0.1,5e-324,1.7976931348623157e308,2.2250738585072014e-308]"
        let expected = [
            0, -0.0, 1, 1.5, -2.25e-3, 1e5, 123456789.125, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
            .leastNormalMagnitude,
        ]
        #expect(try decode([Double].self, json) == expected)
        #expect(try decode([Double].self, json)[1].sign == .minus)
    }

    @Test func `a double is the nearest one`() throws {
        #expect(try decode(Double.self, "9007199254740993") == 9_007_199_254_740_992)
        #expect(try decode(Double.self, "0.1000000000000000055511151231257827021181583404541015625") == 0.1)
        #expect(try decode(Double.self, "123456789012345678901234567890") == 123456789012345678901234567890.0)
        #expect(try decode(Double.self, "7.2057594037927933e16") == 72_057_594_037_927_936)
        #expect(
            try decode(Double.self, "179769313486231570000" + String(repeating: "0", count: 288))
                == .greatestFiniteMagnitude)
    }

    @Test func `floats are decoded`() throws {
        let json = "[0,-0.0,1.5,0.1,16777217,3.4028235e38,1e-45]"
        #expect(
            try decode([Float].self, json) == [
                0, -0.0, 1.5, 0.1, 16_777_216, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
            ])
    }

    @Test func `negative zero keeps its sign`() throws {
        for json in ["-0", "-0.0", "-0.00"] {
            #expect(try decode(Double.self, json).sign == .minus)
            #expect(try decode(Float.self, json).sign == .minus)
        }
    }

    @Test(arguments: ["0.0", "0.000", "0.0000e12", "-0.000e-5"])
    func `zero may have any exponent`(json: String) throws {
        #expect(try decode(Double.self, json) == 0)
        #expect(try decode(Float.self, json) == 0)
    }

    @Test(arguments: ["1e309", "-1e309", "1e400", "1.8e308", "1e99999999999999999999"])
    func `a number that overflows is rejected`(json: String) {
        #expect(failure(Double.self, json) == notRepresentable(json, in: "Double"))
        #expect(failure([Double].self, "[\(json)]") == notRepresentable(json, in: "Double", at: "Index 0(0)"))
    }

    @Test(arguments: ["1e39", "-3.5e38"])
    func `a number beyond the range of a float is rejected`(json: String) {
        #expect(failure(Float.self, json) == notRepresentable(json, in: "Float"))
        #expect((try? decode(Double.self, json)) != nil)
    }

    @Test func `a float is not made from other values`() {
        #expect(failure(Double.self, "true") == mismatch("Double", found: "bool"))
        #expect(failure(Float.self, #""1""#) == mismatch("Float", found: "a string"))
        #expect(failure(Double.self, "[]") == mismatch("Double", found: "an array"))
        #expect(failure(Float.self, "{}") == mismatch("Float", found: "a dictionary"))
        #expect(failure(Double.self, "null") == noValue("Double"))
        #expect(failure([String: Float].self, #"{"x":"y"}"#) == mismatch("Float", at: "x", found: "a string"))
    }

    @Test(arguments: ["NaN", "Infinity", "-Infinity", "nan", "inf"])
    func `numbers that are not finite are not JSON`(json: String) {
        #expect(failure(Double.self, json) == notJSON)
    }

    @Test func `strings stand for numbers that are not finite`() throws {
        func decoded<T: Decodable & BinaryFloatingPoint>(_ type: T.Type, _ json: String) throws -> [T] {
            try decode([T].self, json) {
                $0.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "INF", negativeInfinity: "-INF", nan: "")
            }
        }
        let doubles = try decoded(Double.self, #"["INF","-INF",1.5,""]"#)
        #expect(doubles.prefix(3) == [.infinity, -.infinity, 1.5])
        #expect(doubles[3].isNaN)
        let floats = try decoded(Float.self, #"["INF","-INF",1.5,""]"#)
        #expect(floats.prefix(3) == [.infinity, -.infinity, 1.5])
        #expect(floats[3].isNaN)
    }

    @Test func `other strings do not stand for numbers`() {
        func failed(_ json: String) -> String {
            failure([Double].self, json) {
                $0.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "INF", negativeInfinity: "-INF", nan: "NaN")
            }
        }
        #expect(failed(#"["inf"]"#) == mismatch("Double", at: "Index 0(0)", found: "a string"))
        #expect(failed(#"["1.5"]"#) == mismatch("Double", at: "Index 0(0)", found: "a string"))
        #expect(failed("[1e999]") == notRepresentable("1e999", in: "Double", at: "Index 0(0)"))
    }
}
