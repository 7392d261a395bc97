import Foundation

/// The scores by folder, and the survivors.
struct Report {
    let mutants: [(mutant: Mutant, verdict: Verdict)]
    let judgements: Judgements

    private struct Row {
        var name: String
        var total = 0
        var failed = 0
        var crashed = 0
        var timeouts = 0
        var judged = 0
        var left = 0

        var killed: Int { failed + crashed + timeouts }

        mutating func add(_ verdict: Verdict, isJudged: Bool) {
            total += 1
            switch verdict.result {
            case .failed: failed += 1
            case .crashed: crashed += 1
            case .timeout: timeouts += 1
            case .survived, .unreached: if isJudged { judged += 1 } else { left += 1 }
            }
        }

        var text: String {
            func percent(_ part: Int, _ whole: Int) -> String {
                whole == 0 ? "-" : "\(part * 1000 / whole / 10).\(part * 1000 / whole % 10) %"
            }
            let cells = [
                "\(total)", "\(failed)", "\(crashed)", "\(timeouts)", "\(judged)", "\(left)",
                percent(killed, total),
                percent(killed, total - judged),
            ]
            return Self.line(name, cells)
        }

        static func line(_ name: String, _ cells: [String]) -> String {
            name.padding(toLength: 10, withPad: " ", startingAt: 0)
                + cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
        }
    }

    /// Prints the report. Returns whether all survivors are judged.
    func write() -> Bool {
        let survivors = mutants.filter { !$0.verdict.result.isKilled && !judgements.contains($0.mutant) }
        for (mutant, verdict) in survivors {
            print("\(mutant.place): \(mutant.kind.rawValue), \(verdict.result.rawValue)")
            print("| \(mutant.lineText)")
            print("- \(mutant.change)\n")
        }
        print(
            Row.line(
                "folder", ["faults", "failed", "crashed", "timeout", "judged", "left", "found", "of unjudged"]))
        var all = Row(name: "all")
        for (name, _) in WorkCopy.folders {
            var row = Row(name: name)
            for (mutant, verdict) in mutants where mutant.folder == name {
                row.add(verdict, isJudged: judgements.contains(mutant))
                all.add(verdict, isJudged: judgements.contains(mutant))
            }
            if row.total > 0 { print(row.text) }
        }
        print(all.text)
        writeStaleRecords()
        return survivors.isEmpty
    }

    private func writeStaleRecords() {
        for record in judgements.records {
            let matches = mutants.filter { record.isAbout($0.mutant) }
            if matches.isEmpty,
                mutants.contains(where: {
                    $0.mutant.file == record.file && record.lines.contains($0.mutant.lineText)
                })
            {
                print("Judged.txt:\(record.position): The record is about no fault.")
            }
            for change in record.changes {
                let killed = matches.filter { $0.mutant.change == change }
                if !killed.isEmpty, killed.allSatisfy(\.verdict.result.isKilled) {
                    print("Judged.txt:\(record.position): A test finds the fault \(change).")
                }
            }
        }
    }
}
