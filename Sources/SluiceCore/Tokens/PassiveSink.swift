/// A sink that reads each token once: it records and replays no values, and collects no issues.
protocol PassiveSink: TokenSink {}

extension PassiveSink {
    var isCapturing: Bool { false }
    var collectedIssues: [JSONIssue] { [] }
    var expectation: String { "a value" }
    var replayDepth: Int { 0 }

    mutating func expectedKey(at text: UnsafePointer<UInt8>, longest: Int) -> Int? { nil }
    mutating func skipped() -> TokenAction { .proceed }
    mutating func recorded(_ value: RecordedBytes) -> TokenAction { .proceed }
    mutating func takeIssues() -> [PendingIssue] { [] }
    mutating func deliver(_ pending: PendingIssue) -> Bool { true }
    func issue(_ kind: JSONIssue.Kind, atValue: Bool) -> JSONIssue { JSONIssue(kind: kind) }
    mutating func takeReplay() -> ReplayRequest? { nil }
    mutating func endReplay() -> TokenAction { .proceed }
    mutating func refuseReplay(_ kind: JSONIssue.Kind) -> TokenAction { .stop }
    mutating func takeResult() -> Bool { false }
}
