import Sluice
import TestSupport

// The oracle of RFC 7396: what a merge makes of a value is decoded from the value's JSON with the patch applied.

extension Subject {
    /// Further keys of the pool's properties. A merge takes each for the property; to a patch they are keys of their own.
    private static var furtherKeys: Set<String> {
        ["label", "number", "second", "last", "title", "hex", "text", "alt"]
    }

    func compareMergePatch(_ probe: FuzzProbe, _ text: [UInt8], _ base: [UInt8]) -> [Finding] {
        guard roundTrips, probe.options.acceptsValidDocuments, !hasDuplicateKeys(text) else { return [] }
        let plain = probe.options.baseDecoder
        let log = IssueLog()
        var decoder = probe.options.decoder()
        decoder.issueHandler = { log.add($0) }
        guard var value = try? plain.decode(T.self, from: base),
            let encoded = try? probe.options.encoder.encode(value),
            let target = try? JSONModelDecoder().decode(JSONValue.self, from: encoded),
            let patch = try? JSONModelDecoder().decode(JSONValue.self, from: text)
        else { return [] }
        if patch.hasKey(in: Self.furtherKeys) { return [] }
        return compare(target.applying(patch), decoder, log, "a merge") { (decoder) throws(JSONModelError) in
            try decoder.merge(text, into: &value, options: .mergePatch)
            return value
        }
    }

    /// A patch of nil is the patch without its nulls: RFC 7396 begins with an empty object.
    func compareMergeIntoNil(_ probe: FuzzProbe, _ text: [UInt8]) -> [Finding] {
        guard roundTrips, probe.options.acceptsValidDocuments, !hasDuplicateKeys(text) else { return [] }
        let log = IssueLog()
        var decoder = probe.options.decoder()
        decoder.issueHandler = { log.add($0) }
        guard let patch = try? JSONModelDecoder().decode(JSONValue.self, from: text), case .object = patch else {
            return []
        }
        var value: T?
        return compare(JSONValue.null.applying(patch), decoder, log, "a merge into nil") {
            (decoder) throws(JSONModelError) in
            try decoder.merge(text, into: &value, options: .mergePatch)
            return value
        }
    }

    /// Compares the result of a merge with the value of the patched JSON.
    private func compare(
        _ patched: JSONValue, _ decoder: JSONModelDecoder, _ log: IssueLog, _ name: String,
        merge: (JSONModelDecoder) throws(JSONModelError) -> T?
    ) -> [Finding] {
        let patched = patched.description
        let expected = outcome(of: Array(patched.utf8), decoder)
        var result = FuzzResult()
        do throws(JSONModelError) {
            result.value = try merge(decoder).map { Rendering.text(of: $0, .byMeaning) }
        } catch {
            result.issues = error.issues
        }
        let isIgnored = result.issues.contains { issue in
            switch issue.kind {
            // An unknown key of the patch is refused, also where its value is null.
            case .unknownKey: true
            // The patch has no repeated keys. A key that is canonically equivalent to another is the same key of a dictionary.
            case .duplicateKey: true
            default: false
            }
        }
        // A member that is dropped leaves the one before.
        if isIgnored || result.value == expected.value || !log.issues.isEmpty { return [] }
        let detail = "\(result.summary)\nbut by RFC 7396:\n\(expected.summary)\nof\n\(patched)"
        return [Finding(kind: "\(name) differs from RFC 7396", detail: detail)]
    }
}

extension JSONValue {
    /// Whether an object in the value has one of some keys.
    fileprivate func hasKey(in keys: Set<String>) -> Bool {
        switch self {
        case .object(let members): members.contains { keys.contains($0) || $1.hasKey(in: keys) }
        case .array(let elements): elements.contains { $0.hasKey(in: keys) }
        default: false
        }
    }

    /// RFC 7396, section 2.
    fileprivate func applying(_ patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = JSONObject()
        if case .object(let known) = self { members = known }
        for (key, change) in changes {
            // A literal nil would be a null.
            if change == .null {
                members.removeValue(forKey: key)
            } else {
                members[key] = (members[key] ?? .null).applying(change)
            }
        }
        return .object(members)
    }
}
