import Sluice
import SluiceCore
import TestSupport

// Oracles that hold for any document: the outcome does not depend on the source or the cut, issues are located in the
// document, elements are not lost, a failed merge changes nothing, the time is bounded, and no instance leaks.

extension Subject {
    func findings(for probe: FuzzProbe, in text: [UInt8]) -> [Finding] {
        collect(probe, text) + leaks()
    }

    /// Whether instances are still alive when all values are gone. The count starts again.
    func leaks() -> [Finding] {
        let live = FuzzInstances.instances.takeLive()
        if live == 0 { return [] }
        return [Finding(kind: live > 0 ? "leak" : "released twice", detail: "\(live) live instances")]
    }

    private func collect(_ probe: FuzzProbe, _ text: [UInt8]) -> [Finding] {
        var findings: [Finding] = []
        var reference: FuzzResult?
        for source in JSONModelDecoder.Source.allCases {
            for way in Self.ways(of: probe, text) {
                var (result, time) = run(probe, text, source, way)
                if case .silent = way { result.reported = reference?.reported ?? [] }
                if time > TimeBound.bound(bytes: text.count) {
                    time = min(time, run(probe, text, source, way).time)
                    if time > TimeBound.bound(bytes: text.count) {
                        findings.append(Finding(kind: "time", detail: "\(text.count) bytes took \(time)"))
                        return findings
                    }
                }
                guard let known = reference else {
                    reference = result
                    continue
                }
                if let (aspect, one, other) = result.difference(from: known) {
                    findings.append(
                        Finding(
                            kind: "sources or cuts disagree: \(aspect)",
                            detail: "\(source), \(way):\n\(one)\nbut first:\n\(other)"))
                    return findings
                }
            }
        }
        guard let reference else { return findings }
        for issue in reference.issues + reference.reported {
            if let fault = issue.locationFault(in: text) {
                findings.append(Finding(kind: "location", detail: "\(fault): \(FuzzResult.text(issue))"))
                break
            }
        }
        for (name, issues) in [("thrown", reference.issues), ("reported", reference.reported)]
        where !sharesMembers {
            var known: Set<String> = []
            if let twice = issues.map(FuzzResult.text).first(where: { !known.insert($0).inserted }) {
                findings.append(Finding(kind: "an issue is \(name) twice", detail: twice))
            }
        }
        switch probe.action {
        case .decodeValue: findings += compareValue(probe, text, reference)
        case .decodePartially:
            findings +=
                comparePartial(probe, text, reference) + compareSnapshots(probe, text) + comparePrefix(probe, text)
        case .encode: findings += compareEncoded(probe, text)
        case .forEach(let path): findings += compareElements(probe, text, path, reference)
        case .merge(let base, let nulls, let nested):
            findings += mergeItself(probe, base, nulls, nested)
            if nulls == .clear, nested == .merge {
                findings += compareMergePatch(probe, text, base) + compareMergeIntoNil(probe, text)
            }
        case .decode: break
        }
        if let torn = reference.elements.first, case .merge = probe.action {
            findings.append(Finding(kind: "a failed merge changed the value", detail: torn))
        }
        return findings
    }

    /// A way to pass the text to a decoder.
    private enum Way: CustomStringConvertible {
        case whole
        case pieces([Int])
        /// Without an examination of containers before their tokens, so that values are recorded.
        case recorded
        /// Without a receiver of issues, so that cases of untagged enums are tried before a value is recorded.
        case silent
        /// Several threads, which each decode a number of bytes at a time.
        case threads(batchSize: Int)

        var description: String {
            switch self {
            case .whole: "whole"
            case .pieces(let cut): "in pieces of \(cut)"
            case .recorded: "recorded"
            case .silent: "without a receiver of issues"
            case .threads(let batchSize): "by three threads in batches of \(batchSize)"
            }
        }
    }

