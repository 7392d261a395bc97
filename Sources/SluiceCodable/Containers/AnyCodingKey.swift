import SluiceCore

/// A coding key for any string, or for an index.
///
/// A key has at most 24 bytes, which an existential holds without memory of its own, and the texts of numbers are made when they are read.
package struct AnyCodingKey: CodingKey, Sendable {
    private enum Content {
        case name(String)
        /// A name that is also an integer if its text is one.
        case text(String)
        case integer(Int)
        case index(Int)
    }

    private let content: Content

    package var stringValue: String {
        switch content {
        case .name(let name), .text(let name): name
        case .integer(let value): "\(value)"
        case .index(let index): "Index \(index)"
        }
    }

    package var intValue: Int? {
        switch content {
        case .name: nil
        case .text(let text): Int(text)
        case .integer(let value), .index(let value): value
        }
    }

    package init(stringValue: String) { content = .name(stringValue) }

    package init(intValue: Int) { content = .integer(intValue) }

    /// The key of an element. Has the same text as the key of Foundation's coders.
    package init(index: Int) { content = .index(index) }

    /// The key of a member.
    ///
    /// - Parameter mayBeInteger: Whether the key has an integer value if its text is an integer.
    package init(stringValue: String, mayBeInteger: Bool) {
        content = mayBeInteger ? .text(stringValue) : .name(stringValue)
    }

    /// The key of a superclass.
    package static let `super` = AnyCodingKey(stringValue: "super")
}

/// A coding key that encoders do not convert.
struct PlainCodingKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
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
