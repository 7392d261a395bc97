import Foundation
import Sluice

/// A measurement of the first use of types, which makes their shapes and plans. Each sample is a process of its own.
///
/// A cast to a protocol that fails searches the conformances of all images of the process, so the processes run with and without a library
/// of further conformances.
struct Cold {
    let scratch: Scratch
    let output: Output

    /// The decoder whose first uses are measured.
    enum Way: String, CaseIterable {
        case sluice, foundation
    }

    /// The times of first calls, in microseconds.
    struct Times {
        /// The first call of the process, for a model of two properties.
        var process: Double
        /// The median of the first calls for further models, each with a model inside.
        var model: Double
    }

    private static let conformances = 5_000
    static let goal = Times(process: 300, model: 70)

    func run(rounds: Int) throws {
        output.coldHeader(rounds: rounds)
        let library = try library()
        for (library, conformances) in [(nil, 0), (library, Self.conformances)] {
            var samples = [[Times]](repeating: [], count: Way.allCases.count)
            for _ in 0..<rounds {
                for (index, way) in Way.allCases.enumerated() {
                    samples[index].append(try sample(way, library: library))
                }
            }
            for (way, samples) in zip(Way.allCases, samples) {
                let times = Times(
                    process: Rounds.median(samples.map(\.process)), model: Rounds.median(samples.map(\.model)))
                output.cold(way, conformances: conformances, times)
            }
        }
    }

    /// Measures the first calls in a process of its own.
    private func sample(_ way: Way, library: String?) throws -> Times {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        process.arguments = ["--first-calls", way.rawValue] + (library.map { ["--library", $0] } ?? [])
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let times = text.split(separator: "\n").compactMap { Double($0) }
        guard process.terminationStatus == 0, times.count > 1 else {
            throw FloorError("The process of first calls failed.")
        }
        return Times(process: times[0], model: Rounds.median(Array(times.dropFirst())))
    }

    /// Compiles a library of conformances to protocols that no decoder asks for.
    private func library() throws -> String {
        let (source, library) = (scratch.path(of: "conformances.swift"), scratch.path(of: "libconformances.so"))
        let types = (0..<Self.conformances).map { "public struct T\($0): P\($0 % 50) {}" }
        let protocols = (0..<50).map { "public protocol P\($0) {}" }
        try (protocols + types).joined(separator: "\n").write(toFile: source, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc", "-emit-library", "-parse-as-library", "-o", library, source]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw FloorError("The library of conformances was not compiled.")
        }
        return library
    }

    // MARK: The process of a sample

    /// Decodes a document of each type once, and prints the time of each call in microseconds.
    static func child(_ way: Way, library: String?) throws {
        if let library, dlopen(library, RTLD_NOW) == nil { throw FloorError("\(library) cannot be loaded.") }
        try first(Revision.self, #"{"key":"a","value":1}"#, way)
        try first(Invoice.self, document, way)
        try first(Station.self, document, way)
        try first(Recipe.self, document, way)
        try first(Player.self, document, way)
        try first(Device.self, document, way)
        try first(Ticket.self, document, way)
        try first(Album.self, document, way)
    }

    /// A document of all models, which have the same properties in different orders.
    private static let document = """
        {"id":1,"title":"t","note":null,"isActive":true,"rating":4.5,"labels":["a","b"],"count":7,"weights":[1.5,2],\
        "items":[{"key":"k","value":1}],"source":"s"}
        """

    private static func first<Model: JSONModel & Decodable>(_ type: Model.Type, _ text: String, _ way: Way) throws {
        let (bytes, data) = (Array(text.utf8), Data(text.utf8))
        let start = ContinuousClock.now
        switch way {
        case .sluice: keep(try JSONModelDecoder().decode(type, from: bytes))
        case .foundation: keep(try JSONDecoder().decode(type, from: data))
        }
        print(start.duration(to: .now) / .microseconds(1))
    }
}
