import Foundation
import Schemata

/// A fault of the checkout, with all that a report says about it.
struct Mutant: Sendable {
    let number: Int32
    /// The number that is recorded when a test reaches the fault.
    let reached: Int32
    /// The same for all builds in which the function with the fault has the same text.
    let key: String
    let folder: String
    let file: String
    let line: Int
    let lineText: String
    let kind: Fault.Kind
    /// The original text and the replacement.
    let change: String

    var place: String { "\(file):\(line)" }
}

extension Mutant {
    init(
        _ fault: Fault, of source: MutatedSource, reached: Int32, folder: String, file: String,
        occurrences: inout [String: Int]
    ) {
        let original = source.original(of: fault)
        let (body, offset) = source.context(of: fault)
        let start = "\(file)#\(String(hash(body), radix: 36))#\(offset)#\(fault.kind.rawValue)#\(fault.replacement)"
        occurrences[start, default: 0] += 1
        let count = occurrences[start] ?? 1
        self.init(
            number: fault.number, reached: reached, key: count == 1 ? start : "\(start)#\(count)", folder: folder,
            file: file,
            line: source.line(of: fault.range.lowerBound), lineText: source.lineText(of: fault.range.lowerBound),
            kind: fault.kind, change: Self.describe(original, fault.replacement))
    }

    /// The change in one line. A long original text is shortened.
    private static func describe(_ original: String, _ replacement: String) -> String {
        func short(_ text: String) -> String {
            let line = text.split(whereSeparator: \.isNewline).map(\.description).joined(separator: " ")
            let words = line.split(separator: " ").joined(separator: " ")
            if words.isEmpty { return "(nothing)" }
            return words.count <= 60 ? words : words.prefix(57) + "..."
        }
        return "\(short(original)) -> \(short(replacement))"
    }
}

/// FNV-1a. `Hasher` has another seed in each process.
func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}
