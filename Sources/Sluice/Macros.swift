#if Macros

// `@JSONModel` lists `JSONModel` and `JSONConvertible`, although the first implies the second. Outside the file of the
// model, the compiler finds only the conformances that the macro lists. The list has no optional conformances: Swift 6.3
// crashes on a class whose superclass could have such a conformance and does not. `Codable` therefore has a macro
// declaration of its own, and hooks are part of the plan.

/// Makes a struct, a class or an enum a model.
///
/// The macro reads the stored properties or the cases of the type, and adds the ``/SluiceCore/JSONModel/plan`` that
/// decodes and encodes them.
///
/// ```swift
/// @JSONModel
/// struct Repository {
///     let id: Int
///     @JSONKey("full_name") let name: String
///     @JSONKey("owner.login", or: "user.login") let owner: String
///     var stars = 0              // the default when the key is missing
///     let license: License?      // nil when the key is missing or null
///     @JSONIgnore var cached = false
/// }
/// ```
///
/// The key of a property is its name, converted by `keys`, unless ``JSONKey(_:or:)`` gives another key. A property is
/// required if it is not optional and has no default. Static and computed properties are not part of the model. A
/// constant with an initial value keeps its value.
///
/// A property that cannot be decoded is an error at its declaration, unless ``JSONIgnore(_:)`` excludes the property.
/// These are unowned and function-typed properties, and properties of a type that has no JSON form. Lazy and weak properties are
/// ignored.
///
/// ```swift
/// @JSONModel(keys: .snakeCase, coercion: .lenient, unknownKeys: .reject)
/// struct User { let userName: String }            // from "user_name"
/// ```
///
/// **Classes.** If the superclass is a model, the plan of a class begins with the fields of the superclass. Otherwise, the
/// stored properties of the superclass would be lost. The plan is then invalid, unless `superclass: .ignored` states that the
/// superclass has no JSON. `keys`, `coercion` and `defaultsOn` are options of the properties that the class itself declares.
/// `unknownKeys` is inherited.
///
/// ```swift
/// @JSONModel class Animal { let name: String }
/// @JSONModel final class Dog: Animal { var barks = true }
/// ```
///
/// **Enums.** An enum with a raw type is represented by its raw value. In any other enum the name identifies the case:
/// as the only key of an object or, with `tag`, as the value of the tag. A case with one unlabeled value has the fields
/// of this value. Labels are keys. Names of no case are decoded as the `fallback` case.
///
/// ```swift
/// @JSONModel(tag: "type", fallback: "other")
/// enum Shape {
///     case circle(Circle)                  // {"type": "circle", "radius": 1}
///     case square(side: Double)            // {"type": "square", "side": 2}
///     case other(JSONValue)
/// }
/// ```
///
/// **Hooks.** If the type declares `didDecode()`, `validate()`, `willEncode()` or `static func transform(_:for:)`, these
/// methods are called like the methods of ``/SluiceCore/JSONHooks`` and ``/SluiceCore/JSONValueHook``. `validate()` may
/// return a `Bool`: `false` rejects the model with a ``/SluiceCore/JSONValidationError``. The macro reports a method
/// that has the name of a hook and another signature.
///
/// - Parameters:
///   - keys: The strategy that converts the name of a property or case to its key.
///   - coercion: The conversions between kinds of values, such as from `"1"` to 1.
///   - unknownKeys: How keys without a property are handled.
///   - defaultsOn: The cases in which defaults apply, for properties without ``JSONDefault(on:)``: by default, a missing key and null. With
///     `.all`, a property whose value cannot be converted to its type takes its default, too, or becomes nil if it is optional, and the
///     decoder's issue handler receives the reason.
///   - tag: The key whose value names the case of an enum.
///   - content: The key of the case's value, in the same object as `tag`.
///   - fallback: The name of the case for names of no case. See <doc:Enums>.
///   - superclass: How a superclass that is not a model is handled.
@attached(
    member, conformances: JSONModel,
    names: named(plan), named(_jsonPlan), named(jsonShape), named(_JSONStorage), named(_jsonStorage),
    named(_jsonAssign), named(_jsonField), named(_jsonHook),
    named(init))
