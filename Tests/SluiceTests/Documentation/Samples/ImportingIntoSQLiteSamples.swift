// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/ImportingIntoSQLite.md by `make samples`: change the document, not this file.
import Foundation
import Sluice
import Testing

@Suite struct ImportingIntoSQLiteSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ImportingIntoSQLite.md", line: 130)
struct ProductImport { var decoder = JSONModelDecoder(); func run() throws -> Int { 0 } }
func importProducts(_ products: ProductImport) throws -> Int {
var products = products
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ImportingIntoSQLite.md", line: 134)
products.decoder.progressHandler = { progress in
    print(Int((progress.fraction ?? 0) * 100), "%")
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/ImportingIntoSQLite.md", line: 138)
return try products.run()
}
#sourceLocation()
}
