import Foundation
import Testing

/// The blocks of code in the documents that `Scripts/samples.sh` does not copy to the tests.
@Suite struct DocumentationSamplesTests {
    @Test func `samples that are not compiled are marked and counted`() throws {
        // Manifests of packages, an exported import, publishers of Combine, a class for Objective-C, and extensions of types of other packages.
        let folder = "Sources/Sluice/Sluice.docc/"
        let expected = [
            "README.md": 2, folder + "ComingFromJSONModel.md": 1, folder + "MovingFromJSONDecoder.md": 2,
            folder + "Servers.md": 2, folder + "Sources.md": 1,
        ]
        for document in try SampledDocument.all() {
            #expect(document.uncompiledCount == expected[document.path] ?? 0, "\(document.path)")
        }
    }

    @Test func `samples from source files equal these files`() throws {
        var count = 0
        for document in try SampledDocument.all() {
            for excerpt in document.excerpts {
                let lines = try SampledDocument.text(of: excerpt.source)
                    .split(separator: "\n", omittingEmptySubsequences: false).map(SampledDocument.unindented)
                #expect(
                    !excerpt.lines.isEmpty && lines.contains(excerpt.lines),
                    "\(document.path):\(excerpt.number): this sample is not a part of \(excerpt.source)")
                count += 1
            }
        }
        #expect(count >= 8)
    }
}
