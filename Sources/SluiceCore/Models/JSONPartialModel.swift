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
/// partial type of this model, also in optionals, arrays and dictionaries. Values of all other types are made as a whole: a set, an
/// enum with associated values, and a model without `.partial` are nil until they can be made. A property that is not decoded is not
/// part of the partial model.
public protocol JSONPartialModel: JSONModel {
    /// Creates a model without values.
    init()
}
