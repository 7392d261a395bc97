import Foundation
import Sluice
import TestSupport
import Testing

/// The 35 documents of JSONTestSuite that a parser may accept or refuse. The table in the documentation gives the
/// outcome of each.
@Suite(.needs(.suites))
struct ImplementationDefinedTests {
    struct Row {
        let file: String
        let outcome: String
        let why: String
    }

    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/Sluice/Sluice.docc/ImplementationDefined.md")

    private func rows() throws -> [Row] {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `i_") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(file: cells[0].replacingOccurrences(of: "`", with: ""), outcome: cells[1], why: cells[2])
        }
    }

    @Test func `the table of the documentation has every file`() throws {
        let rows = try rows()
        let names = try TestData.suites.names(in: "JSONTestSuite", withSuffix: ".json").filter {
            $0.hasPrefix("i_")
        }
        #expect(names.count == 35)
        #expect(rows.map(\.file) == names)
        #expect(rows.allSatisfy { !$0.why.isEmpty })
    }

    @Test func `each file has the outcome in the table`() throws {
        let rows = try rows()
        #expect(rows.count == 35)
        for row in rows {
            let text = try TestData.suites.bytes("JSONTestSuite/\(row.file)")
            let chunks = text.map { [$0] }
            for source in JSONModelDecoder.Source.allCases {
                let decoder = JSONModelDecoder(from: source)
                #expect(
                    outcome { try decoder.decode(JSONValue.self, from: text) } == row.outcome,
                    "\(row.file), \(source)")
                #expect(
                    outcome { try decoder.decode(JSONValue.self, from: .chunks(chunks)) } == row.outcome,
                    "\(row.file), \(source), in one-byte chunks")
            }
        }
    }

    /// What is accepted as a number of any size is still no `Double` or `Int` beyond their range.
    @Test(arguments: [
        "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json", "i_number_pos_double_huge_exp.json",
        "i_number_real_neg_overflow.json", "i_number_real_pos_overflow.json",
    ])
    func `numbers beyond the range of Double are refused as doubles`(_ name: String) throws {
        let text = try TestData.suites.bytes("JSONTestSuite/\(name)")
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode([Double].self, from: text)
        }
        guard case .numberOutOfRange("Double", _) = error?.issues[0].kind else {
            Issue.record("\(name): \(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["i_number_real_underflow.json", "i_number_double_huge_neg_exp.json"])
    func `numbers too small for Double become zero`(_ name: String) throws {
        let text = try TestData.suites.bytes("JSONTestSuite/\(name)")
        #expect(try JSONModelDecoder().decode([Double].self, from: text) == [0])
    }

    private func outcome(_ read: () throws -> JSONValue) -> String {
        do {
            _ = try read()
            return "accepted"
        } catch let error as JSONModelError {
            switch error.issues[0].kind {
            case .invalidUTF8: return "refused: not UTF-8"
            case .loneSurrogate: return "refused: half of a surrogate pair"
            case .unsupportedEncoding(let name): return "refused: \(name)"
            case .syntax(let how): return "refused: \(how)"
            case let kind: return "refused: \(kind)"
            }
        } catch {
            return "\(error)"
        }
    }
}
