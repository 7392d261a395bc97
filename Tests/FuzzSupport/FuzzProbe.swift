import Foundation
import Sluice
import TestSupport

/// One call on a decoder, made from every source and in several cuts.
struct FuzzProbe: CustomStringConvertible {
    enum Action {
        case decode(path: String)
        case decodePartially
        case decodeValue
        /// The value is encoded and decoded again.
        case encode
        case forEach(path: String)
        /// The document is merged into what `base` is decoded to.
        case merge(base: [UInt8], JSONMergeOptions.Nulls, JSONMergeOptions.Nested)
    }

    let action: Action
    let options: FuzzOptions
    /// The sizes of the pieces of each cut, repeated to the end of the document.
    let cuts: [[Int]]

    var description: String {
        let name =
            switch action {
            case .decode(let path): path.isEmpty ? "decode" : "decode at '\(path)'"
            case .decodePartially: "decodePartially"
            case .decodeValue: "decode(, from: )"
            case .encode: "encode, decode"
            case .forEach(let path): "forEach at '\(path)'"
            case .merge(let base, let nulls, let nested):
                "merge, nulls .\(nulls), nested .\(nested), into \(String(decoding: base, as: UTF8.self))"
            }
        return "\(name), \(options)"
    }

    static func cuts(_ random: inout SeededRandom) -> [[Int]] {
        [[random.pick([1, 2, 3, 7])], (0..<5).map { _ in 1 + random.below(random.pick([4, 16, 64])) }]
    }

    static func pieces(of text: [UInt8], _ sizes: [Int]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < text.count {
            let end = min(start + sizes[pieces.count % sizes.count], text.count)
            pieces.append(Array(text[start..<end]))
            start = end
        }
        return pieces
    }
}

/// The processor time that a call may take. Generous: only a cost that is out of all proportion exceeds the bound.
enum TimeBound {
    static func bound(bytes: Int) -> Duration {
        #if DEBUG
        .milliseconds(500 + 2 * bytes)
        #else
        .milliseconds(50) + .microseconds(50 * bytes)
        #endif
    }
}

/// A type of the pool, with the oracles that judge what is decoded to it.
protocol FuzzSubject: Sendable {
    var name: String { get }
    func sample(_ sampler: Sampler) -> JSONNode
    /// What is wrong with the outcome of a call, whatever the document is.
    func findings(for probe: FuzzProbe, in text: [UInt8]) -> [Finding]
    /// Why a document that must be accepted is not.
    func refusals(of probe: FuzzProbe, in text: [UInt8]) -> [Finding]
    /// What changes with the order of members. The document has no duplicate keys.
    func findings(forOrderOf node: JSONNode, _ options: FuzzOptions, _ random: inout SeededRandom) -> [Finding]
    /// What the sources disagree on if a byte of the syntax changes.
    func findings(forSyntaxOf text: [UInt8], _ probe: FuzzProbe, _ random: inout SeededRandom) -> [Finding]
    /// How the verdict of the type's schema differs from that of the decoder.
    func findings(forSchemaOf text: [UInt8], _ options: FuzzOptions) -> [Finding]
    /// How the value of the partial type, if any, differs from the value of the type.
    func findings(forPartOf text: [UInt8], _ options: FuzzOptions) -> [Finding]
}

struct Subject<T: Sampled & JSONConvertible>: FuzzSubject {
    let name: String
    let roundTrips: Bool
    /// Whether the schema of the type states all that is refused.
    var hasExactSchema = true
    /// Whether the schema states all keys that are refused. A schema does not state those of enums in the object of a model.
    var statesUnknownKeys = true
    /// Whether several parts of a model read the same members, so that each of them reports their issues.
    var sharesMembers = T.self is any SharedMembers.Type
    private let makeSample: (@Sendable (Sampler) -> JSONNode)?

    init(_ type: T.Type) {
        name = "\(type)"
        roundTrips = T.roundTrips
        makeSample = nil
    }

    /// A subject of other documents than those of its type.
    init(_ type: T.Type, _ documents: String, sample: @escaping @Sendable (Sampler) -> JSONNode) {
        name = "\(type) \(documents)"
        roundTrips = T.roundTrips
        makeSample = sample
    }

    func sample(_ sampler: Sampler) -> JSONNode { makeSample?(sampler) ?? sampler.value(T.self) }
}
