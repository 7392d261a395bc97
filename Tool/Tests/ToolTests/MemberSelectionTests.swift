import Sluice
import Testing
import ToolSupport

@Suite struct MemberSelectionTests {
    private let text = #"{"id":1,"o":{"n":"a","m":[{"x":1,"y":2},{"y":3},4]},"e":{}}"#

    private func select(_ only: [JSONPath]?, except: [JSONPath] = [], of text: String? = nil) throws -> String {
        let value = try JSONModelDecoder().decode(JSONValue.self, from: text ?? self.text)
        return MemberSelection(only: only, except: except).selected(of: value).description
    }

    @Test func `members keep their order and their objects`() throws {
        #expect(try select(["o.n", "id"]) == #"{"id":1,"o":{"n":"a"}}"#)
        #expect(try select(["e", "none"]) == #"{"e":{}}"#)
        #expect(try select(["$"]) == text)
        #expect(try select(["o.*"]) == #"{"o":{"n":"a","m":[{"x":1,"y":2},{"y":3},4]}}"#)
        #expect(try select(["none"]) == "{}")
        #expect(try select(["none"], of: "1") == "{}")
    }

    @Test func `arrays on a path need no wildcard`() throws {
        #expect(try select(["o.m.x"]) == #"{"o":{"m":[{"x":1}]}}"#)
        #expect(try select(["o.m[*].y"]) == #"{"o":{"m":[{"y":2},{"y":3}]}}"#)
        #expect(try select(["o.m[1]"]) == #"{"o":{"m":[{"y":3}]}}"#)
    }

    @Test func `members are left out`() throws {
        #expect(try select(nil, except: ["o.m", "id"]) == #"{"o":{"n":"a"},"e":{}}"#)
        #expect(try select(nil, except: ["o.m.y"]) == #"{"id":1,"o":{"n":"a","m":[{"x":1},{},4]},"e":{}}"#)
        #expect(try select(["o"], except: ["o.m[0]", "o.n"]) == #"{"o":{"m":[{"y":3},4]}}"#)
        #expect(try select(nil, except: ["$"]) == "{}")
    }
}
