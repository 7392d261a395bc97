// Decodes each file with the models that `sluice model` has written for it, encodes the result, and compares the values.

import Foundation
import Sluice

/// The models of a file.
struct Models {
    let name: String
    /// Decodes and encodes the values of a file. Returns the files' values before and after.
    let roundTrip: (_ file: String) throws -> (before: JSONValue, after: JSONValue)

    init<Root: JSONConvertible>(_ name: String, _ root: Root.Type, writesNulls: Bool) {
        self.name = name
        roundTrip = { file in
            var decoder = JSONModelDecoder()
            decoder.source = .scanner
            var encoder = JSONModelEncoder()
            encoder.nullStrategy = writesNulls ? .write : .omit
            let text = try encoder.encode(decoder.decode(root, from: .file(file)))
            return (try decoder.decode(JSONValue.self, from: .file(file)), try decoder.decode(JSONValue.self, from: text))
        }
    }
}

/// Returns the path of the first difference between two values; nil if they are equal. Numbers are equal as values.
func difference(_ one: JSONValue, _ other: JSONValue, at path: JSONPath = JSONPath()) -> String? {
    func inner(_ component: JSONPath.Component) -> JSONPath { JSONPath(path.components + [component]) }
    switch (one, other) {
    case (.object(let one), .object(let other)):
        for (key, value) in one {
            guard let match = other[key] else { return "\(inner(.key(key))): the key is missing" }
            if let found = difference(value, match, at: inner(.key(key))) { return found }
        }
        if let (key, _) = other.first(where: { one[$0.key] == nil }) { return "\(inner(.key(key))): the key is new" }
    case (.array(let one), .array(let other)):
        if one.count != other.count { return "\(path): \(one.count) elements became \(other.count)" }
        for (index, pair) in zip(one, other).enumerated() {
            if let found = difference(pair.0, pair.1, at: inner(.index(index))) { return found }
        }
    case (.number(let one), .number(let other)):
        let (integer, otherInteger) = (one.exactly(Int128.self), other.exactly(Int128.self))
        let areEqual = integer != nil || otherInteger != nil ? integer == otherInteger : one.double == other.double
        if !areEqual, one != other { return "\(path): \(one) became \(other)" }
    default:
        if one != other { return "\(path): \(one.description.prefix(80)) became \(other.description.prefix(80))" }
    }
    return nil
}

let folder = CommandLine.arguments[1]
var hasFailed = false
for models in generatedModels {
    do {
        let (before, after) = try models.roundTrip("\(folder)/\(models.name).json")
        if let found = difference(before, after) {
            print("\(models.name): \(found)")
            hasFailed = true
        } else {
            print("\(models.name): equal")
        }
    } catch {
        print("\(models.name): \(error)")
        hasFailed = true
    }
}
exit(hasFailed ? 1 : 0)
