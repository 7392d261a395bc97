import SluiceCore

/// A coding key for any string, or for an index.
package struct AnyCodingKey: CodingKey, Sendable {
    package let stringValue: String
    package let intValue: Int?

    package init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    package init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    /// The key of an element. Has the same text as the key of Foundation's coders.
    package init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    package init(stringValue: String, intValue: Int?) {
        self.stringValue = stringValue
        self.intValue = intValue
    }

    /// The key of a superclass.
    package static let `super` = AnyCodingKey(stringValue: "super")
}

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
