import Sluice

/// The lines of a form that shows a journey while it is written.
struct Form {
    private static let width = 46
    let lines: [String]

    init(_ snapshots: [Int: JSONSnapshot<Trip.Partial>]) {
        lines = snapshots.sorted { $0.key < $1.key }.flatMap { Self.lines($0.value) }
    }

    private static func lines(_ snapshot: JSONSnapshot<Trip.Partial>) -> [String] {
        let trip = snapshot.value
        let legs = (trip?.legs ?? []).map { "\($0.from ?? "…") → \($0.to ?? "…")" }
        var lines = [
            row("Title", trip?.title ?? "", snapshot.state(of: \.title)),
            row("Nights", trip?.nights.map { "\($0)" } ?? "", snapshot.state(of: \.nights)),
        ]
        for index in 0..<max(legs.count, 2) {
            let isLast = index >= legs.count - 1
            let state = snapshot.state(of: \.legs)
            let mark = isLast || state != .open ? state : .complete
            lines.append(
                row(
                    index == 0 ? "Legs" : "", index < legs.count ? legs[index] : "",
                    index < legs.count ? mark : .absent))
        }
        let edge = String(repeating: "─", count: width)
        return ["┌\(edge)┐"] + lines + ["└\(edge)┘"]
    }

    private static func row(_ name: String, _ text: String, _ state: JSONSnapshot<Trip.Partial>.State) -> String {
        let cursor = state == .open && !text.isEmpty ? "▌" : ""
        let mark =
            switch state {
            case .absent: "·"
            case .open: "…"
            case .complete: "✓"
            }
        let value = text + cursor
        let space = String(repeating: " ", count: max(width - 13 - value.count, 0))
        return "│ \(mark) \(name)\(String(repeating: " ", count: 8 - name.count)) \(value)\(space) │"
    }
}