    private static func ways(of probe: FuzzProbe, _ text: [UInt8]) -> [Way] {
        var ways = [.whole, .recorded, .silent] + probe.usableCuts.map { Way.pieces($0) }
        switch probe.action {
        case .decode, .forEach:
            ways += [text.count / 24, text.count / 5].map { .threads(batchSize: $0 + 1) }
        default: break
        }
        return ways
    }

    /// Makes the call once with the whole text, or in pieces.
    func run(
        _ probe: FuzzProbe, _ text: [UInt8], _ source: JSONModelDecoder.Source, _ cut: [Int]?
    ) -> (result: FuzzResult, time: Duration) {
        run(probe, text, source, cut.map { .pieces($0) } ?? .whole)
    }

    /// Makes the call once.
    private func run(
        _ probe: FuzzProbe, _ text: [UInt8], _ source: JSONModelDecoder.Source, _ way: Way
    ) -> (result: FuzzResult, time: Duration) {
        let log = IssueLog()
        var decoder = probe.options.decoder(from: source)
        if case .threads(let batchSize) = way {
            decoder.workers = .exactly(3)
            decoder.workers.batchSize = batchSize
        }
        switch way {
        case .silent: break
        case .recorded:
            decoder.options.looksAhead = false
            fallthrough
        default: decoder.issueHandler = { log.add($0) }
        }
        var result = FuzzResult()
        let start = ThreadTime.now
        var time = Duration.zero
        do throws(JSONModelError) {
            switch probe.action {
            case .decode(let path):
                let value: T
                if case .pieces(let cut) = way {
                    value = try decoder.decode(
                        T.self, from: .chunks(FuzzProbe.pieces(of: text, cut)), at: JSONPath(parsing: path))
                } else {
                    value = try decoder.decode(T.self, from: text, at: JSONPath(parsing: path))
                }
                time = ThreadTime.now - start
                // A lazy value reports what it finds when it is rendered.
                result.reported = log.issues
                result.value = Rendering.text(of: value)
            case .decodePartially:
                let partial = try decoder.decodePartially(T.self, from: text)
                time = ThreadTime.now - start
                result.reported = log.issues
                result.value = partial.value.map { Rendering.text(of: $0) } ?? "no value"
                result.issues = partial.issues
            case .decodeValue, .encode:
                let value = try decoder.decode(T.self, from: text)
                time = ThreadTime.now - start
                result.reported = log.issues
                result.value = Rendering.text(of: value, .byMeaning)
            case .forEach(let path):
                let count = try decoder.forEach(T.self, in: text, at: JSONPath(parsing: path)) {
                    let element = $0
                    result.elements.append(log.ignoring { Rendering.text(of: element, .alone) })
                }
                result.reported = log.issues
                // The body renders, which is not the decoder's time.
                result.value = "\(count) elements"
            case .merge(let base, let nulls, let nested):
                guard var value = try? probe.options.baseDecoder.decode(T.self, from: base) else {
                    result.value = "no base"
                    break
                }
                let before = Rendering.text(of: value)
                let start = ThreadTime.now
                do throws(JSONModelError) {
                    try decoder.merge(text, into: &value, options: JSONMergeOptions(nulls: nulls, nested: nested))
                } catch {
                    let after = Rendering.text(of: value)
                    if after != before { result.elements = ["before: \(before)\nafter:  \(after)"] }
                    throw error
                }
                time = ThreadTime.now - start
                result.reported = log.issues
                result.value = Rendering.text(of: value)
            }
        } catch {
            result.issues = error.issues
            result.reported = log.issues
            time = max(time, ThreadTime.now - start)
        }
        return (result, time)
    }

    // MARK: Other ways to the same outcome

