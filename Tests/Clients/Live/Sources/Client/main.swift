// Two forms in the terminal fill themselves while a language model writes the calls of a tool. With the argument `--record FILE`, the
// frames become a picture.
import Foundation
import Sluice

let arguments = CommandLine.arguments
let file = arguments.firstIndex(of: "--record").map { arguments[$0 + 1] }
let isTerminal = isatty(1) == 1 && file == nil
let events = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../Fixtures/Events/openai-chat.sse").standardized

let server = try Server(replaying: events, pause: isTerminal ? 20_000 : 500)
var recording = Recording()
var count = 0
var height = 0
let trips = try await plan("Two weeks by train: first to Rome, then to Norway.", on: server) { snapshots in
    let lines = Form(snapshots).lines
    count += 1
    recording.add(lines)
    guard isTerminal else { return }
    // The form is written over the last one.
    if height > 0 { print("\u{1B}[\(height)A", terminator: "") }
    for line in lines { print("\u{1B}[2K\(line)") }
    height = lines.count
}
precondition(trips.map(\.title) == ["A weekend in Rome", "Fjords"] && trips[0].legs.count == 2, "\(trips)")
precondition(count > 10, "the forms were shown \(count) times")
if let file { try recording.picture.write(toFile: file, atomically: true, encoding: .utf8) }
print(
    "Two journeys in \(count) pieces: \(trips.map { "\($0.title), \($0.nights) nights" }.joined(separator: "; ")).")
