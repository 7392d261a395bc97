import Sluice
import TestSupport

extension Subject {
    /// A snapshot of a feed has the value that is decoded from the part of the document before, and that the only snapshot of another feed
    /// has. Values that are kept do not change.
    func compareSnapshots(_ probe: FuzzProbe, _ text: [UInt8]) -> [Finding] {
        guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return [] }
        for source in JSONModelDecoder.Source.allCases {
            var decoder = probe.options.decoder(from: source)
            // A full collection ends the parse.
            if case .collect = decoder.errorPolicy { decoder.errorPolicy = .collect(limit: .max) }
            for cut in probe.cuts {
                var feed = decoder.feed(of: T.self, framing: .concatenated)
                var prefix: [UInt8] = []
                // The last snapshot is kept, or all, or none.
                var kept: [(snapshot: JSONSnapshot<T>, value: T?, text: String?)] = []
                let limit = [0, 1, 40][((cut.first ?? 0) + cut.count) % 3]
                var shown = ShownValue()
                for piece in FuzzProbe.pieces(of: text, cut).prefix(40) {
                    prefix += piece
                    guard let elements = try? feed.push(piece), elements.isEmpty else { break }
                    let snapshot = feed.snapshot()
                    let value = snapshot.value
                    let text = value.map { Rendering.text(of: $0, .byMeaning) }
                    let changes = feed.changes()
                    if let difference = shown.apply(changes, value, probe.options.encoder) {
                        let detail =
                            "\(source), \(String(decoding: prefix, as: UTF8.self)):\n\(changes)\n\(difference)"
                        return [Finding(kind: "changes do not lead to the next value", detail: detail)]
                    }
                    for one in kept {
                        let now = one.value.map { Rendering.text(of: $0, .byMeaning) }
                        if now != one.text {
                            let detail = "\(source), \(now ?? "-")\nwas:\n\(one.text ?? "-")"
                            return [Finding(kind: "a kept value changes", detail: detail)]
                        }
                    }
                    if limit > 0 { kept = kept.suffix(limit - 1) + [(snapshot, value, text)] }
                    var other = decoder.feed(of: T.self, framing: .concatenated)
                    _ = try? other.push(prefix)
                    let only = other.snapshot()
                    let onlyText = only.value.map { Rendering.text(of: $0, .byMeaning) }
                    if text != onlyText || snapshot.openText != only.openText || snapshot.openPath != only.openPath
                    {
                        let shown = String(decoding: prefix, as: UTF8.self)
                        let detail = "\(source), \(shown):\n\(text ?? "-")\nalone:\n\(onlyText ?? "-")"
                        return [Finding(kind: "a snapshot depends on those before", detail: detail)]
                    }
                    // The first four bytes determine the encoding. A partial value lacks the text of an open string.
                    if prefix.count < 4 || snapshot.openText != nil { continue }
                    let partial = try? decoder.decodePartially(T.self, from: prefix)
                    let expected = partial?.value.map { Rendering.text(of: $0, .byMeaning) }
                    let found = text
                    if found != expected {
                        let shown = String(decoding: prefix, as: UTF8.self)
                        let detail = "\(source), \(shown):\n\(found ?? "-")\nin part:\n\(expected ?? "-")"
                        return [Finding(kind: "a snapshot differs from the partial value", detail: detail)]
                    }
                }
            }
        }
        return []
    }
}

/// The JSON of a value of which a reader has seen all changes.
private struct ShownValue {
    private var json: JSONValue?

    /// Applies changes to the last value.
    ///
    /// - Returns: How the result differs from the next value; nil if it does not.
    mutating func apply<T: JSONConvertible>(
        _ changes: [JSONChange], _ value: T?, _ encoder: JSONModelEncoder
    ) -> String? {
        var next: JSONValue?
        if let value {
            // A value that cannot be encoded is not compared.
            guard let encoded = try? encoder.encode(value, as: .value) else { return nil }
            next = encoded
        }
        defer { json = next }
        var (old, began) = (json, Set<JSONPath>())
        for change in changes {
            let path = change.path.components[...]
            switch change.kind {
            case .text(let text):
                guard case .string(let last)? = json?[path], !began.contains(change.path) else { break }
                if case .string(let new)? = next?[path], new != last + text { return "\(last) + \(text)" }
            case .elements(let range):
                guard case .array(let last)? = json?[path], !began.contains(change.path) else { break }
                if range.lowerBound < last.count - 1 { return "\(last.count) + \(range)" }
            case .began, .completed, .replaced, .removed: began.insert(change.path)
            }
            old = JSONValue.replacing(path, of: old, by: next)
        }
        return old?.sorted == next?.sorted ? nil : "\(old as Any)\nnext:\n\(next as Any)"
    }
}

extension JSONValue {
    fileprivate subscript(path: ArraySlice<JSONPath.Component>) -> JSONValue? {
        guard let step = path.first else { return self }
        return self[step]?[path.dropFirst()]
    }

    private subscript(step: JSONPath.Component) -> JSONValue? {
        switch (step, self) {
        case (.key(let key), .object(let object)): object[key]
        case (.index(let index), .array(let elements)): index < elements.count ? elements[index] : JSONValue?.none
        default: nil
        }
    }

    /// Replaces the part at a path by that of another value.
    fileprivate static func replacing(
        _ path: ArraySlice<JSONPath.Component>, of old: JSONValue?, by new: JSONValue?
    ) -> JSONValue? {
        guard let step = path.first else { return new }
        switch (step, old, new) {
        case (.key(let key), .object(var object), .object(let other)):
            object[key] = replacing(path.dropFirst(), of: object[key], by: other[key])
            return .object(object)
        case (.index(let index), .array(var elements), .array(let others)):
            let element = replacing(
                path.dropFirst(), of: index < elements.count ? elements[index] : JSONValue?.none,
                by: index < others.count ? others[index] : JSONValue?.none)
            if index < elements.count {
                if let element { elements[index] = element } else { elements.removeSubrange(index...) }
            } else if let element {
                // The elements before have changes of their own.
                elements += others[elements.count..<index] + [element]
            }
            return .array(elements)
        default: return new
        }
    }

    /// The value with its arrays in an order of their own, because sets have none.
    fileprivate var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted).sorted { "\($0)" < "\($1)" })
        case .object(let object):
            .object(JSONObject(object.map { ($0.key, $0.value.sorted) }.sorted { $0.0 < $1.0 }))
        default: self
        }
    }
}