    /// A `JSONValue` is decoded as its text is.
    private func compareValue(_ probe: FuzzProbe, _ text: [UInt8], _ known: FuzzResult) -> [Finding] {
        guard !T.isOrdered, probe.options.acceptsValidDocuments, !hasDuplicateKeys(text),
            let tree = try? JSONModelDecoder().decode(JSONValue.self, from: text)
        else { return [] }
        let decoder = probe.options.decoder()
        var result = FuzzResult()
        do throws(JSONModelError) {
            result.value = Rendering.text(of: try decoder.decode(T.self, from: tree), .byMeaning)
        } catch {
            result.issues = error.issues
        }
        if let issue = result.issues.first(where: { $0.location.line != 0 }) {
            return [Finding(kind: "an issue of a JSONValue has a line", detail: "\(issue)")]
        }
        if result.value != known.value {
            let detail = "from the value:\n\(result.summary)\nfrom the text:\n\(known.summary)"
            return [Finding(kind: "a value differs from its text", detail: detail)]
        }
        return []
    }

    /// What is accepted as a whole is the same in part.
    private func comparePartial(_ probe: FuzzProbe, _ text: [UInt8], _ known: FuzzResult) -> [Finding] {
        let whole = run(probe.with(.decode(path: "")), text, JSONModelDecoder().source, nil).result
        guard let value = whole.value, value != known.value || !known.issues.isEmpty else { return [] }
        let detail = "\(value)\nin part:\n\(known.value ?? "-")\n\(known.issues)"
        return [Finding(kind: "a partial value differs from the whole one", detail: detail)]
    }

    /// A value stays the same where what it is encoded to, or nothing, is merged into it.
    private func mergeItself(
        _ probe: FuzzProbe, _ base: [UInt8], _ nulls: JSONMergeOptions.Nulls,
        _ nested: JSONMergeOptions.Nested
    ) -> [Finding] {
        let decoder = probe.options.baseDecoder
        guard roundTrips, var value = try? decoder.decode(T.self, from: base),
            let encoded = try? probe.options.encoder.encode(value)
        else { return [] }
        // A null removes a key from a dictionary of optionals.
        if nulls == .clear, String(decoding: encoded, as: UTF8.self).contains("null") { return [] }
        // A merge keeps one value of a repeated key.
        if Rendering.keepsText(Rendering.text(of: value)), hasDuplicateKeys(base) { return [] }
        let before = Rendering.text(of: value, .byMeaning)
        do {
            try decoder.merge(encoded, into: &value, options: JSONMergeOptions(nulls: nulls, nested: nested))
        } catch {
            return [Finding(kind: "a value cannot be merged into itself", detail: "\(before)\n\(error)")]
        }
        let after = Rendering.text(of: value, .byMeaning)
        if after == before { return [] }
        return [Finding(kind: "merged into itself, a value changes", detail: "\(before)\nafter:\n\(after)")]
    }

    /// What is encoded is JSON, and is decoded to the same value.
    private func compareEncoded(_ probe: FuzzProbe, _ text: [UInt8]) -> [Finding] {
        guard probe.options.acceptsValidDocuments else { return [] }
        let decoder = probe.options.decoder()
        guard let value = try? decoder.decode(T.self, from: text) else { return [] }
        let encoded: [UInt8]
        do { encoded = try probe.options.encoder.encode(value) } catch {
            return roundTrips ? [Finding(kind: "a value is not encoded", detail: "\(error)")] : []
        }
        do { try JSONModelDecoder().validate(encoded) } catch {
            return [Finding(kind: "what is encoded is no JSON", detail: "\(error)")]
        }
        var whole = probe.options.encoder
        whole.nullStrategy = .write
        let all = (try? whole.encode(value)).flatMap { try? JSONModelDecoder().decode(JSONValue.self, from: $0) }
        for (only, except) in [
            ([], nil), (nil, FuzzOptions.paths), (FuzzOptions.paths, nil), (nil, probe.options.except),
            (probe.options.except, nil),
        ] as [([JSONPath]?, [JSONPath]?)] {
            var encoder = probe.options.encoder
            (encoder.only, encoder.except) = (only, except)
            encoder.nullStrategy = .write
            guard let some = try? encoder.encode(value) else { continue }
            let shown = String(decoding: some, as: UTF8.self)
            guard let part = try? JSONModelDecoder().decode(JSONValue.self, from: some) else {
                return [Finding(kind: "what is encoded in part is no JSON", detail: shown)]
            }
            if let all, !sharesMembers, !part.isPart(of: all) {
                let paths = "only \(only?.description ?? "-"), except \(except?.description ?? "-")"
                return [
                    Finding(kind: "what is encoded in part is not part of the whole", detail: "\(shown)\n\(paths)")
                ]
            }
        }
        // JSON that is kept as text is written as it was read.
        let keepsDuplicates = Rendering.keepsText(Rendering.text(of: value)) && hasDuplicateKeys(text)
        if !keepsDuplicates, hasDuplicateKeys(encoded) {
            let shown = String(decoding: encoded, as: UTF8.self)
            return [Finding(kind: "a key is encoded twice", detail: shown)]
        }
        let known = Rendering.text(of: value, .byMeaning)
        let again = outcome(of: encoded, decoder)
        if !roundTrips || again.value == known { return [] }
        let shown = String(decoding: encoded, as: UTF8.self)
        return [
            Finding(
                kind: "what is encoded is decoded to another value",
                detail: "\(known)\nencoded:\n\(shown)\ndecoded:\n\(again.summary)")
        ]
    }

