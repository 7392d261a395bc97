#if Macros

// `@JSONModel` names every protocol that it may add, though one implies another: in files other than the
// declaration's the compiler finds only those conformances of a macro that are named here. It names no more than a
// class always gets: with a superclass that might have got another one, and didn't, Swift 6.3 crashes. So `Codable`
// is with a declaration of its own, for those that ask for it, and hooks are in the plan.

/// Makes a struct, a class or an enum a model: reads its stored properties or cases and writes the
/// ``/SluiceCore/JSONModel/plan`` by which a stream of JSON fills them.
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
/// A property's key is its name, or what `keys:` makes of it, unless ``JSONKey(_:or:)`` gives another. A property
/// without a default that is not Optional is required. Static and computed properties have no part in it; a
/// constant with an initial value keeps that value. What no plan can fill (lazy, weak, wrapped and function-typed
/// properties, types without JSON) is an error where it is declared, until it has ``JSONIgnore(_:)``.
///
/// ```swift
/// @JSONModel(keys: .snakeCase, coercion: .lenient, unknownKeys: .reject)
/// struct User { let userName: String }            // from "user_name"
/// ```
///
/// **Classes.** The plan of a class whose superclass is a model begins with the superclass's.
///
/// ```swift
/// @JSONModel class Animal { let name: String }
/// @JSONModel final class Dog: Animal { var barks = true }
/// ```
///
/// **Enums.** An enum with a raw type is its raw value, `fallback:` the case for all others. The cases of any other
/// enum are told apart by their name: as the one key of an object, or as `tag:` says. A case of one value without a
/// label has that value's fields; labels are keys.
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
/// **Hooks.** Where the type declares them, `didDecode()`, `validate()`, `willEncode()` and
/// `static func transform(_:for:)` are called as those of ``/SluiceCore/JSONHooks`` and
/// ``/SluiceCore/JSONValueHook`` are. `validate()` may return a `Bool`: false refuses the model, with a
/// ``/SluiceCore/JSONValidationError``. A method that has the name of a hook but another signature is reported.
///
/// - Parameters:
///   - keys: How a key is made of a property's or a case's name.
///   - coercion: Which values count for others, as `"1"` for 1.
///   - unknownKeys: What becomes of keys that no property has.
///   - tag: The key under which an enum's object says which case it is.
///   - content: The key beside `tag` that has the case's value.
///   - fallback: The name of the case that stands for all that no case is known for.
@attached(
    member, conformances: JSONModel,
    names: named(plan), named(jsonPlan), named(jsonShape), named(JSONStorage), named(jsonStorage),
    named(jsonAssign),
    named(init))
@attached(extension, conformances: JSONModel, JSONConvertible, names: named(init))
public macro JSONModel(
    keys: JSONKeyStrategy? = nil, coercion: JSONCoercion? = nil, unknownKeys: JSONUnknownKeys? = nil,
    tag: String? = nil, content: String? = nil, fallback: String? = nil
) = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

/// Makes a struct, a final class or an enum a model, as ``JSONModel(keys:coercion:unknownKeys:tag:content:fallback:)``
/// does, with options.
///
/// ```swift
/// @JSONModel(.codable, keys: .snakeCase)
/// struct User { let userName: String }            // Codable too, by the same keys
/// ```
///
/// - Parameters:
///   - option: `.codable` adds `Codable`, by the same plan; `.untagged` tries the cases of an enum in their order.
///   - options: Another one.
///   - keys: How a key is made of a property's or a case's name.
///   - coercion: Which values count for others, as `"1"` for 1.
///   - unknownKeys: What becomes of keys that no property has.
///   - tag: The key under which an enum's object says which case it is.
///   - content: The key beside `tag` that has the case's value.
///   - fallback: The name of the case that stands for all that no case is known for.
@attached(
    member, conformances: JSONModel,
    names: named(plan), named(jsonPlan), named(jsonShape), named(JSONStorage), named(jsonStorage),
    named(jsonAssign),
    named(init), named(encode))
@attached(
    extension, conformances: JSONModel, JSONConvertible, Decodable, Encodable, names: named(init), named(encode))
public macro JSONModel(
    _ option: JSONModelOption, _ options: JSONModelOption..., keys: JSONKeyStrategy? = nil,
    coercion: JSONCoercion? = nil, unknownKeys: JSONUnknownKeys? = nil, tag: String? = nil, content: String? = nil,
    fallback: String? = nil
) = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

