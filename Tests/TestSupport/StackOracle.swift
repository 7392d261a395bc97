import SluiceCore
import SluiceSchemas
import SluiceStreams
import Testing

/// Calls every verb on a thread with half a megabyte of stack. A stack that overflows ends the process.
public struct StackOracle<T: JSONConvertible> {
    let text: [UInt8]
    let limits: JSONLimits

    /// - Parameters:
    ///   - text: A document of the type, which need not be valid.
    ///   - depth: The limit of nesting.
    public init(_ type: T.Type, _ text: String, depth: Int) {
        self.text = Array(text.utf8)
        var limits = JSONLimits()
        limits.depth = depth
        self.limits = limits
    }

    /// Calls every verb.
    ///
    /// - Returns: The first issue of `decode` for each source; nil for a value.
    @discardableResult
    public func run(bytes: Int = smallStack) -> [JSONIssue?] {
        (try? onSmallStack(bytes: bytes) { callAll() }.get()) ?? []
    }

    private func callAll() -> [JSONIssue?] {
        var issues: [JSONIssue?] = []
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder()
            decoder.source = source
            decoder.limits = limits
            issues.append(decode(decoder))
            stream(decoder)
            decoder.errorPolicy = .collect(limit: 3)
            decoder.duplicateKeys = .reject
            _ = decode(decoder)
            decodeParts(decoder)
        }
        _ = try? T.jsonSchema()
        return issues
    }

    private func decode(_ decoder: JSONModelDecoder) -> JSONIssue? {
        do throws(JSONModelError) {
            var value = try decoder.decode(T.self, from: text)
            encode(value)
            for options in [
                JSONMergeOptions(), JSONMergeOptions(nulls: .clear, nested: .merge), .mergePatch,
                JSONMergeOptions(nested: .merge, arrays: .byIndex),
            ] {
                _ = try? decoder.merge(text, into: &value, options: options)
            }
            return nil
        } catch {
            _ = error.description
            return error.issues[0]
        }
    }

    private func encode(_ value: T) {
        var encoder = JSONModelEncoder()
        encoder.limits = limits
        _ = try? encoder.encode(value)
        _ = try? encoder.encode([value], as: .string)
        if let json = try? encoder.encode(value, as: .value) {
            // Equality, hashing, description and coding of any JSON.
            var other = json
            _ = json == other && json.hashValue == other.hashValue && json.description.isEmpty
            var decoder = JSONModelDecoder()
            decoder.limits = limits
            _ = try? decoder.decode(T.self, from: json)
            _ = try? decoder.merge(text, into: &other, options: .mergePatch)
        }
        encoder.formatting = .pretty
        _ = try? encoder.encode(value)
        encoder.formatting = .canonical
        _ = try? encoder.encode(value)
        try? encoder.write(elements: [value]) { _ in }
    }

    private func decodeParts(_ decoder: JSONModelDecoder) {
        try? decoder.validate(text)
        _ = try? decoder.decodePartially(T.self, from: Array(text.prefix(text.count / 2)))
        _ = try? decoder.decodePartially(T.self, from: text)
        _ = try? decoder.decode(JSONValue.self, from: text)
        _ = try? decoder.decode(JSONRaw.self, from: text)
    }

    private func stream(_ decoder: JSONModelDecoder) {
        let array = Array("[".utf8) + text + Array("]".utf8)
        _ = try? decoder.forEach(T.self, in: array, at: "[*]") { _ in }
        _ = try? decoder.forEach(T.self, in: text, framing: .concatenated) { _ in }
        var cursor = decoder.cursor(of: T.self, in: text, framing: .lines)
        while (try? cursor.next()) != nil {}
        var feed = decoder.feed(of: T.self, at: "[*]")
        var rest = array[...]
        while !rest.isEmpty {
            guard (try? feed.push(rest.prefix(array.count / 4 + 1))) != nil else { break }
            rest = rest.dropFirst(array.count / 4 + 1)
            _ = feed.snapshot().value
        }
        _ = try? feed.finish()
    }
}
