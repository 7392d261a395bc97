import Foundation
import Testing

/// An environment variable that changes which tests run, and how long.
public enum TestEnvironment {
    public static func text(_ variable: String) -> String? { ProcessInfo.processInfo.environment[variable] }

    public static func number<Number: LosslessStringConvertible>(_ variable: String) -> Number? {
        text(variable).flatMap { Number($0) }
    }
}

/// The share of their rounds that long tests run: all with `SLUICE_ROUNDS=full`, and an eighth otherwise.
public enum Rounds {
    public static let areFull = TestEnvironment.text("SLUICE_ROUNDS") == "full"

    /// Returns the number of rounds to run of a full number.
    public static func of(_ count: Int) -> Int { areFull ? count : max(1, count / 8) }
}

/// A folder of data of other projects, which an environment variable names.
///
/// The tests of the data are skipped without the variable, and fail if the folder does not exist.
public struct TestData: Sendable {
    public let variable: String

    public static let suites = TestData(variable: "SLUICE_SUITES")
    public static let corpus = TestData(variable: "SLUICE_CORPUS")

    public var isSet: Bool { TestEnvironment.text(variable) != nil }

    /// The sorted names of the files of a folder.
    public func names(in folder: String, withSuffix suffix: String) throws -> [String] {
        let url = try url(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return names.filter { $0.hasSuffix(suffix) }.sorted()
    }

    public func url(_ path: String) throws -> URL {
        let folder = try #require(TestEnvironment.text(variable), "\(variable) is not set")
        return URL(fileURLWithPath: folder).appendingPathComponent(path)
    }

    public func bytes(_ path: String) throws -> [UInt8] {
        // `Data(contentsOf:)` leaks memory for an empty file on Linux, which the leak sanitizer reports.
        let path = try url(path).path
        let file = try #require(fopen(path, "rb"), "\(path) cannot be read")
        defer { fclose(file) }
        return file.readToEnd()
    }
}

extension UnsafeMutablePointer<FILE> {
    /// Reads the rest of a file of the C library.
    public func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        var window = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&window, 1, window.count, self), count > 0 { bytes += window[..<count] }
        return bytes
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if the variable of the data is not set.
    public static func needs(_ data: TestData) -> Self {
        .enabled(if: data.isSet, "\(data.variable) is not set: the tests of the data are skipped")
    }
}

/// Writes a file with a name that no other test uses, and removes it after `body`.
public func withFile<R>(holding bytes: [UInt8], _ body: (String) throws -> R) throws -> R {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).json")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path)
}

/// Writes a file with a text, and removes it after `body`.
public func withFile<R>(holding text: String, _ body: (String) throws -> R) throws -> R {
    try withFile(holding: Array(text.utf8), body)
}
