import ArgumentParser
import Sluice

/// A range of a file: offsets such as `0-4096`, or an object that `sluice ranges` prints.
enum InputRange: ExpressibleByArgument {
    case bytes(Range<Int>)
    /// A range with the location of its first byte, which need not be counted.
    case located(JSONFileRange)

    init?(argument: String) {
        if let range = try? JSONModelDecoder().decode(JSONFileRange.self, from: argument) {
            self = .located(range)
            return
        }
        let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count == 2, let start = ends[0], let end = ends[1], 0...end ~= start else { return nil }
        self = .bytes(start..<end)
    }
}
