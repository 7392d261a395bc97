// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Errors.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct ErrorsSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 27)
@JSONModel struct Repository { let name: String }
func printIssues(_ decoder: JSONModelDecoder, _ bytes: [UInt8]) {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 30)
do {
    let repository = try decoder.decode(Repository.self, from: bytes)
    print(repository.name)
} catch {
    for issue in error.issues {
        switch issue.kind {
        case .missingKeys(let keys): print("please send", keys)
        case .unreadable, .unexpectedEnd: print("please send it again")
        default: print(issue.description)
        }
    }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Errors.md", line: 43)
}
#sourceLocation()
}
#endif
