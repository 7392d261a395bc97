#if Macros

// `@JSONModel` names both protocols, though the one implies the other: in files other than the declaration's the
// compiler finds only those conformances of a macro that are named here.

/// Makes a struct or a final class a model: reads its stored properties and writes the ``JSONModel/plan`` by
/// which a stream of JSON fills them.
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
/// A property's key is its name unless ``JSONKey(_:or:)`` gives another. A property without a default that is not
/// Optional is required. Static and computed properties have no part in it; a constant with an initial value
/// keeps that value. What no plan can fill (lazy, weak, wrapped and function-typed properties) is an error where
/// it is declared, until it has ``JSONIgnore()``.
@attached(member, names: named(plan), named(JSONStorage), named(init))
@attached(extension, conformances: JSONModel, JSONFillable, names: named(init))
public macro JSONModel() = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

/// Says from which key a property of a ``JSONModel()`` type is filled, in place of the property's name.
///
/// The key may be a path: `owner.login` goes into an object, `tags[0]` into an array, `\.` is a dot that belongs
/// to a key. Of several candidates the first that is there counts.
///
/// ```swift
/// @JSONKey("full_name") let name: String
/// @JSONKey("owner.login", or: "user.login", "login") let owner: String
/// @JSONKey(#"version\.major"#) let major: Int
/// ```
@attached(peer)
public macro JSONKey(_ path: String, or candidates: String...) =
    #externalMacro(module: "SluiceMacros", type: "JSONKeyMacro")

/// Leaves a property of a ``JSONModel()`` type out: it keeps its initial value, or nil.
///
/// ```swift
/// @JSONIgnore var cached = false
/// @JSONIgnore weak var delegate: Delegate?
/// ```
@attached(peer)
public macro JSONIgnore() = #externalMacro(module: "SluiceMacros", type: "JSONIgnoreMacro")

#endif
