import Foundation
import Testing

@Suite struct IntegerDecodingTests {
    @Test func `integers of every width are decoded at their limits`() throws {
        #expect(try decode([Int8].self, "[-128,127,0,-1]") == [.min, .max, 0, -1])
        #expect(try decode([UInt8].self, "[0,255]") == [.min, .max])
        #expect(try decode([Int16].self, "[-32768,32767]") == [.min, .max])
        #expect(try decode([UInt16].self, "[0,65535]") == [.min, .max])
        #expect(try decode([Int32].self, "[-2147483648,2147483647]") == [.min, .max])
        #expect(try decode([UInt32].self, "[0,4294967295]") == [.min, .max])
        #expect(try decode([Int64].self, "[-9223372036854775808,9223372036854775807]") == [.min, .max])
        #expect(try decode([UInt64].self, "[0,18446744073709551615]") == [.min, .max])
        #expect(try decode([Int].self, "[-9223372036854775808,9223372036854775807]") == [.min, .max])
        #expect(try decode([UInt].self, "[0,18446744073709551615]") == [.min, .max])
    }

    @Test func `integers of 128 bits are decoded at their limits`() throws {
        let limits = "[-170141183460469231731687303715884105728,170141183460469231731687303715884105727]"
        #expect(try decode([Int128].self, limits) == [.min, .max])
        #expect(try decode([UInt128].self, "[0,340282366920938463463374607431768211455]") == [.min, .max])
    }

    @Test(arguments: [
        "1.0", "1e0", "10e-1", "0.1e1", "1.000", "1E0", "1e-0", "0.01e2", "100e-2", "1.0e+0",
    ])
    func `a number with a fraction or an exponent is an integer if its value is`(json: String) throws {
        #expect(try decode(Int.self, json) == 1)
        #expect(try decode(UInt8.self, json) == 1)
        #expect(try decode(Int64.self, "[\(json)]".dropFirst().dropLast().description) == 1)
        #expect(try decode(Box<Int16>.self, #"{"value":\#(json)}"#).value == 1)
    }

    @Test func `exponents make integers`() throws {
        #expect(try decode(Int.self, "1e2") == 100)
        #expect(try decode(Int.self, "-12.5e1") == -125)
        #expect(try decode(UInt8.self, "2.55e2") == 255)
        #expect(try decode(Int.self, "9e15") == 9_000_000_000_000_000)
        #expect(try decode(Int64.self, "1e18") == 1_000_000_000_000_000_000)
        #expect(try decode(UInt64.self, "1e19") == 10_000_000_000_000_000_000)
    }

    @Test func `integers beyond 2 to the power of 53 are exact`() throws {
        #expect(try decode(Int.self, "9007199254740993") == 9_007_199_254_740_993)
        #expect(try decode(Int.self, "9007199254740993.0") == 9_007_199_254_740_993)
        #expect(try decode(Int.self, "900719925474099.3e1") == 9_007_199_254_740_993)
    }

    @Test func `numbers with a fraction beyond the precision of doubles are integers`() throws {
        #expect(try decode(Int.self, "1.0000000000000000000000001") == 1)
        #expect(try decode(Int.self, "1e-400") == 0)
        #expect(failure(Int128.self, "1e30") == notRepresentable("1e30", in: "Int128"))
    }

    @Test func `negative zero is zero`() throws {
        #expect(try decode(Int.self, "-0") == 0)
        #expect(try decode(Int.self, "-0.0") == 0)
        #expect(try decode(Int8.self, "-0e0") == 0)
        #expect(try decode(UInt.self, "-0") == 0)
        #expect(try decode(UInt64.self, "-0.0") == 0)
    }

    @Test(arguments: ["128", "-129", "1e3", "128.0", "99999999999999999999"])
    func `a number beyond the range of the type is rejected`(json: String) {
        #expect(failure(Int8.self, json) == notRepresentable(json, in: "Int8"))
    }

    @Test(arguments: ["-1", "256", "-1.0", "2.56e2"])
    func `a number beyond the range of an unsigned type is rejected`(json: String) {
        #expect(failure(UInt8.self, json) == notRepresentable(json, in: "UInt8"))
    }

    @Test(arguments: ["1.5", "1e-1", "-0.5", "0.1", "12345678901.5"])
    func `a number with a fraction is rejected`(json: String) {
        #expect(failure(Int.self, json) == notRepresentable(json, in: "Int"))
        #expect(failure(Box<Int>.self, #"{"value":\#(json)}"#) == notRepresentable(json, in: "Int", at: "value"))
    }

    @Test func `numbers beyond 64 bits are rejected`() {
        #expect(failure(Int64.self, "9223372036854775808") == notRepresentable("9223372036854775808", in: "Int64"))
        #expect(
            failure(Int64.self, "-9223372036854775809") == notRepresentable("-9223372036854775809", in: "Int64")
        )
        #expect(
            failure(UInt64.self, "18446744073709551616") == notRepresentable("18446744073709551616", in: "UInt64"))
        #expect(failure(UInt64.self, "1e20") == notRepresentable("1e20", in: "UInt64"))
        #expect(failure(Int.self, "1e400") == notRepresentable("1e400", in: "Int"))
    }

    @Test func `numbers beyond 128 bits are rejected`() {
        #expect(
            failure(Int128.self, "170141183460469231731687303715884105728")
                == notRepresentable("170141183460469231731687303715884105728", in: "Int128"))
        #expect(
            failure(UInt128.self, "340282366920938463463374607431768211456")
                == notRepresentable("340282366920938463463374607431768211456", in: "UInt128"))
        #expect(failure(UInt128.self, "-1") == notRepresentable("-1", in: "UInt128"))
    }

    @Test func `an element beyond the range of the type is rejected`() {
        #expect(failure([Int8].self, "[1,2,300]") == notRepresentable("300", in: "Int8", at: "Index 2(2)"))
        #expect(
            failure([String: UInt8].self, #"{"a":-1}"#) == notRepresentable("-1", in: "UInt8", at: "a")
        )
    }

    @Test func `an integer is not made from other values`() {
        #expect(failure(Int.self, "true") == mismatch("Int", found: "bool"))
        #expect(
            failure(Int.self, #""1""#) == mismatch("Int", found: "a string")
        )
        #expect(failure(Int.self, "[1]") == mismatch("Int", found: "an array"))
        #expect(failure(Int.self, "{}") == mismatch("Int", found: "a dictionary"))
        #expect(failure(Int.self, "null") == noValue("Int"))
        #expect(failure([UInt16].self, "[1,false]") == mismatch("UInt16", at: "Index 1(1)", found: "bool"))
    }
}
