/// A model whose properties are optional, for JSON that is not complete yet.
///
/// The option `.partial` of `@JSONModel` adds such a type, with the name `Partial`, to a model:
///
/// ```swift
/// @JSONModel(.partial) struct Owner { let login: String }
/// @JSONModel(.partial) struct Repository { let id: Int; let owner: Owner; var tags: [String] = [] }
///
/// var feed = decoder.feed(of: Repository.Partial.self)
/// _ = try feed.push(chunk)
/// let repository = feed.snapshot().value          // id: Int?, owner: Owner.Partial?, tags: [String]?
/// ```
///
/// A partial model has the keys, transforms, coercions and options of the model, and neither its defaults nor its hooks. A property is
/// nil until its value, or the first part of its value, is read. The type of a property whose type is a model with `.partial` is the
/// partial type of this model, also in optionals, arrays and dictionaries. The partial type of a set is an array, in the order of the
/// text. Values of all other types are made as a whole: a model and an enum without `.partial` are nil until they can be made. A property
/// that is not decoded is not part of the partial model.
///
/// `@JSONPartial(.whenComplete)` leaves a property nil until its value is complete. With `@JSONPartial(.required)`, the partial model
/// itself is nil until the value is complete. The property is then not optional, and the partial model is a ``JSONModel`` that cannot
/// be made without values. The type of such a property is that of the model's property. The partial type of a model that is declared
/// `Identifiable` and has the property `id` is `Identifiable`, too.
///
/// The option on an enum with a tag adds an enum with the same cases, whose values are partial. A value exists as soon as its tag is
/// read, if the tag is the first member of the object. Otherwise, and with a fallback whose value is not a `String`, such as
/// `other(JSONValue)`, a value exists when the object is complete. The types of the cases' values conform to ``JSONConvertible``.
public protocol JSONPartialModel: JSONModel {
    /// Creates a model without values.
    init()
}
