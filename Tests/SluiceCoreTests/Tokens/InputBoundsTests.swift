import Foundation
import SluiceCore
import TestSupport
import Testing

/// Input that ends where the readable memory ends.
struct InputBoundsTests {
    private static let longKey = "a long key of more than forty bytes, to the end"

    private struct Row: JSONModel {
        var id: Int?
        var long: String?
        var list: [Double] = []
        var value: JSONValue?
        static let plan = ModelPlan<Row>(
            JSONField(\.id, key: "id"), JSONField(\.long, key: InputBoundsTests.longKey),
            JSONField(\.list, key: "list", default: []), JSONField(\.value, key: "value"))
    }

    /// Calls a closure with bytes that end with a page of memory. The next page cannot be read.
    private func withProtectedEnd<R>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let page = Int(getpagesize())
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * page, alignment: page)
        let isProtected = mprotect(memory + page, page, PROT_NONE) == 0
        #expect(isProtected)
        defer {
            mprotect(memory + page, page, PROT_READ | PROT_WRITE)
            memory.deallocate()
        }
        let start = memory + (page - bytes.count)
        start.copyMemory(from: bytes, byteCount: bytes.count)
        return body(UnsafeRawBufferPointer(start: start, count: bytes.count))
    }

    private func outcome<T: JSONConvertible>(_ type: T.Type, _ decode: () throws -> T) -> String {
        do { return contents(of: try decode()) } catch { return "\(error)" }
    }

    private static let texts: [String] = {
        let line = "\n                    "
        let indented =
            ["\"x\": 1", "\"y\": 2", "\"id\": 3", "\"\(longKey)\": \"é\\n\"", "\"list\": [1.5, 2, true]"]
            .map { line + $0 }.joined(separator: ",")
        return [
            "{\(indented)\n}",
            #"{"id":12345,"list":[1.5,-2.25,3e5,123456789.125,0,7],"value":{"a":[null,false,{"b":"\u00e9\ud83d\ude00"}]}}"#,
            #"{"ignored":[[1,2.5e-3,"text with \"escapes\" \u0041"],{"a":{"b":[true,null]}}],"list":[],"id":-7}  "#,
            "[\"0123456789abcdef0123456789abcdef\", \"日本語日本語日本語\" , 12345678901234567890.5e-10 ]\n\n\n\n",
        ]
    }()

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `bytes after the input are not read`(_ source: JSONModelDecoder.Source) {
        let decoder = JSONModelDecoder(from: source)
        for text in Self.texts {
            let bytes = Array(text.utf8)
            for end in 0...bytes.count {
                let prefix = Array(bytes[..<end])
                withProtectedEnd(prefix) { input in
                    #expect(
                        outcome(Row.self) { try decoder.decode(Row.self, from: input) }
                            == outcome(Row.self) { try decoder.decode(Row.self, from: prefix) })
                    #expect(
                        outcome(JSONValue.self) { try decoder.decode(JSONValue.self, from: input) }
                            == outcome(JSONValue.self) { try decoder.decode(JSONValue.self, from: prefix) })
                }
            }
        }
    }
}
