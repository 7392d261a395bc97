import Foundation
import Sluice
import Testing

/// Errors of values with strategies, compared with those of Foundation in each kind of container.
@Suite struct ErrorPathTests {
    /// The kinds of values that have a strategy or a rule.
    enum Subject: String, CaseIterable, Sendable {
        case date, iso8601, custom, data, dataBytes, float, floatText, url, decimal, integer
    }

    private struct Single<Value: Decodable>: Decodable {
        init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Value.self) }
    }

    private struct ByInitializer<Value: Decodable>: Decodable {
        init(from decoder: any Decoder) throws { _ = try Value(from: decoder) }
    }

    private struct Unkeyed<Value: Decodable>: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd { _ = try container.decode(Value.self) }
        }
    }

    private struct IfPresent<Value: Decodable>: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd { _ = try container.decodeIfPresent(Value.self) }
        }
    }

    private struct Keyed<Value: Decodable>: Decodable {
        enum Keys: CodingKey { case v }
        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Keys.self).decode(Value.self, forKey: .v)
        }
    }

    private struct Present<Value: Decodable>: Decodable {
        var v: Value?
    }

    private struct Nested<Value: Decodable>: Decodable {
        enum Keys: CodingKey { case v }
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            let inner = try list.nestedContainer(keyedBy: Keys.self)
            _ = try inner.decode(Value.self, forKey: .v)
        }
    }

    private struct Super<Value: Decodable>: Decodable {
        enum Keys: CodingKey { case v }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            _ = try Single<Value>(from: container.superDecoder(forKey: .v))
        }
    }

    private func result<T: Decodable>(
        _ type: T.Type, _ json: String, _ decode: (T.Type, Data) throws -> T
    ) -> String {
        do {
            _ = try decode(type, Data(json.utf8))
            return "no error"
        } catch let error as DecodingError {
            switch error {
            case .typeMismatch(let type, let context): return "typeMismatch \(type) \(text(context))"
            case .valueNotFound(let type, let context): return "valueNotFound \(type) \(text(context))"
            case .keyNotFound(let key, let context): return "keyNotFound \(key) \(text(context))"
            case .dataCorrupted(let context): return "dataCorrupted \(text(context))"
            @unknown default: return "\(error)"
            }
        } catch {
            return "\(error)"
        }
    }

    private func text(_ context: DecodingError.Context) -> String {
        "\(context.codingPath.map(\.stringValue)) \(context.debugDescription)"
    }

    private func compare<Value: Decodable>(
        _ type: Value.Type, _ values: [String], _ foundation: JSONDecoder, _ sluice: SluiceJSONDecoder
    ) {
        func same<T: Decodable>(_ holder: T.Type, _ json: String) {
            let expected = result(holder, json) { try foundation.decode($0, from: $1) }
            #expect(result(holder, json) { try sluice.decode($0, from: $1) } == expected, "\(holder) \(json)")
        }
        /// Each holder alone, in an array, a dictionary and a keyed container.
        func everywhere<T: Decodable>(_ holder: T.Type, _ json: String) {
            same(holder, json)
            same([T].self, "[\(json)]")
            same([T?].self, "[\(json)]")
            same([String: T].self, "{\"k\":\(json)}")
            same(Keyed<T>.self, "{\"v\":\(json)}")
            same([Present<T>].self, "[{},{\"v\":\(json)}]")
            same(Unkeyed<T>.self, "[\(json)]")
            same(Single<T>.self, json)
            same([Single<T>].self, "[\(json)]")
            same([[String: [T]]].self, "[{\"k\":[\(json)]}]")
            same(Keyed<[String: [String: T]]>.self, "{\"v\":{\"k\":{\"l\":\(json)}}}")
            same([Single<[String: T]>].self, "[{\"k\":\(json)}]")
        }
        for json in values {
            everywhere(type, json)
            everywhere(Single<Value>.self, json)
            everywhere(Optional<Value>.self, json)
            everywhere(Unkeyed<Value>.self, "[\(json)]")
            everywhere(IfPresent<Value>.self, "[null,\(json)]")
            everywhere(Keyed<Value>.self, "{\"v\":\(json)}")
            everywhere(Present<Value>.self, "{\"v\":\(json)}")
            everywhere(Nested<Value>.self, "[{\"v\":\(json)}]")
            everywhere(Super<Value>.self, "{\"v\":\(json)}")
            everywhere(Super<Value>.self, "{}")
        }
    }

    @Test(arguments: Subject.allCases)
    func `errors have the paths of Foundation`(subject: Subject) {
        let (foundation, sluice) = (JSONDecoder(), SluiceJSONDecoder())
        // Numbers that a type cannot represent have a path here, and none in Foundation.
        let bad = ["\"x\"", "true", "null", "{}", "[]"]
        switch subject {
        case .date: compare(Date.self, bad, foundation, sluice)
        case .iso8601:
            foundation.dateDecodingStrategy = .iso8601
            sluice.dateDecodingStrategy = .iso8601
            compare(Date.self, bad + ["\"2024\"", "1"], foundation, sluice)
        case .custom:
            let decode: @Sendable (any Decoder) throws -> Date = { decoder in
                let container = try decoder.singleValueContainer()
                guard try container.decode(String.self) == "now" else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "not now")
                }
                return Date()
            }
            foundation.dateDecodingStrategy = .custom(decode)
            sluice.dateDecodingStrategy = .custom(decode)
            compare(Date.self, bad, foundation, sluice)
        case .data: compare(Data.self, bad + ["\"%%%\""], foundation, sluice)
        case .dataBytes:
            foundation.dataDecodingStrategy = .deferredToData
            sluice.dataDecodingStrategy = .deferredToData
            compare(Data.self, bad + ["[1,\"x\"]"], foundation, sluice)
        case .float: compare(Double.self, bad, foundation, sluice)
        case .floatText:
            foundation.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "+", negativeInfinity: "-", nan: "n")
            sluice.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "+", negativeInfinity: "-", nan: "n")
            compare(Double.self, bad, foundation, sluice)
            compare(Float.self, bad, foundation, sluice)
        case .url: compare(URL.self, bad + ["\"\"", "\"a b://[\""], foundation, sluice)
        case .decimal: compare(Decimal.self, bad, foundation, sluice)
        case .integer: compare(Int8.self, bad, foundation, sluice)
        }
    }
}
