import Foundation
import Sluice

// The meaning of the attributes of Sluice, written with `Codable` alone.

protocol Twin: Codable {
    func write(to output: inout JSON) throws
}

extension Twin {
    func encode(to encoder: any Encoder) throws {
        var output = JSON.object([:])
        try write(to: &output)
        try output.encode(to: encoder)
    }
}

struct Mismatch: Error {}

struct Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, CodingKey {
    let stringValue: String
    let intValue: Int?
    init(stringLiteral value: String) { self.init(stringValue: value) }
    init(integerLiteral value: Int) { (stringValue, intValue) = ("", value) }
    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init?(intValue: Int) { nil }
}

// MARK: Objects

struct Object {
    private let decoder: any Decoder
    private let members: KeyedDecodingContainer<Step>

    init(_ decoder: any Decoder) throws {
        self.decoder = decoder
        members = try decoder.container(keyedBy: Step.self)
    }

    /// Returns the first candidate that is present. A value of the wrong type on the path of an earlier candidate is an error.
    private func find(_ paths: [[Step]]) throws -> (any Decoder)? {
        for path in paths {
            if let found = try path.reduce(decoder as (any Decoder)?, { try $0?.value(at: $1) }) { return found }
        }
        return nil
    }

    func optional<T: Decodable>(_ type: T.Type, _ paths: [Step]...) throws -> T? {
        try find(paths).map { try T(from: $0) }
    }

    func tolerant<T: Decodable>(_ type: T.Type, _ paths: [Step]...) -> T? {
        try? find(paths).map { try T(from: $0) }
    }

    func required<T: Decodable>(_ type: T.Type, _ paths: [Step]...) throws -> T {
        if let found = try find(paths) { return try T(from: found) }
        // Null is a value of some types, such as an untagged enum with an optional.
        let null = try paths.lazy.compactMap { path in
            try path.dropLast().reduce(decoder as (any Decoder)?, { try $0?.value(at: $1) })?.null(at: path.last!)
        }.first
        guard let null else { throw Mismatch() }
        return try T(from: null)
    }

    func extra<T: Decodable>(besides keys: [String]) throws -> [String: T] {
        let others = members.allKeys.map(\.stringValue).filter { !keys.contains($0) }
        return try Dictionary(
            uniqueKeysWithValues: others.map { ($0, try members.decode(T.self, forKey: Step(stringValue: $0))) })
    }

    func reject(besides keys: [String]) throws {
        guard members.allKeys.allSatisfy({ keys.contains($0.stringValue) }) else { throw Mismatch() }
    }

    func hasAny(of keys: [String]) throws -> Bool {
        try keys.contains { try decoder.value(at: Step(stringValue: $0)) != nil }
    }

    var keys: [String] { members.allKeys.map(\.stringValue) }
}

extension Decoder {
    fileprivate func null(at step: Step) throws -> (any Decoder)? {
        guard step.intValue == nil else { return nil }
        let members = try container(keyedBy: Step.self)
        return members.contains(step) ? try members.superDecoder(forKey: step) : nil
    }

    /// Returns the decoder of an inner value, or nil if the value is missing or null.
    fileprivate func value(at step: Step) throws -> (any Decoder)? {
        guard let index = step.intValue else {
            let members = try container(keyedBy: Step.self)
            return try members.contains(step) && !members.decodeNil(forKey: step)
                ? members.superDecoder(forKey: step) : nil
        }
        var elements = try unkeyedContainer()
        var found: (any Decoder)?
        for _ in 0...index where !elements.isAtEnd { found = try elements.superDecoder() }
        guard elements.currentIndex == index + 1, let found, try !found.singleValueContainer().decodeNil() else {
            return nil
        }
        return found
    }
}

// MARK: Enums

enum Tagging {
    case external
    case `internal`(Step)
    case adjacent(Step, Step)
    case untagged
}

struct Payload {
    fileprivate let decoder: (any Decoder)?

    func value<T: Decodable>(_ type: T.Type) throws -> T {
        if let decoder { return try T(from: decoder) }
        guard let none = Optional<Any>.none as? T else { throw Mismatch() }
        return none
    }

    func object() throws -> Object {
        guard let decoder else { throw Mismatch() }
        return try Object(decoder)
    }
}

/// Makes the case that the document names.
func choose<T>(
    _ decoder: any Decoder, _ tagging: Tagging, _ names: [[String]], empty: [Int], fallback: Int?,
    make: (Int, Payload) throws -> T
) throws -> T {
    func position(of name: String) throws -> Int {
        guard let index = names.firstIndex(where: { $0.contains(name) }) ?? fallback else { throw Mismatch() }
        return index
    }
    switch tagging {
    case .untagged:
        for index in names.indices {
            if empty.contains(index) {
                guard let name = try? String(from: decoder), names[index].contains(name) else { continue }
            }
            if let value = try? make(index, Payload(decoder: decoder)) { return value }
        }
        throw Mismatch()
    case .external:
        if let name = try? String(from: decoder) {
            let index = try position(of: name)
            guard empty.contains(index) else { throw Mismatch() }
            return try make(index, Payload(decoder: nil))
        }
        let object = try Object(decoder)
        let known = object.keys.filter { key in names.contains { $0.contains(key) } }
        guard known.count <= 1, let key = known.first ?? object.keys.first else { throw Mismatch() }
        let index = try position(of: key)
        return try make(
            index,
            Payload(decoder: decoder.container(keyedBy: Step.self).superDecoder(forKey: Step(stringValue: key))))
    case .internal(let tag):
        guard let name = try decoder.value(at: tag) else { throw Mismatch() }
        return try make(position(of: String(from: name)), Payload(decoder: decoder))
    case .adjacent(let tag, let content):
        guard let name = try decoder.value(at: tag) else { throw Mismatch() }
        let members = try decoder.container(keyedBy: Step.self)
        return try make(
            position(of: String(from: name)),
            Payload(decoder: members.contains(content) ? members.superDecoder(forKey: content) : nil))
    }
}

