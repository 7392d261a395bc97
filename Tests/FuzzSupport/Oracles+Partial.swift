import Sluice
import TestSupport

// A partial value is a part of the whole value: all that is decoded to a model is decoded to the partial model.

extension Subject {
    func findings(forPartOf text: [UInt8], _ options: FuzzOptions) -> [Finding] {
        guard let type = T.self as? any PartlySampled.Type else { return [] }
        return Self.findings(type, text, options)
    }

    private static func findings<Whole: PartlySampled>(
        _ type: Whole.Type, _ text: [UInt8], _ options: FuzzOptions
    ) -> [Finding] {
        var decoder = options.decoder()
        let log = IssueLog()
        decoder.issueHandler = { log.add($0) }
        // A value that fails in the whole is left out, and may be a value of the part, which requires less.
        guard let whole = try? decoder.decode(type, from: text), log.issues.isEmpty else { return [] }
        decoder.issueHandler = nil
        let partial: Whole.Partial
        do throws(JSONModelError) { partial = try decoder.decode(Whole.Partial.self, from: text) } catch {
            return [Finding(kind: "a partial model refuses a document", detail: "\(error)")]
        }
        guard let whole = try? options.encoder.encode(whole, as: .value),
            let part = try? options.encoder.encode(partial, as: .value)
        else { return [] }
        guard let path = part.difference(from: whole) else { return [] }
        return [
            Finding(
                kind: "a partial value is not a part of the whole", detail: "\(JSONPath(path)): \(part) of \(whole)"
            )
        ]
    }
}

extension JSONValue {
    /// The path of the first value that is not part of another value; nil if all are.
    fileprivate func difference(from whole: JSONValue) -> [JSONPath.Component]? {
        switch (self, whole) {
        case (.object(let members), .object(let others)):
            for (key, member) in members {
                guard let other = others[key] else { return [.key(key)] }
                if let path = member.difference(from: other) { return [.key(key)] + path }
            }
            return nil
        case (.array(let elements), .array(let others)) where elements.count == others.count:
            for (index, (element, other)) in zip(elements, others).enumerated() {
                if let path = element.difference(from: other) { return [.index(index)] + path }
            }
            return nil
        default: return self == whole ? nil : []
        }
    }
}