@attached(extension, conformances: JSONModel, JSONConvertible, names: named(init))
public macro JSONModel(
    keys: JSONKeyStrategy? = nil, coercion: JSONCoercion? = nil, unknownKeys: JSONUnknownKeys? = nil,
    defaultsOn: JSONDefaultCases? = nil, tag: String? = nil, content: String? = nil, fallback: String? = nil,
    superclass: JSONSuperclass? = nil
) = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

/// Makes a struct, a class or an enum a model, with options.
///
/// See ``JSONModel(keys:coercion:unknownKeys:defaultsOn:tag:content:fallback:superclass:)`` for the model itself.
///
/// ```swift
/// @JSONModel(.codable, keys: .snakeCase)
/// struct User { let userName: String }            // also Codable, with the same keys
/// ```
///
/// - Parameters:
///   - option: `.codable` adds a `Codable` conformance that uses the plan. `.untagged` tries the cases of an enum in the
///     order of their declaration. `.partial` adds a nested type `Partial`, for values that are read in part; see
///     ``/SluiceCore/JSONPartialModel``.
///   - options: Further options.
///   - keys: The strategy that converts the name of a property or case to its key.
///   - coercion: The conversions between kinds of values, such as from `"1"` to 1.
///   - unknownKeys: How keys without a property are handled.
///   - defaultsOn: The cases in which defaults apply, for properties without ``JSONDefault(on:)``: by default, a missing key and null. With
///     `.all`, a property whose value cannot be converted to its type takes its default, too, or becomes nil if it is optional, and the
///     decoder's issue handler receives the reason.
///   - tag: The key whose value names the case of an enum.
///   - content: The key of the case's value, in the same object as `tag`.
///   - fallback: The name of the case for names of no case. See <doc:Enums>.
///   - superclass: How a superclass that is not a model is handled.
@attached(
    member, conformances: JSONModel,
    names: named(plan), named(_jsonPlan), named(jsonShape), named(_JSONStorage), named(_jsonStorage),
    named(_jsonAssign), named(_jsonField), named(_jsonHook), named(Partial), named(_JSONPartial),
    named(init), named(encode))
@attached(
    extension, conformances: JSONModel, JSONConvertible, Decodable, Encodable, _JSONCodableModel,
    names: named(init),
    named(encode))
public macro JSONModel(
    _ option: JSONModelOption, _ options: JSONModelOption..., keys: JSONKeyStrategy? = nil,
    coercion: JSONCoercion? = nil, unknownKeys: JSONUnknownKeys? = nil, defaultsOn: JSONDefaultCases? = nil,
    tag: String? = nil, content: String? = nil, fallback: String? = nil, superclass: JSONSuperclass? = nil
) = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

/// Sets the keys of a property, or the names of an enum case.
///
/// The key of a property is a path. `owner.login` selects a member of a nested object, `tags[0]` an element of an array,
/// `items[*].id` a member of every element of an array, and `users.*.id` a member of every member of an object. `\.` is
/// a dot inside a key. Of several candidates, the first one that is present and not null is used.
///
/// The name of a case is not a path. All names of a case are accepted, and the first one is written.
///
/// ```swift
/// @JSONKey("full_name") let name: String
/// @JSONKey("owner.login", or: "user.login", "login") let owner: String
/// @JSONKey("items[*].id") let ids: [Int]
/// @JSONKey(#"version\.major"#) let major: Int
/// ```
///
/// - Parameters:
///   - path: The first candidate. The property is encoded under this key.
///   - candidates: Further candidates, in order of precedence.
@attached(peer)
public macro JSONKey(_ path: String, or candidates: String...) =
    #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Excludes a property from decoding, from encoding, or from both.
///
/// A property that is not decoded keeps its initial value, or nil.
///
/// ```swift
/// @JSONIgnore var cached = false
/// @JSONIgnore weak var delegate: Delegate?
/// @JSONIgnore(.encoding) let password: String       // decoded, never encoded
/// @JSONIgnore(.decoding) let kind = "user"          // encoded, never decoded
/// ```
///
/// - Parameter direction: The direction that excludes the property.
@attached(peer)
public macro JSONIgnore(_ direction: JSONIgnoreDirection = .both) =
    #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Gives a property a default.
///
/// A constant needs this attribute: a constant with an initial value is not decoded. The type of the default is inferred
/// from the value alone, so write `Kind.plain` and not `.plain`.
///
/// ```swift
/// @JSONDefault(1) let page: Int
/// @JSONDefault(Kind.plain, on: [.missing, .mismatch]) let kind: Kind
/// ```
///
/// - Parameters:
///   - value: The default.
///   - cases: The cases in which the property takes the default.
@attached(peer)
public macro JSONDefault<V>(_ value: V, on cases: JSONDefaultCases = [.missing, .null]) =
    #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Gives an optional property the default nil.
