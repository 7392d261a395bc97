#if Macros
import Foundation
import Sluice
import TestSupport
import Testing

/// Runs the source files that the tutorial shows. `Scripts/samples.sh` writes this file and theirs with the samples of the articles.
@Suite struct TutorialTests {
    private static let text = #"""
        {"data": {"orders": [
            {"id": 1, "customer": {"name": "Ann"}, "amount": 9.5}, {"id": 2, "customer": {"name": "Bob"}, "amount": 0.5}
        ]}}
        """#

    @Test func `the steps have the results that the tutorial names`() throws {
        let order = try JSONModelDecoder().decode(
            HugeFile1Samples.Order.self, from: Self.text, at: "data.orders[0]")
        #expect("\(order)" == #"Order(id: 1, customer: "Ann", amount: 9.5)"#)
        try withFile(holding: Array(Self.text.utf8)) { file in
            let totals = try [
                HugeFile2Samples().total(of: file), HugeFile3Samples().total(of: file),
                HugeFile4Samples().total(of: file),
            ]
            #expect(totals == [10, 10, 10])
        }
    }

    @Test func `an invalid order is left out`() throws {
        let order = #", {"id": 3, "customer": {"name": "Cid"}, "amount": "x"}"#
        try withFile(holding: Array(Self.text.replacing("0.5}", with: "0.5}\(order)").utf8)) { file in
            #expect(throws: JSONModelError.self) { try HugeFile3Samples().total(of: file) }
            let total = try HugeFile4Samples().total(of: file)
            #expect(total == 10)

            var decoder = JSONModelDecoder()
            decoder.elementErrors = .skip
            var cursor = decoder.cursor(of: HugeFile4Samples.Order.self, in: .file(file), at: "data.orders[*]")
            while try cursor.next() != nil {}
            let summary = cursor.summary.description.split(separator: "\n")
            #expect(
                summary.first == "2 elements, 1 skipped" && summary.last?.contains("data.orders[*].amount") == true)
        }
    }

    @Test func `the last step continues after the last order`() throws {
        try withFile(holding: Array(Self.text.utf8)) { file in
            var checkpoint: JSONCheckpoint?
            let first = try HugeFile5Samples().total(of: file, from: &checkpoint)
            #expect(first == 10 && checkpoint != nil)
            let rest = try HugeFile5Samples().total(of: file, from: &checkpoint)
            #expect(rest == 0)
        }
    }

    @Test func `the tutorial shows all of its files`() throws {
        let folder = SampledDocument.root.appendingPathComponent("Sources/Sluice/Sluice.docc/Resources")
        let tutorial = try SampledDocument.text(
            of: "Sources/Sluice/Sluice.docc/Tutorials/ReadingAHugeFile.tutorial")
        let shown = tutorial.matches(of: /file: (\w+\.swift)/).map { String($0.1) }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".swift")
        }
        #expect(shown == files.sorted() && files.count == 5)
    }
}
#endif
