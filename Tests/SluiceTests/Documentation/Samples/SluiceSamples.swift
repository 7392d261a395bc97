// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Sluice.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct SluiceSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 12)


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
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 30)
@Test func `a model is decoded`() throws {
let bytes = Array(#"{"id": 1, "full_name": "a", "user": {"login": "b"}}"#.utf8)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 33)
let repository = try JSONModelDecoder().decode(Repository.self, from: bytes)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Sluice.md", line: 35)
#expect(repository.owner == "b" && repository.stars == 0 && repository.license == nil)
}
#sourceLocation()
}
#endif
