import Foundation
import ShortTexts

/// The program of `Scripts/kernels.sh exhaustive`: judges all texts of up to a number of symbols, on all cores.
///
/// The environment variable `LENGTH` is the number of symbols, and `CUTS` that of the texts that are divided at every byte. `REJECTED`
/// is the number of symbols after the one with which no text is a document. `FIRST` and `LAST` are the indexes of the first symbols,
/// for a part of the texts.
@main enum ExhaustiveProgram {
    static func main() async {
        let count = ShortTexts.symbols.count
        let (length, cuts, rejected) = (number("LENGTH", 7), number("CUTS", 5), number("REJECTED", .max))
        let (first, last) = (number("FIRST", 0), number("LAST", count - 1))
        let start = Date()
        var (texts, documents, validations, differences) = (0, 0, 0, [String]())
        func add(_ part: ShortTexts) {
            texts += part.texts
            documents += part.documents
            validations += part.validations
            differences += part.differences
        }
        // The texts of fewer than two symbols.
        if first == 0 {
            var short = ShortTexts(cutLength: cuts, rejectedLength: rejected)
            short.judge(beginningWith: [], upTo: min(length, 1))
            add(short)
        }
        if length > 1 {
            await withTaskGroup(of: ShortTexts.self) { group in
                let cores = ProcessInfo.processInfo.activeProcessorCount
                var waiting = (first...last).flatMap { one in (0..<count).map { [one, $0] } }[...]
                for _ in 0..<cores { next(&waiting, &group) }
                while let part = await group.next() {
                    add(part)
                    next(&waiting, &group)
                }
            }
        }
        func next(_ waiting: inout ArraySlice<[Int]>, _ group: inout TaskGroup<ShortTexts>) {
            guard let prefix = waiting.popFirst() else { return }
            group.addTask {
                var part = ShortTexts(cutLength: cuts, rejectedLength: rejected)
                part.judge(beginningWith: prefix, upTo: length)
                return part
            }
        }
        for difference in differences { print(difference) }
        print(
            "\(texts) texts of at most \(length) symbols, \(documents) documents, \(validations) validations,",
            "\(Int(Date().timeIntervalSince(start))) s,",
            differences.isEmpty ? "no difference" : "\(differences.count) differences")
        exit(differences.isEmpty ? 0 : 1)
    }

    private static func number(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }
}
