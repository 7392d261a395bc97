import Foundation

/// The scores by folder, and the survivors.
struct Report {
    let mutants: [(mutant: Mutant, verdict: Verdict)]

    private struct Row {
        var name: String
        var total = 0
        var failed = 0
        var crashed = 0
        var timeouts = 0
        var survived = 0

        var killed: Int { failed + crashed + timeouts }

        mutating func add(_ verdict: Verdict) {
            total += 1
            switch verdict.result {
            case .failed: failed += 1
            case .crashed: crashed += 1
            case .timeout: timeouts += 1
            case .survived, .unreached: survived += 1
            }
        }

        var text: String {
            func percent(_ part: Int, _ whole: Int) -> String {
                whole == 0 ? "-" : "\(part * 1000 / whole / 10).\(part * 1000 / whole % 10) %"
            }
            let cells = [
                "\(total)", "\(failed)", "\(crashed)", "\(timeouts)", "\(survived)", percent(killed, total),
            ]
            return Self.line(name, cells)
        }

        static func line(_ name: String, _ cells: [String]) -> String {
            name.padding(toLength: 10, withPad: " ", startingAt: 0)
                + cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
        }
    }

    /// Prints the report.
    func write() {
        for (mutant, verdict) in mutants where !verdict.result.isKilled {
            print("\(mutant.place): \(mutant.kind.rawValue), \(verdict.result.rawValue)")
            print("| \(mutant.lineText)")
            print("- \(mutant.change)\n")
        }
        print(Row.line("folder", ["faults", "failed", "crashed", "timeout", "survived", "found"]))
        var all = Row(name: "all")
        for (name, _) in WorkCopy.folders {
            var row = Row(name: name)
            for (mutant, verdict) in mutants where mutant.folder == name {
                row.add(verdict)
                all.add(verdict)
            }
            if row.total > 0 { print(row.text) }
        }
        print(all.text)
    }
}
