// Decodes each file with the models that `sluice model` has written for it, encodes the result, and compares the values.

import Foundation
import Sluice

/// The models of a file.
struct Models: Sendable {
    let name: String
    /// Decodes and encodes the values of a file. Returns the files' values before and after.
    let roundTrip: @Sendable (_ file: String) throws -> (before: JSONValue, after: JSONValue)

    init<Root: JSONConvertible & SendableMetatype>(_ name: String, _ root: Root.Type, writesNulls: Bool) {
        self.name = name
        roundTrip = { file in
            var decoder = JSONModelDecoder()
            decoder.source = .scanner
            var encoder = JSONModelEncoder()
            encoder.nullStrategy = writesNulls ? .write : .omit
            let text = try encoder.encode(decoder.decode(root, from: .file(file)))
            return (
                try decoder.decode(JSONValue.self, from: .file(file)),
                try decoder.decode(JSONValue.self, from: text)
            )
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
        if let (key, _) = other.first(where: { one[$0.key] == nil }) {
            return "\(inner(.key(key))): the key is new"
        }
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

/// Returns the largest resident size, in bytes, of the tool that infers the models of generated records, and of all processes before.
func peak(of tool: String, size: String) throws -> Int {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
        "-c", "'\(tool)-demo' generate --size \(size) | '\(tool)' model --name Record - > /dev/null",
    ]
    try shell.run()
    shell.waitUntilExit()
    guard shell.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    var usage = rusage()
    #if os(Linux)
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return usage.ru_maxrss * 1_024
    #else
    getrusage(RUSAGE_CHILDREN, &usage)
    return usage.ru_maxrss
    #endif
}

var hasFailed = false

// First, because a process begins with the size of the process that started it.
if CommandLine.arguments.count > 2 {
    let tool = CommandLine.arguments[2]
    let (small, large) = (try peak(of: tool, size: "16MB"), try peak(of: tool, size: "256MB"))
    print("memory: \(small / 1_000) kB for 16 MB, \(large / 1_000) kB for 256 MB")
    if large - small > 2_000_000 { hasFailed = true }
}
let folder = CommandLine.arguments[1]
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
