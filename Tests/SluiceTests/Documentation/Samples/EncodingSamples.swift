// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Encoding.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct EncodingSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 11)
@JSONModel struct Repository: Equatable { let id: Int }
struct Socket { func write(_ chunk: UnsafeRawBufferPointer) throws {} }
func write(_ repositories: [Repository], to socket: Socket) throws {
let repository = repositories[0]
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 16)
let encoder = JSONModelEncoder()
let bytes = try encoder.encode(repository)                     // [UInt8]
let text = try encoder.encode(repository, as: .string)
let object = try encoder.encode(repository, as: .object)       // [String: Any]
try encoder.write(repositories, to: .file("repos.json"))
try encoder.write(repositories) { chunk in try socket.write(chunk) }
try encoder.write(elements: repositories.lazy.filter { $0.id > 0 }, to: .standardOutput)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 24)
#expect(Array(text.utf8) == bytes && object.count == 1)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 80)
@Test func `canonical JSON`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 82)
var encoder = JSONModelEncoder()
encoder.formatting = .canonical
let document = try JSONRaw(#"{"total": 1.50, "name": "caf\u00e9", "id": 1e3}"#)
print(try encoder.encode(document, as: .string))       // {"id":1000,"name":"café","total":1.5}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 87)
#expect(try encoder.encode(document, as: .string) == #"{"id":1000,"name":"café","total":1.5}"#)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 101)
@Test func `text is made`() throws {
let repository = Repository(id: 1)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 104)
let raw = try JSONRaw(#"{"id": 1}"#)                    // throws a JSONModelError for invalid JSON
let copy = try JSONRaw(encoding: repository)
let later = JSONLazy<Repository>(raw)                   // decoded by the first access to later.value
let price = try JSONNumber("19.90")                     // keeps all digits
let total = JSONNumber(Decimal(string: "19.90")!)       // nil for Decimal.nan
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 110)
#expect("\(raw)" == #"{"id": 1}"# && "\(copy)" == #"{"id":1}"#)
#expect(try later.value == repository)
#expect(price.description == "19.90" && total?.description == "19.9")
}
#sourceLocation()
}
#endif
