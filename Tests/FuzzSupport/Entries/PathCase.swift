import Sluice
import TestSupport

/// A case of a path: its text, the values that it selects, and options that have the path.
struct PathCase {
    private let path: String
    private let subject: any FuzzSubject
    private let probe: FuzzProbe
    private let text: [UInt8]

    init(_ bytes: inout FuzzBytes) {
        path = bytes.text()
        subject = FuzzPool.subjects[bytes.below(FuzzPool.subjects.count)]
        let kind = bytes.below(6)
        var random = bytes.random()
        text = bytes.rest
        var options = FuzzOptions(&random)
        let paths = path.split(separator: " ").compactMap { try? JSONPath(parsing: String($0)) }
        switch kind {
        case 0: options.only = paths
        case 1: options.except = paths
        default: break
        }
        let action: FuzzProbe.Action =
            switch kind {
            case 0, 2: .decode(path: kind == 0 ? "" : path)
            case 3: .forEach(path: path)
            default: .encode
            }
        probe = FuzzProbe(action: action, options: options, cuts: FuzzProbe.cuts(&random))
    }

    func findings() -> [Finding] {
        let found = comparePath()
        return found.isEmpty ? subject.findings(for: probe, in: text) : found
    }

    private func comparePath() -> [Finding] {
        guard let path = try? JSONPath(parsing: path) else { return [] }
        guard let again = try? JSONPath(parsing: path.description), again == path else {
            return [
                Finding(kind: "the description of a path is another path", detail: "\(self.path.debugDescription)")
            ]
        }
        var strict = JSONModelDecoder()
        strict.duplicateKeys = .reject
        guard let document = try? strict.decode(JSONValue.self, from: text) else { return [] }
        let isWildcard = path.components.contains { $0 == .anyIndex || $0 == .anyKey }
        let expected = Self.values(at: path.components[...], in: document)
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            if !isWildcard {
                let value = try? decoder.decode(JSONValue.self, from: text, at: path)
                if value != expected.first {
                    return [finding("the value at a path", "\(source): \(value as Any), not \(expected)")]
                }
                continue
            }
            var values: [JSONValue] = []
            do {
                try decoder.forEach(JSONValue.self, in: text, at: path) { values.append($0) }
            } catch { continue }
            if values != expected {
                return [finding("the values at a path", "\(source): \(values), not \(expected)")]
            }
        }
        return []
    }

    /// The values at a path in a document, in the order of the document.
    private static func values(at steps: ArraySlice<JSONPath.Component>, in value: JSONValue) -> [JSONValue] {
        guard let step = steps.first else { return [value] }
        let selected: [JSONValue] =
            switch step {
            case .key(let key): value[key].map { [$0] } ?? []
            case .index(let index): value[index].map { [$0] } ?? []
            case .anyIndex: value.array ?? []
            case .anyKey: value.object.map { $0.map(\.value) } ?? []
            }
        return selected.flatMap { values(at: steps.dropFirst(), in: $0) }
    }

    private func finding(_ kind: String, _ detail: String) -> Finding {
        Finding(kind: kind, detail: "\(path.debugDescription), \(detail)\n\(String(decoding: text, as: UTF8.self))")
    }
}