    func hasDuplicateKeys(_ text: [UInt8]) -> Bool {
        var decoder = JSONModelDecoder()
        decoder.duplicateKeys = .reject
        return (try? decoder.decode(JSONValue.self, from: text)) == nil
    }

    /// Elements are decoded as each of them is alone: by `forEach`, partially, and in a lossy array.
    private func compareElements(
        _ probe: FuzzProbe, _ text: [UInt8], _ path: String, _ known: FuzzResult
    ) -> [Finding] {
        guard probe.options.acceptsValidDocuments else { return [] }
        let decoder = probe.options.decoder()
        // A duplicate key outside of the elements ends the stream.
        if decoder.duplicateKeys == .reject, hasDuplicateKeys(text) { return [] }
        var alone: [String?] = []
        do {
            try JSONModelDecoder().forEach(JSONRaw.self, in: text, at: JSONPath(parsing: path)) { raw in
                let value = try? decoder.decode(T.self, from: raw.bytes)
                alone.append(value.map { Rendering.text(of: $0, .alone) })
            }
        } catch { return [] }
        let complete: [String]
        switch decoder.errorPolicy {
        case .first: complete = alone.prefix { $0 != nil }.compactMap { $0 }
        case .collect(.max): complete = alone.compactMap { $0 }
        case .collect: return []
        }
        var first: [String] = []
        let wanted = complete.count / 2 + 1
        _ = try? decoder.forEach(T.self, in: text, at: JSONPath(parsing: path)) {
            first.append(Rendering.text(of: $0, .alone))
            return first.count == wanted ? .stop : .continue
        }
        if first != Array(known.elements.prefix(wanted)) {
            return [
                Finding(kind: "forEach that is stopped differs", detail: "\(first)\nto the end:\n\(known.elements)")
            ]
        }
        if known.elements != complete {
            return [
                Finding(
                    kind: "forEach differs from each element alone",
                    detail: "\(known.elements)\nalone:\n\(complete)\nissues:\n\(known.issues)")
            ]
        }
        // A partial container drops what is wrong inside of its elements' containers too.
        let isArray = text.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "[")
        guard path == "[*]", isArray, T.self is any JSONModel.Type else { return [] }
        let kept = alone.compactMap { $0 }
        var findings: [Finding] = []
        do {
            let partial = try decoder.decodePartially([T].self, from: text)
            let values = partial.value.map { $0.map { Rendering.text(of: $0, .alone) } }
            if values != kept {
                findings.append(
                    Finding(
                        kind: "decodePartially differs from each element alone",
                        detail: "\(values ?? [])\nalone:\n\(kept)\nissues:\n\(partial.issues)"))
            }
            let log = IssueLog()
            var reporting = decoder
            reporting.issueHandler = { log.add($0) }
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let array = text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text
            let lossy = try reporting.decode(LossyArray<T>.self, from: Array(#"{"list":"#.utf8) + array + [0x7D])
            let list = lossy.list.map { Rendering.text(of: $0, .alone) }
            if list != kept {
                findings.append(
                    Finding(
                        kind: "a lossy array differs from each element alone",
                        detail: "\(list)\nalone:\n\(kept)\nreported:\n\(log.issues)"))
            } else if Set(log.issues.compactMap(\.elementIndex)).count < alone.count - kept.count {
                findings.append(Finding(kind: "a dropped element is not reported", detail: "\(log.issues)"))
            }
        } catch {
            findings.append(Finding(kind: "dropped elements are thrown", detail: "\(error)"))
        }
        return findings
    }
}

extension JSONValue {
    /// Whether every member of the value is one of another value. Null is part of anything.
    fileprivate func isPart(of whole: JSONValue) -> Bool {
        switch (self, whole) {
        case (.null, _): true
        case (.object(let members), .object(let all)):
            members.allSatisfy { key, value in all[key].map(value.isPart(of:)) ?? false }
        case (.array(let elements), .array(let all)):
            elements.count <= all.count && zip(elements, all).allSatisfy { $0.isPart(of: $1) }
        // The names of cases and the JSON in strings are made of parts.
        case (.string, .string): true
        default: self == whole
        }
    }
}

/// A lossy array of any type of the pool.
private struct LossyArray<T: JSONConvertible>: JSONModel {
    let list: [T]
    static var plan: ModelPlan<LossyArray> { .shared { ModelPlan(JSONField(\.list, key: "list").lossy()) } }
}

extension FuzzProbe {
    fileprivate func with(_ action: Action) -> FuzzProbe { FuzzProbe(action: action, options: options, cuts: cuts) }

