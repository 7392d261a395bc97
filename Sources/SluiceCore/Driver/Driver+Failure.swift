// The cold side: what is told of a failure, and the clean-up.

extension Driver {
    /// What the value at hand was to be.
    var expectation: String {
        if kind == .node { return nodeExpectation }
        return shape.pointee.shape._withUnsafeGuaranteedRef { $0.expectation }
    }

    private var nodeExpectation: String {
        let table = top.pointee.entry?.pointee.child ?? top.pointee.table
        return table?.pointee.form == .object ? "an object" : "an array"
    }

    /// An issue with the value at hand (or, if not `atValue`, with the container on top), still without a place.
    func issue(_ kind: JSONIssue.Kind, atValue: Bool = true) -> JSONIssue {
        var issue = JSONIssue(kind: kind, path: path(atValue: atValue))
        // The innermost field on the way; elements of arrays and dictionaries belong to theirs.
        var frame = top
        var isValue = atValue
        while true {
            if let table = frame.pointee.owner.pointee.table, let plan = table.pointee.plan?.takeUnretainedValue(),
                frame.pointee.form == .object || frame.pointee.form == .indexes
            {
                issue.model = plan.modelName
                if isValue, let entry = frame.pointee.entry, plan.fields.indices.contains(entry.pointee.field) {
                    let facts = plan.fields[entry.pointee.field]
                    issue.property = facts.name
                    issue.model = facts.modelName ?? plan.modelName
                }
                return issue
            }
            if frame == frames { return issue }
            frame -= 1
            isValue = true
        }
    }

    @inline(never)
    mutating func fail(_ kind: JSONIssue.Kind) -> Answer {
        failure = issue(kind)
        return .stop
    }

    @inline(never)
    mutating func fail(_ problem: JSONScalarProblem, found: String, text token: NumberToken?) -> Answer {
        let type = shape.pointee.shape._withUnsafeGuaranteedRef { $0.typeName }
        let text = token.map {
            String(decoding: UnsafeBufferPointer(start: $0.text, count: min($0.count, 80)), as: UTF8.self)
        }
        switch problem {
        case .mismatch: return fail(.typeMismatch(expected: expectation, found: found))
        case .outOfRange: return fail(.numberOutOfRange(type: type, text: text ?? "the number"))
        case .notAnInteger: return fail(.notAnInteger(type: type, text: text ?? "the number"))
        case .invalid(let why): return fail(.invalidValue(expected: expectation, reason: why))
        }
    }

    /// The model on top lacks required fields: all of them are named, and keys that look like one of them.
    @inline(never)
    mutating func failMissing(_ table: UnsafePointer<FieldTable>) -> Answer {
        let fields = table.pointee.fields
        var filled: Set<Int> = []
        forEachFilled(top) { filled.insert($0) }
        let missing = fields.indices.filter { fields[$0].isRequired && !filled.contains($0) }
        let keys = missing.map { fields[$0].paths.first?.description ?? fields[$0].name }
        var issue = issue(.missingKeys(keys), atValue: false)
        if missing.count == 1 { issue.property = fields[missing[0]].name }
        let unknown = unknownKeys.known(of: top.pointee.index)
        let hints = keys.compactMap { key in
            Spelling.nearest(to: key, among: unknown).map { "\"\($0)\" is there: is \"\(key)\" meant?" }
        }
        if !hints.isEmpty { issue.hint = hints.joined(separator: " ") }
        failure = issue
        return .stop
    }

    /// The key of an entry, as text.
    func name(of entry: UnsafePointer<FieldEntry>) -> String {
        guard entry.pointee.keyCount >= 0 else { return "[\(entry.pointee.elementIndex)]" }
        return String(
            decoding: UnsafeBufferPointer(start: entry.pointee.key, count: entry.pointee.keyCount), as: UTF8.self)
    }

    private func path(atValue: Bool) -> JSONPath {
        var path = JSONPath()
        var frame = frames
        while frame <= top {
            let isLast = frame == top
            switch frame.pointee.form {
            case .root: break
            case .object:
                if !isLast || atValue, let entry = frame.pointee.entry {
                    path.components.append(.key(name(of: entry)))
                }
            case .array:
                let end = isLast ? target : frame.pointee.cursor
                if !isLast || atValue {
                    path.components.append(
                        .index((end - frame.pointee.base) / frame.pointee.shape.pointee.runStride))
                }
            case .pairs:
                if frame.pointee.hasKey, let text = frame.pointee.shape.pointee.shape.takeUnretainedValue().keyText
                {
                    path.components.append(.key(text(frame.pointee.cursor)))
                }
            case .indexes, .every:
                if !isLast || atValue { path.components.append(.index(frame.pointee.index)) }
            }
            frame += 1
        }
        return path
    }

    // MARK: Clean-up

    /// Destroys all that is half made, from the top down.
    mutating func destroyOpen() {
        var isLast = true
        while top > frames {
            let frame = top
            let shape = frame.pointee.shape.pointee.shape.takeUnretainedValue()
            switch frame.pointee.form {
            case .object where frame.pointee.owner == frame:
                let fields = frame.pointee.table.unsafelyUnwrapped.pointee.fields
                forEachFilled(frame) { fields[$0].destroy(frame.pointee.base + fields[$0].offset) }
            case .array:
                let end = isLast ? target : frame.pointee.cursor
                let count = (end - frame.pointee.base) / frame.pointee.shape.pointee.runStride
                shape.destroyRun.unsafelyUnwrapped(frame.pointee.base, count)
            case .pairs:
                let count = (frame.pointee.cursor - frame.pointee.base) / frame.pointee.shape.pointee.runStride
                shape.destroyRun.unsafelyUnwrapped(frame.pointee.base, count)
                if frame.pointee.hasKey { shape.destroyKey.unsafelyUnwrapped(frame.pointee.cursor) }
            default: break
            }
            isLast = false
            top = frame - 1
        }
        if frames.pointee.mask & 1 != 0 {
            frames.pointee.shape.pointee.shape.takeUnretainedValue().destroy(frames.pointee.target, 1)
        }
    }
}

/// Which known word a misspelt one was meant to be.
enum Spelling {
    /// The candidate that differs least from `word`, if it differs little.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        let plain = normalised(word)
        let ranked = candidates.map { ($0, distance(plain, normalised($0))) }
        guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
        return best.1 <= max(1, plain.count / 3) && best.1 < plain.count ? best.0 : nil
    }

    /// Case and word separators are what differs most between conventions.
    private static func normalised(_ word: String) -> [UInt8] {
        word.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    }

    /// The number of bytes to insert, delete, replace or swap (optimal string alignment).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var rows = [[Int](repeating: 0, count: b.count + 1), Array(0...b.count), Array(0...b.count)]
        for i in 0..<a.count {
            rows = [rows[1], rows[2], [i + 1] + [Int](repeating: 0, count: b.count)]
            for j in 0..<b.count {
                var best = min(rows[1][j + 1] + 1, rows[2][j] + 1, rows[1][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[0][j - 1] + 1) }
                rows[2][j + 1] = best
            }
        }
        return rows[2][b.count]
    }
}
