import Foundation
import Sluice

/// The instructions and allocations of a call.
@JSONModel
struct Counts {
    @JSONKey("instructions_per_call") let instructions: Double
    @JSONKey("allocations_per_call") let allocations: Double
}

/// The counts of an earlier run, which a later run may not exceed.
struct Limits {
    @JSONModel
    struct Row {
        let row: String
        @JSONFlatten let counts: Counts
    }

    /// The share by which counts may grow. The counts of two runs of one build differ by 0.4 % at most, and those of machines with other
    /// processors and system libraries by more.
    static let tolerance = 0.03

    private let rows: [String: Counts]

    /// Reads the output of `floor --instructions --json`.
    init(file: String) throws {
        var rows: [String: Counts] = [:]
        try JSONModelDecoder().forEach(Row.self, in: .file(file), framing: .lines) { (row: Row) in
            rows[row.row] = row.counts
        }
        self.rows = rows
    }

    /// Returns how the counts of a row exceed the limits; nil if they do not. A row without limits exceeds them.
    func excess(of name: String, _ counts: Counts) -> String? {
        guard let limits = rows[name] else { return "\(name): the row has no limits" }
        func excess(_ kind: String, _ count: Double, _ limit: Double) -> String? {
            if count <= limit * (1 + Self.tolerance) { return nil }
            let growth = limit > 0 ? String(format: "%.1f %% more than", (count / limit - 1) * 100) : "more than"
            return
                "\(name): \(String(format: "%.1f", count)) \(kind) per call, \(growth) \(String(format: "%.1f", limit))"
        }
        return excess("instructions", counts.instructions, limits.instructions)
            ?? excess("allocations", counts.allocations, limits.allocations)
    }
}