///
/// ```swift
/// @JSONDefault(nil, on: [.missing, .null, .mismatch]) let page: Int?
/// ```
///
/// - Parameters:
///   - value: The default, nil.
///   - cases: The cases in which the property is nil.
@attached(peer)
public macro JSONDefault(_ value: Never?, on cases: JSONDefaultCases = [.missing, .null]) =
    #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Uses the initial value of a property as the default in further cases, in addition to `.missing` and `.null`.
///
/// ```swift
/// @JSONDefault(on: .mismatch) var count = 0         // also for a value that is not a number
/// ```
///
/// - Parameter cases: The further cases.
@attached(peer)
public macro JSONDefault(on cases: JSONDefaultCases) =
    #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Decodes and encodes a property by a transform.
///
/// The type of the property is the transform's `Value`, or an `Optional`, `Array`, `Set` or `Dictionary` of this type. In
/// a container, the transform applies to the elements. Containers may be nested three deep, as in `[String: [Double]]?`.
///
/// ```swift
/// @JSONTransform(Celsius()) let degrees: Double
/// @JSONTransform(Celsius()) let byCity: [String: [Double]]
/// ```
///
/// - Parameter transform: The transform.
@attached(peer)
public macro JSONTransform<T: JSONTransform>(_ transform: T) =
    #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Drops the elements of an array, a set or a dictionary that cannot be decoded.
///
/// The decoder's `issueHandler` receives an issue for every dropped element.
@attached(peer)
public macro JSONLossy() = #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Decodes the fields of a nested model from the object of the enclosing model.
///
/// ```swift
/// @JSONModel struct User { let name: String; @JSONFlatten let address: Address }     // {"name": …, "street": …}
/// ```
///
/// The type of the property may also be an enum with values. The tag and the payload of the case are then members of the
/// enclosing object.
///
/// ```swift
/// @JSONModel(tag: "type") enum Action { case push(Push), ping }
/// @JSONModel struct Event { let id: Int; @JSONFlatten let action: Action }     // {"id": 1, "type": "push", "ref": …}
/// ```
@attached(peer)
public macro JSONFlatten() = #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Decodes a value from a string that contains JSON.
///
/// ```swift
/// @JSONEmbedded let payload: Payload                // from {"payload": "{\"id\":1}"}
/// ```
///
/// With `.either`, the value is decoded from JSON or from a string that contains JSON, and is encoded as JSON. See
/// ``/SluiceCore/JSONEmbedding``.
///
/// ```swift
/// @JSONEmbedded(.either) let owner: Owner?          // from {"id":1}, or from "{\"id\":1}"
/// ```
///
/// On a case of an enum, the attribute applies to the value of the case.
///
/// - Parameter form: Whether the value is always a string. By default it is.
@attached(peer)
public macro JSONEmbedded(_ form: JSONEmbedding = .string) =
    #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Collects the members of an object that belong to no other property.
///
/// The type of the property must be written as `[String: T]`. An entry with the key of another property, or of the case of a flattened enum,
/// is not encoded.
///
/// ```swift
/// @JSONExtra var rest: [String: JSONValue] = [:]
/// ```
@attached(peer)
public macro JSONExtra() = #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Sets the coercion of one property.
///
/// ```swift
/// @JSONCoercion(.lenient) let id: Int               // also from "1"
/// ```
///
/// - Parameter coercion: The conversions between kinds of values.
@attached(peer)
public macro JSONCoercion(_ coercion: JSONCoercion) =
    #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

/// Sets when a property of the partial type has its value. The model has the option `.partial`.
///
/// ```swift
/// @JSONPartial(.required) let id: Int               // Partial: let id: Int; nil, or no element, without an id
/// @JSONPartial(.whenComplete) let link: URL         // Partial: var link: URL?; never a part of the text
/// ```
///
/// - Parameter presence: When the property has its value. See ``/SluiceCore/JSONPartialPresence``.
@attached(peer)
public macro JSONPartial(_ presence: JSONPartialPresence) =
    #externalMacro(module: "SluiceMacros", type: "PropertyMacro")

#endif
