import Foundation

/// The judged survivors: faults that no test can find, with the reasons.
///
/// A record has the file, the original lines, the changes and the reason, and ends with an empty line:
///
///     Text/Kernels.swift
///     | guard count >= 16 else {
///     - >= -> >
///     The loop over single bytes has the same result.
///
/// Without changes, the record is about all changes of the lines. Lines of the file that begin with `#` are comments.
struct Judgements {
    struct Record {
        var file: String
        var lines: Set<String> = []
        var changes: Set<String> = []
        var reason = ""
        /// The line of the record in the file of judgements.
        var position: Int

        func isAbout(_ mutant: Mutant) -> Bool {
            mutant.file == file && lines.contains(mutant.lineText)
                && (changes.isEmpty || changes.contains(mutant.change))
        }
    }

    private(set) var records: [Record] = []

    init(_ file: URL) throws {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return }
        var record: Record?
        for (index, line) in (text + "\n").split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("#") { continue }
            if line.isEmpty {
                if let complete = record {
                    guard !complete.lines.isEmpty, !complete.reason.isEmpty else {
                        throw Failed(
                            "\(file.lastPathComponent):\(complete.position): The record lacks lines or a reason.")
                    }
                    records.append(complete)
                }
                record = nil
            } else if record == nil {
                record = Record(file: String(line), position: index + 1)
            } else if line.hasPrefix("| ") {
                record?.lines.insert(String(line.dropFirst(2)))
            } else if line.hasPrefix("- ") {
                record?.changes.insert(String(line.dropFirst(2)))
            } else {
                let space = record?.reason.isEmpty == true ? "" : " "
                record?.reason += space + line
            }
        }
    }

    func contains(_ mutant: Mutant) -> Bool { records.contains { $0.isAbout(mutant) } }
}
