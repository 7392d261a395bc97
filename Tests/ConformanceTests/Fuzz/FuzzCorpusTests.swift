import Foundation
import FuzzSupport
import Testing

extension FuzzPoolTests {
    /// The cases that fuzzing with coverage has found, each of which covers a part of the core that no other case covers.
    ///
    /// `Scripts/fuzz.sh guided` finds new cases, and `Scripts/fuzz.sh corpus` adds them to `Fixtures/Fuzz`.
    struct FuzzCorpusTests {
        private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Fixtures/Fuzz").standardized

        /// The cases of an entry, one on each line in Base64.
        private func cases(_ entry: FuzzEntry) throws -> [[UInt8]] {
            let file = Self.folder.appending(path: "\(entry.rawValue).txt")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            return try lines.map { try #require(Data(base64Encoded: String($0))).map { $0 } }
        }

        @Test(arguments: FuzzEntry.allCases)
        func `the oracles find no fault in the corpus`(_ entry: FuzzEntry) throws {
            let cases = try self.cases(entry)
            #expect(cases.count > 10)
            for bytes in cases {
                for fault in entry.faults(in: bytes) {
                    Issue.record("\(Data(bytes).base64EncodedString()): \(fault)")
                }
            }
        }

        /// The empty case, and the first bytes of others.
        @Test(arguments: FuzzEntry.allCases)
        func `the oracles find no fault in short cases`(_ entry: FuzzEntry) {
            for count in 0..<12 {
                for fault in entry.faults(in: [UInt8](repeating: 0x5B, count: count)) {
                    Issue.record("\(count) bytes: \(fault)")
                }
            }
        }
    }
}
