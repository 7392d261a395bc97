import SluiceCore
import TestSupport
import Testing

/// Models with more than 64 fields.
@Suite(.tags(.keys)) struct WideModelTests {
    /// 65 fields, so that one lies beyond the first word.
    struct SixtyFive: JSONModel {
        let all: [Counted]
        let last: Counted
        let optionalLast: Counted?
        let defaultLast: Counted
        let a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z: UInt8
        let aa, bb, cc, dd, ee, ff, gg, hh, ii, jj, kk, ll, mm, nn, oo, pp, qq, rr, ss, tt, uu, vv, ww, xx, yy,
            zz: UInt8
        let a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1: UInt8

        private static var letters: [KeyPath<SixtyFive, UInt8>] {
            [
                \.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j, \.k, \.l, \.m, \.n, \.o, \.p, \.q, \.r, \.s, \.t,
                \.u, \.v, \.w, \.x, \.y, \.z, \.aa, \.bb, \.cc, \.dd, \.ee, \.ff, \.gg, \.hh, \.ii, \.jj, \.kk,
                \.ll, \.mm, \.nn, \.oo, \.pp, \.qq, \.rr, \.ss, \.tt, \.uu, \.vv, \.ww, \.xx, \.yy, \.zz, \.a0,
                \.a1, \.a2, \.a3, \.a4, \.a5, \.a6, \.a7, \.a8, \.a9, \.b0, \.b1,
            ]
        }

        static let plan = ModelPlan<SixtyFive>(
            [JSONField(\.all)] + letters.enumerated().map { JSONField($1, key: "n\($0)", default: 0) } + [
                JSONField(\.last), JSONField(\.optionalLast, key: "optional"),
                JSONField(\.defaultLast, key: "default", or: "other", default: Counted("default")),
            ])
    }

    private func text(leaving left: Set<Int> = [], reversed: Bool = false) -> String {
        let members = Wide.members { !left.contains($0) }
        return "{" + (reversed ? members.reversed() : members).joined(separator: ", ") + "}"
    }

    @Test func `all 200 fields are filled in any order`() throws {
        let wide = try decode(Wide.self, text())
        #expect(wide.f0 == 0)
        #expect(wide.f63 == 63)
        #expect(wide.f64 == 64)
        #expect(wide.f67 == 67)
        #expect(wide.f68 == 68)
        #expect(wide.f127 == 127)
        #expect(wide.f128 == 128)
        #expect(wide.f199 == "string 199")
        #expect(try decode(Wide.self, text(reversed: true)) == wide)
    }

    /// The bits of the required keys need a second word, which has one bit.
    struct SixtyFiveRequired: JSONModel {
        let f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21: Int
        let f22, f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38, f39, f40, f41, f42,
            f43: Int
        let f44, f45, f46, f47, f48, f49, f50, f51, f52, f53, f54, f55, f56, f57, f58, f59, f60, f61, f62, f63,
            f64: Int
        static let plan = ModelPlan<SixtyFiveRequired>([
            JSONField(\.f0), JSONField(\.f1), JSONField(\.f2), JSONField(\.f3), JSONField(\.f4), JSONField(\.f5),
            JSONField(\.f6), JSONField(\.f7), JSONField(\.f8), JSONField(\.f9), JSONField(\.f10), JSONField(\.f11),
            JSONField(\.f12), JSONField(\.f13), JSONField(\.f14), JSONField(\.f15), JSONField(\.f16),
            JSONField(\.f17), JSONField(\.f18), JSONField(\.f19), JSONField(\.f20), JSONField(\.f21),
            JSONField(\.f22), JSONField(\.f23), JSONField(\.f24), JSONField(\.f25), JSONField(\.f26),
            JSONField(\.f27), JSONField(\.f28), JSONField(\.f29), JSONField(\.f30), JSONField(\.f31),
            JSONField(\.f32), JSONField(\.f33), JSONField(\.f34), JSONField(\.f35), JSONField(\.f36),
            JSONField(\.f37), JSONField(\.f38), JSONField(\.f39), JSONField(\.f40), JSONField(\.f41),
            JSONField(\.f42), JSONField(\.f43), JSONField(\.f44), JSONField(\.f45), JSONField(\.f46),
            JSONField(\.f47), JSONField(\.f48), JSONField(\.f49), JSONField(\.f50), JSONField(\.f51),
            JSONField(\.f52), JSONField(\.f53), JSONField(\.f54), JSONField(\.f55), JSONField(\.f56),
            JSONField(\.f57), JSONField(\.f58), JSONField(\.f59), JSONField(\.f60), JSONField(\.f61),
            JSONField(\.f62), JSONField(\.f63), JSONField(\.f64),
        ])
    }

    @Test func `each of 65 keys is required`() throws {
        let members = (0..<65).map { "\"f\($0)\":\($0)" }
        #expect(try decode(SixtyFiveRequired.self, "{" + members.joined(separator: ",") + "}").f64 == 64)
        for missing in members.indices {
            var members = members
            members.remove(at: missing)
            let issue = try refusal(SixtyFiveRequired.self, "{" + members.joined(separator: ",") + "}")
            #expect(issue.kind == .missingKeys(["f\(missing)"]))
        }
    }

    @Test func `models with many long numbers are written whole`() throws {
        let members = (0..<200).map { index in
            "\"f\(index)\":" + (index % 10 == 9 ? "\"string \(index)\"" : "\(Int.min + index)")
        }
        let text = "{" + members.joined(separator: ",") + "}"
        let wide = try decode(Wide.self, text)
        #expect(try encode(wide) == text)
        let all = Array(repeating: text, count: 20).joined(separator: ",")
        #expect(try encode(Array(repeating: wide, count: 20)) == "[\(all)]")
    }

    @Test func `optional fields and fields with defaults may be missing`() throws {
        let wide = try decode(Wide.self, text(leaving: Set((0..<200).filter { $0 % 10 == 7 || $0 % 10 == 8 })))
        for (value, optional) in [
            (wide.f7, wide.f8), (wide.f67, wide.f68), (wide.f127, wide.f128), (wide.f197, wide.f198),
        ] {
            #expect(value == -1 || value == 127)
            #expect(optional == nil || optional == 128)
        }
        #expect(wide.f7 == -1)
        #expect(wide.f8 == nil)
        #expect(wide.f197 == -1)
        #expect(wide.f198 == nil)
    }

    @Test(arguments: [0, 9, 63, 64, 65, 69, 126, 129, 130, 191, 192, 196, 199])
    func `a missing field is named`(_ field: Int) throws {
        let issue = try refusal(Wide.self, text(leaving: [field]))
        #expect(issue.kind == .missingKeys(["f\(field)"]))
        #expect(issue.property == "f\(field)")
    }

    @Test func `all missing fields are named`() throws {
        let left: Set = [3, 62, 64, 71, 129, 192, 199]
        let issue = try refusal(Wide.self, text(leaving: left))
        #expect(issue.kind == .missingKeys(left.sorted().map { "f\($0)" }))
        guard case .missingKeys(let all) = try refusal(Wide.self, "{}").kind else { return }
        #expect(all.count == 160)
    }

    @Test func `duplicate keys beyond the first 64 fields are detected`() throws {
        let twice = text().dropLast() + #","f130":7,"f199":"again"}"#
        let wide = try decode(Wide.self, String(twice))
        #expect(wide.f130 == 7)
        #expect(wide.f199 == "again")
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        let error = #expect(throws: JSONModelError.self) { try decoder.decode(Wide.self, from: String(twice)) }
        #expect(error?.issues[0].kind == .duplicateKey("f130"))
    }
}

extension LeakTests {
    @Test func `a failure beyond the first 64 fields frees all values`() {
        let text = Array(
            #"{"all":["a"],"last":"b","optional":"c","other":"d","n3":4,"default":"e","last":"f","optional":null}"#
                .utf8)
        for length in 0...text.count {
            _ = balanced("\(length) bytes") {
                let model = try JSONModelDecoder().decode(
                    WideModelTests.SixtyFive.self, from: Array(text[..<length]))
                #expect(model.last.text == "f")
                #expect(model.defaultLast.text == "e")
                #expect(model.d == 4)
            }
        }
    }
}