/// Says from which key a property of a ``JSONModel(keys:coercion:unknownKeys:tag:content:fallback:)`` type is
/// filled, in place of the property's name; on a case of an enum, by which name it is known.
///
/// The key of a property may be a path: `owner.login` goes into an object, `tags[0]` into an array, `items[*].id`
/// into all elements of one, `users.*.id` into all members of an object, `\.` is a dot that belongs to a key. Of several
/// candidates the first that is there counts.
///
/// ```swift
/// @JSONKey("full_name") let name: String
/// @JSONKey("owner.login", or: "user.login", "login") let owner: String
/// @JSONKey("items[*].id") let ids: [Int]
/// @JSONKey(#"version\.major"#) let major: Int
/// ```
@attached(peer)
public macro JSONKey(_ path: String, or candidates: String...) =
    #externalMacro(module: "SluiceMacros", type: "JSONKeyMacro")

/// Leaves a property out: it keeps its initial value, or nil. Or leaves it out in one direction only.
///
/// ```swift
/// @JSONIgnore var cached = false
/// @JSONIgnore weak var delegate: Delegate?
/// @JSONIgnore(.encoding) let password: String       // decoded, and never written
/// @JSONIgnore(.decoding) let kind = "user"          // written, and never decoded
/// ```
@attached(peer)
public macro JSONIgnore(_ direction: JSONIgnoreDirection = .both) =
    #externalMacro(module: "SluiceMacros", type: "JSONIgnoreMacro")

/// The value that a property has where the text has none for it: for a constant, which can have no initial value.
///
/// Its type is inferred from the value alone, so `Kind.plain` has to be written out.
///
/// ```swift
/// @JSONDefault(1) let page: Int
/// @JSONDefault(Kind.plain, on: [.missing, .mismatch]) let kind: Kind
/// ```
@attached(peer)
public macro JSONDefault<V>(_ value: V, on cases: JSONDefaultCases = [.missing, .null]) =
    #externalMacro(module: "SluiceMacros", type: "JSONDefaultMacro")

/// Takes a property's initial value in these cases too, beside `.missing` and `.null`.
///
/// ```swift
/// @JSONDefault(on: .mismatch) var count = 0         // also where the text has no number
/// ```
@attached(peer)
public macro JSONDefault(on cases: JSONDefaultCases) =
    #externalMacro(module: "SluiceMacros", type: "JSONDefaultMacro")

/// Makes a property of another type's value, both ways.
///
/// The property is of the transform's `Value`, or an `Optional`, `Array`, `Set` or `Dictionary` of it: then the
/// transform applies to the elements. Containers may be nested three deep, as in `[String: [Double]]?`.
///
/// ```swift
/// @JSONTransform(Celsius.self) let degrees: Double
/// @JSONTransform(Celsius.self) let byCity: [String: [Double]]
/// ```
@attached(peer)
public macro JSONTransform<T: JSONTransform>(_ type: T.Type) =
    #externalMacro(module: "SluiceMacros", type: "JSONTransformMacro")

/// Drops the elements of an array, a set or a dictionary that can't be decoded, in place of failing, and reports
/// them to the decoder's `report`.
@attached(peer)
public macro JSONLossy() = #externalMacro(module: "SluiceMacros", type: "JSONLossyMacro")

/// The fields of this model lie in the object of the model that has it.
///
/// ```swift
/// @JSONModel struct User { let name: String; @JSONFlatten let address: Address }     // {"name": …, "street": …}
/// ```
///
/// A property of an enum with values is read from the keys beside the model's own: the tag and the payload.
///
/// ```swift
/// @JSONModel(tag: "type") enum Action { case push(Push), ping }
/// @JSONModel struct Event { let id: Int; @JSONFlatten let action: Action }     // {"id": 1, "type": "push", "ref": …}
/// ```
@attached(peer)
public macro JSONFlatten() = #externalMacro(module: "SluiceMacros", type: "JSONFlattenMacro")

/// The value is JSON inside of a string.
///
/// ```swift
/// @JSONEmbedded let payload: Payload                // from {"payload": "{\"id\":1}"}
/// ```
///
/// On a case of an enum, the value of the case is such a string.
@attached(peer)
public macro JSONEmbedded() = #externalMacro(module: "SluiceMacros", type: "JSONEmbeddedMacro")

/// Gathers what no other property took. Its type has to be written as `[String: T]`.
///
/// ```swift
/// @JSONExtra var rest: [String: JSONValue] = [:]
/// ```
@attached(peer)
public macro JSONExtra() = #externalMacro(module: "SluiceMacros", type: "JSONExtraMacro")

/// Which values count for others, for this one property.
///
/// ```swift
/// @JSONCoercion(.lenient) let id: Int               // also from "1"
/// ```
@attached(peer)
public macro JSONCoercion(_ coercion: JSONCoercion) =
    #externalMacro(module: "SluiceMacros", type: "JSONCoercionMacro")

#endif
