// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/GettingStarted.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct GettingStartedSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 11)


@JSONModel
struct Repository {
    let id: Int
    @JSONKey("full_name") let name: String
    @JSONKey("owner.login", or: "user.login") let owner: String
    var stars = 0
    let license: License?
    @JSONIgnore var cached = false
}

@JSONModel
struct License {
    let key: String
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 72)
@JSONModel
class Animal {
    let name: String
    var legs = 4

    init(name: String) { self.name = name }
}

@JSONModel
final class Dog: Animal {
    let breed: String

    init(name: String, breed: String) {
        self.breed = breed
        super.init(name: name)
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 91)
@Test func `models are created in code`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 93)
let license = License(key: "apache-2.0")
let dog = Dog(name: "Rex", breed: "Poodle")
let text = try JSONModelEncoder().encode(dog, as: .string)    // {"name":"Rex","legs":4,"breed":"Poodle"}
let same = try JSONModelDecoder().decode(Dog.self, from: text)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 98)
#expect(license.key == "apache-2.0" && same.name == "Rex" && same.breed == "Poodle")
#expect(text == #"{"name":"Rex","legs":4,"breed":"Poodle"}"#)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 108)
func decode(_ bytes: [UInt8], _ data: Data) throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 110)
var decoder = JSONModelDecoder()
decoder.source = .scanner       // the fastest source; the default on Linux and macOS is libyajl, the reference
let one = try decoder.decode(Repository.self, from: bytes)
let all = try decoder.decode([Repository].self, from: data, at: "data.items")
let same = try decoder.decode([Repository].self, from: .file("repos.json"), at: "data.items")
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 116)
#expect(all.map(\.id) == same.map(\.id) && all.first?.id == one.id)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 179)
@JSONModel
struct Event {
    let kind: String
    let details: JSONValue
    let payload: JSONRaw
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 187)
@Test func `any JSON is decoded`() throws {
let decoder = JSONModelDecoder()
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 190)
let value = try JSONValue(parsing: #"{"n": [1, 2]}"#)    // any input, without a decoder
print(value["n"]?[1]?.int ?? 0)            // 2

let event = try decoder.decode(Event.self, from: #"{"kind":"a","details":{"n":[1]},"payload":{ "x" : 1.50 }}"#)
print(event.details["n"]?[0]?.int ?? 0)    // 1
print(event.payload)                       // { "x" : 1.50 }

var details = event.details
details["n"]?[0] = 2                       // changes the value in place
details["m"] = ["x"]                       // adds a member; nil removes one
print(details)                             // {"n":[2],"m":["x"]}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/GettingStarted.md", line: 202)
#expect(details.description == #"{"n":[2],"m":["x"]}"#)
#expect(event.details["n"]?[0]?.int == 1 && value["n"]?[1]?.int == 2)
#expect("\(event.payload)" == #"{ "x" : 1.50 }"#)
}
#sourceLocation()
}
#endif
