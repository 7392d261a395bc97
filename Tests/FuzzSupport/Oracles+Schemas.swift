import Sluice
import TestSupport

// A schema describes the documents that a decoder accepts, and those that an encoder writes.

extension Subject {
    /// Compares the verdict of the schema with that of the decoder.
    func findings(forSchemaOf text: [UInt8], _ options: FuzzOptions) -> [Finding] {
        guard !hasDuplicateKeys(text),
            let document = try? JSONModelDecoder().decode(JSONValue.self, from: text)
        else { return [] }
        let decoder = options.decoder()
        let encoder = options.encoder
        let schemas: (decoding: JSONValue, encoding: JSONValue)
        do {
            schemas = (try decoder.jsonSchema(of: T.self), try encoder.jsonSchema(of: T.self))
        } catch {
            return [Finding(kind: "a type has no schema", detail: "\(error)")]
        }
        let isValid = SchemaValidator(schemas.decoding).accepts(document)
        let value: T
        do throws(JSONModelError) { value = try decoder.decode(T.self, from: text) } catch {
            guard isValid, hasExactSchema, let issue = error.issues.first(where: { !isBeyondSchemas($0) }) else {
                return []
            }
            return [
                Finding(
                    kind: "a document is valid by the schema and refused: \(issue.kindName)",
                    detail: "\(issue)\n\(JSONModelEncoder().text(of: schemas.decoding))")
            ]
        }
        var findings: [Finding] = []
        if !isValid, hasExactSchema, !schemas.decoding.describesHook {
            let detail = JSONModelEncoder().text(of: schemas.decoding)
            findings.append(Finding(kind: "a decoded document is not valid by the schema", detail: detail))
        }
        if hasExactSchema, let written = try? encoder.encode(value, as: .value),
            !SchemaValidator(schemas.encoding).accepts(written)
        {
            let detail = "\(encoder.text(of: written))\n\(JSONModelEncoder().text(of: schemas.encoding))"
            findings.append(Finding(kind: "an encoded value is not valid by the schema", detail: detail))
        }
        return findings
    }
}

extension Subject {
    /// Whether the schema of the type does not state why a value is refused.
    private func isBeyondSchemas(_ issue: JSONIssue) -> Bool {
        if case .unknownKey = issue.kind, !statesUnknownKeys { return true }
        return issue.isBeyondSchemas
    }
}

extension JSONModelEncoder {
    fileprivate func text(of value: JSONValue) -> String { (try? encode(value, as: .string)) ?? "no text" }
}

extension JSONValue {
    /// Whether a schema contains the model of the pool whose hook replaces values of other types, which a schema does not describe.
    fileprivate var describesHook: Bool {
        let name: JSONValue = "Hooked"
        return self["title"] == name || self["$defs"]?["Hooked"] != nil
    }
}

extension JSONIssue {
    /// Whether a schema cannot state why a value is refused: by the code of the model, by a range that schemas state as numbers of
    /// limited precision, or by the other value of a key that is present twice under two names.
    fileprivate var isBeyondSchemas: Bool {
        switch kind {
        // The values of a dictionary that is coded by its conformance to `Codable`.
        case _ where path.components.contains(.key("by_corner")): true
        // The closure of this type accepts some scalars.
        case .typeMismatch(expected: "a code", _): true
        // A key of a case that does not apply, of one of two enums in the object of a model.
        case .unknownKey where model?.hasPrefix("Beacon") == true: true
        case .invalidPlan, .invalidValue, .invalidKey, .numberOutOfRange, .thrown, .limitExceeded, .duplicateKey:
            true
        default: false
        }
    }
}