    /// Only `decode` takes pieces.
    fileprivate var usableCuts: [[Int]] { if case .decode = action { cuts } else { [] } }
}

extension FuzzOptions {
    /// The decoder that makes what is merged into.
    var baseDecoder: JSONModelDecoder {
        var plain = self
        plain.only = nil
        plain.limits = JSONLimits()
        plain.errors = .first
        return plain.decoder()
    }
}

extension JSONIssue {
    /// The index of the element that the issue is about.
    var elementIndex: Int? {
        for component in path.components { if case .index(let index) = component { return index } }
        return nil
    }

    /// Why the location cannot be that of a place in the document, or nil.
    fileprivate func locationFault(in text: [UInt8]) -> String? {
        switch kind {
        case .invalidPlan, .invalidPath, .unreadable, .unsupportedLibrary: return nil
        // Text that begins like compressed data. The offset is that of the compressed data, which has no lines.
        case .unsupportedCompression, .truncatedCompression, .corruptCompression, .limitExceeded(.expansion, _):
            return nil
        default: break
        }
        let (offset, line, column) = (location.offset, location.line, location.column)
        guard line > 0 else { return "no line" }
        guard (0...text.count).contains(offset) else { return "beyond the document" }
        let before = text[..<offset]
        let lineFeed = UInt8(ascii: "\n")
        let expectedLine = 1 + before.count { $0 == lineFeed }
        if line != expectedLine { return "line \(line), not \(expectedLine)" }
        let mark = text.starts(with: [0xEF, 0xBB, 0xBF]) && expectedLine == 1 ? min(3, offset) : 0
        let expectedColumn = offset - (before.lastIndex(of: lineFeed).map { $0 + 1 } ?? mark) + 1
        if column != expectedColumn { return "column \(column), not \(expectedColumn)" }
        let isEmptyLine = column == 1 && (offset == text.count || text[offset] < 0x20)
        // JSON in a string has an excerpt of its own, which is empty where the string, or its last line, is.
        let isCutOff = kind == .emptyInput || kind == .unexpectedEnd
        if excerpt.isEmpty, !isEmptyLine, !isCutOff { return "no excerpt" }
        return nil
    }
}