// MARK: Values of attributes

struct LossyArray<T: Codable>: Codable {
    let value: [T]
    init(value: [T]) { self.value = value }
    init(from decoder: any Decoder) throws {
        var elements = try decoder.unkeyedContainer()
        var value: [T] = []
        while !elements.isAtEnd { if let element = try? T(from: elements.superDecoder()) { value.append(element) } }
        self.value = value
    }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

struct LossySet<T: Codable & Hashable>: Codable {
    let value: Set<T>
    init(value: Set<T>) { self.value = value }
    init(from decoder: any Decoder) throws { value = try Set(LossyArray<T>(from: decoder).value) }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

struct LossyDictionary<T: Codable>: Codable {
    let value: [String: T]
    init(value: [String: T]) { self.value = value }
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Step.self)
        value = Dictionary(
            uniqueKeysWithValues: members.allKeys.compactMap { key in
                (try? T(from: members.superDecoder(forKey: key))).map { (key.stringValue, $0) }
            })
    }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

struct Embedded<T: Codable>: Codable {
    let value: T
    init(value: T) { self.value = value }
    init(from decoder: any Decoder) throws {
        value = try JSONDecoder().decode(T.self, from: Data(String(from: decoder).utf8))
    }
    func encode(to encoder: any Encoder) throws {
        try String(decoding: JSONEncoder().encode(value), as: UTF8.self).encode(to: encoder)
    }
}

struct LenientInt: Codable {
    let value: Int
    init(value: Int) { self.value = value }
    init(from decoder: any Decoder) throws {
        if let bool = try? Bool(from: decoder) {
            value = bool ? 1 : 0
        } else if let text = try? String(from: decoder) {
            value = try JSONDecoder().decode(Int.self, from: Data(text.utf8))
        } else {
            value = try Int(from: decoder)
        }
    }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

struct Doubled: Codable {
    let value: Int
    init(value: Int) { self.value = value }
    init(from decoder: any Decoder) throws { value = try 2 * Int(from: decoder) }
    func encode(to encoder: any Encoder) throws { try (value / 2).encode(to: encoder) }
}

struct Doubling: JSONTransform {
    func decode(_ json: Int) -> Int { 2 * json }
    func encode(_ value: Int) -> Int { value / 2 }
}

@propertyWrapper struct Wrapper<Value> {
    var wrappedValue: Value
}

// MARK: Output

enum JSON: Codable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(encoding value: some Encodable) throws {
        self = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value))
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self =
            if value.decodeNil() {
                .null
            } else if let bool = try? value.decode(Bool.self) {
                .bool(bool)
            } else if let number = try? value.decode(Double.self) {
                .number(number)
            } else if let string = try? value.decode(String.self) {
                .string(string)
            } else if let array = try? value.decode([JSON].self) {
                .array(array)
            } else { .object(try value.decode([String: JSON].self)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    mutating func set(_ value: (some Encodable)?, at path: [Step]) throws {
        if let value, !(value is JSON) {
            put(try JSON(encoding: value), at: path[...])
        } else if let value = value as? JSON {
            put(value, at: path[...])
        }
    }

    private mutating func put(_ value: JSON, at path: ArraySlice<Step>) {
        guard let step = path.first else {
            self = value
            return
        }
        if let index = step.intValue {
            var elements = if case .array(let elements) = self { elements } else { [JSON]() }
            while elements.count <= index { elements.append(.null) }
            elements[index].put(value, at: path.dropFirst())
            self = .array(elements)
        } else {
            var members = if case .object(let members) = self { members } else { [String: JSON]() }
            members[step.stringValue, default: .null].put(value, at: path.dropFirst())
            self = .object(members)
        }
    }

    mutating func add(_ values: [String: some Encodable], besides keys: [String]) throws {
        for (key, value) in values where !keys.contains(key) {
            put(try JSON(encoding: value), at: [Step(stringValue: key)])
        }
    }

    /// Writes a case of an enum.
    mutating func write(_ name: String, _ tagging: Tagging, _ payload: JSON?) throws {
        switch tagging {
        case .untagged: self = payload ?? .string(name)
        case .external: self = payload.map { .object([name: $0]) } ?? .string(name)
        case .internal(let tag):
            self = payload ?? .object([:])
            put(.string(name), at: [tag])
        case .adjacent(let tag, let content):
            self = .object([tag.stringValue: .string(name)])
            if let payload { put(payload, at: [content]) }
        }
    }

    /// The text with sorted keys, also in strings of JSON, and with the elements of arrays in the order of their text, because sets have none.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value):
            "\"\((try? JSONDecoder().decode(JSON.self, from: Data(value.utf8)).text) ?? value)\""
        case .array(let value): "[\(value.map(\.text).sorted().joined(separator: ","))]"
        case .object(let value):
            "{\(value.map { "\($0.debugDescription):\($1.text)" }.sorted().joined(separator: ","))}"
        }
    }
}
