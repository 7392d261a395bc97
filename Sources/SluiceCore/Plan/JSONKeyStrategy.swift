/// How keys are made of the names of properties that give none themselves.
public struct JSONKeyStrategy: Sendable {
    private let convert: (@Sendable (String) -> String)?
    private init(_ convert: (@Sendable (String) -> String)?) { self.convert = convert }

    /// The name itself.
    public static let asDeclared = JSONKeyStrategy(nil)
    /// Any rule.
    public static func custom(_ key: @escaping @Sendable (String) -> String) -> JSONKeyStrategy {
        JSONKeyStrategy(key)
    }

    /// The key of a property's name.
    public func key(for name: String) -> String { convert?(name) ?? name }
}
