extension JSONPath {
    /// The path of coding keys.
    init(_ keys: [any CodingKey]) {
        self.init()
        components = keys.map { key in key.isIndex ? .index(key.intValue ?? 0) : .key(key.stringValue) }
    }
}

extension CodingKey {
    /// Whether the key is that of an element.
    fileprivate var isIndex: Bool { intValue.map { "Index \($0)" == stringValue } ?? false }
}
