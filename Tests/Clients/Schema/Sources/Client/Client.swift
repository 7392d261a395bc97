// Decodes and encodes documents for a judge. Without an argument, standard input has a question in each line, and standard output
// has the answers in the same order. With the argument `schemas`, the schemas of all subjects are printed.
import Sluice

/// A document for a subject.
struct Question: Decodable {
    let subject: String
    let document: String
}

/// The result of decoding a document, and of encoding the value.
struct Answer: Encodable {
    /// The kind of the first issue; nil if the document was accepted.
    var kind: String?
    var error: String?
    /// The JSON of the value; nil if the document was rejected, or if the value has no JSON.
    var encoded: String?
    var encodingError: String?
}

/// The schemas of a subject.
struct Schemas: JSONModel {
    let decoding: JSONValue
    let encoding: JSONValue
    let strict: JSONValue?
    let tool: JSONValue?
    let gemini: JSONValue?

    static let plan = ModelPlan<Schemas>(
        JSONField(\.decoding), JSONField(\.encoding), JSONField(\.strict), JSONField(\.tool), JSONField(\.gemini))
}

/// A type with the options of a decoder and an encoder.
struct Subject: Sendable {
    let name: String
    let schemas: @Sendable () throws -> Schemas
    let answer: @Sendable (String) -> Answer

    init<T: JSONConvertible & SendableMetatype>(_ type: T.Type, _ variant: Variant, named name: String? = nil) {
        self.name = "\(name ?? String(describing: type))/\(variant.name)"
        schemas = {
            // A type without a schema of the form states the reason.
            func schema(_ form: JSONSchemaForm) -> JSONValue? { try? variant.decoder.jsonSchema(of: type, form) }
            return try Schemas(
                decoding: variant.decoder.jsonSchema(of: type), encoding: variant.encoder.jsonSchema(of: type),
                strict: schema(.strict), tool: schema(.tool), gemini: schema(.gemini))
        }
        answer = { document in
            let value: T
            do throws(JSONModelError) { value = try variant.decoder.decode(type, from: document) } catch {
                let issue = error.issues[0]
                let kind = String("\(issue.kind)".prefix { $0 != "(" })
                return Answer(kind: kind, error: issue.description)
            }
            do throws(JSONModelError) {
                return Answer(encoded: try variant.encoder.encode(value, as: .string))
            } catch {
                return Answer(encodingError: error.description)
            }
        }
    }
}

/// The options of a decoder and an encoder.
struct Variant: Sendable {
    let name: String
    var decoder = JSONModelDecoder()
    var encoder = JSONModelEncoder()

    init(_ name: String, _ change: (inout Variant) -> Void = { _ in }) {
        self.name = name
        change(&self)
    }

    static let plain = Variant("plain")
    static let lenient = Variant("lenient") { $0.decoder.coercion = .lenient }
    static let mjExtension = Variant("mjExtension") { $0.decoder.coercion = .mjExtension }
    static let rejecting = Variant("rejecting") { $0.decoder.unknownKeys = .reject }
    static let snakeCase = Variant("snakeCase") {
        $0.decoder.keyStrategy = .snakeCase
        $0.encoder.keyStrategy = .snakeCase
    }
    static let nulls = Variant("nulls") {
        $0.encoder.nullStrategy = .write
        $0.decoder.dateStrategy = .secondsSince1970
        $0.encoder.dateStrategy = .secondsSince1970
    }
    static let all: [Variant] = [.plain, .lenient, .mjExtension, .rejecting, .snakeCase, .nulls]
}

@main enum Client {
    static func main() throws {
        let subjects = Subject.all
        if CommandLine.arguments.contains("schemas") {
            var schemas = JSONObject()
            for subject in subjects {
                schemas[subject.name] = try JSONModelEncoder().encode(subject.schemas(), as: .value)
            }
            try JSONModelEncoder().write(JSONValue.object(schemas), to: .standardOutput)
            return
        }
        let byName = Dictionary(uniqueKeysWithValues: subjects.map { ($0.name, $0) })
        var decoder = JSONModelDecoder()
        decoder.limits.string = 1 << 30
        var questions = decoder.cursor(of: Question.self, in: .standardInput, framing: .lines)
        var output = try JSONModelEncoder().writer(to: .standardOutput, framing: .lines)
        while let question = try questions.next() {
            let answer = byName[question.subject]?.answer(question.document)
            try output.write(answer ?? Answer(kind: "unknownSubject"))
        }
        try output.finish()
    }
}
