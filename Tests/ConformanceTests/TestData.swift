import Foundation
import Sluice
import Testing

/// A folder of data that other projects made, which is not part of this one: an environment variable says where it
/// is. Without the variable its tests are skipped and say so; with one that leads nowhere they fail.
struct TestData: Sendable {
    let variable: String

    static let suites = TestData(variable: "SLUICE_SUITES")
    static let corpus = TestData(variable: "SLUICE_CORPUS")

    var isSet: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// The names of a folder's files, sorted.
    func names(in folder: String, withSuffix suffix: String) throws -> [String] {
        let url = try url(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return names.filter { $0.hasSuffix(suffix) }.sorted()
    }

    func url(_ path: String) throws -> URL {
        let folder = try #require(ProcessInfo.processInfo.environment[variable], "\(variable) is not set")
        return URL(fileURLWithPath: folder).appendingPathComponent(path)
    }

    func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url(path)))
    }
}

extension Trait where Self == ConditionTrait {
    /// The test runs where the data's variable is set.
    static func needs(_ data: TestData) -> Self {
        .enabled(if: data.isSet, "\(data.variable) is not set: the data's tests are skipped")
    }
}

extension JSONModelDecoder {
    /// A decoder of the default options that reads from `source`.
    init(from source: Source) {
        self.init()
        self.source = source
    }
}

/// A text in a file of its own, for as long as `body` runs.
func withFile<R>(holding bytes: [UInt8], _ body: (String) throws -> R) throws -> R {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).json")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path)
}
