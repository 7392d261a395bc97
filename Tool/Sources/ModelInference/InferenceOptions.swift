import SluiceCore

/// The options of an inference.
package struct InferenceOptions: Sendable {
    /// The strategies for keys that models can have, by the name of the static member.
    package enum Keys: String, Sendable, CaseIterable {
        /// The strategy of each model that needs the fewest attributes.
        case automatic
        case asDeclared, snakeCase, kebabCase, screamingSnakeCase, upperCase, firstLetterUppercase

        var strategy: JSONKeyStrategy {
            switch self {
            case .automatic, .asDeclared: .asDeclared
            case .snakeCase: .snakeCase
            case .kebabCase: .kebabCase
            case .screamingSnakeCase: .screamingSnakeCase
            case .upperCase: .upperCase
            case .firstLetterUppercase: .firstLetterUppercase
            }
        }
    }

    /// The `nullStrategy` of the encoder that reproduces the values.
    package enum Nulls: String, Sendable, CaseIterable {
        /// The strategy that makes more properties plain optionals.
        case automatic
        case omit, write
    }

    /// The use of the models.
    package enum Purpose: String, Sendable, CaseIterable {
        /// The models encode values equal to those that were observed.
        case exact
        /// The models decode the values, with the types that a programmer writes.
        case decoding
    }

    package var purpose = Purpose.exact
    /// The path of the values whose model is inferred.
    package var path = JSONPath()
    /// The access level of the declarations; empty for none.
    package var access = ""
    /// The protocols of each model besides `JSONModel`.
    package var conformances = ["Sendable"]
    package var keys = Keys.automatic
    package var nulls = Nulls.automatic
    /// Whether text in ISO 8601 becomes a `Date`.
    package var infersDates = true
    package var infersUUIDs = true
    package var infersURLs = true
    package var infersEnums = true
    package var infersUnions = true
    package var infersDictionaries = true
    /// The paths of objects that are dictionaries, whatever their keys are.
    package var dictionaries: [JSONPath] = []
    /// The beginning of the names of all types.
    package var prefix = ""
    /// The keys that may be the tag of a union, in order of precedence.
    package var tags = [
        "type", "kind", "@type", "_type", "__typename", "event_type", "eventType", "event", "object_type",
        "objectType",
        "resource_type", "resourceType", "node_type", "nodeType", "object", "op", "action", "tag",
    ]

    package init() {}
}

/// The bounds of the memory of an inference, and the thresholds of its decisions.
enum Bounds {
    /// The greatest number of different keys of an object. Further keys make the object a dictionary.
    static let keys = 256
    /// The greatest length of a key of a model, in bytes. A longer key makes its object a dictionary.
    static let keyLength = 256
    /// The greatest number of fields of all objects. Objects with further keys become dictionaries of any JSON.
    static let fields = 100_000
    /// The number of fields from which an object becomes a dictionary as soon as its keys look like data, and not at the end.
    static let manyFields = 75_000
    /// The greatest depth of models. Deeper values are any JSON. Observations are copied by recursion, so the depth is limited.
    static let depth = 64
    /// The greatest number of values of an enum, and the greatest length of such a value in bytes.
    static let enumCases = 24
    static let enumCaseLength = 40
    /// The number of times that each value of an enum occurs, on average.
    static let enumRepetitions = 10
    /// The greatest number of cases of a union, and the greatest length of a tag in bytes.
    static let unionCases = 32
    static let tagLength = 64
    /// The number of different keys from which an object may be a dictionary because its values are alike.
    static let dictionaryKeys = 20
    /// The number of different keys from which objects are dictionaries if no key is in all of them, and all values are scalars of a type.
    static let optionalKeys = 4
}
