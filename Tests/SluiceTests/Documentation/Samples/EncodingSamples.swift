// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Encoding.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct EncodingSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 7)
@JSONModel struct Repository: Equatable { let id: Int }
struct Socket { func write(_ piece: UnsafeRawBufferPointer) throws {} }
func write(_ repositories: [Repository], to socket: Socket) throws {
let repository = repositories[0]
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 12)
let encoder = JSONModelEncoder()
let bytes = try encoder.encode(repository)
let text = try encoder.encode(repository, as: .string)
let object = try encoder.encode(repository, as: .object)       // [String: Any]
try encoder.write(repositories, to: .file("repos.json"))
try encoder.write(repositories) { chunk in try socket.write(chunk) }
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 19)
#expect(Array(text.utf8) == bytes && object.count == 1)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 42)
@Test func `text is made`() throws {
let repository = Repository(id: 1)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 45)
let raw = try JSONRaw(#"{"id": 1}"#)                    // throws JSONModelError if the text is not JSON
let copy = try JSONRaw(encoding: repository)
let later = JSONLazy<Repository>(raw)                   // decoded when later.value is asked for
let price = try JSONNumber("19.90")                     // keeps all digits
let total = JSONNumber(Decimal(string: "19.90")!)       // nil for a decimal that is not a number
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Encoding.md", line: 51)
#expect("\(raw)" == #"{"id": 1}"# && "\(copy)" == #"{"id":1}"#)
#expect(try later.value == repository)
#expect(price.description == "19.90" && total?.description == "19.9")
}
#sourceLocation()
}
#endif
