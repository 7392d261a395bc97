import ArgumentParser
import Foundation
import GeneratedRecords
import Sluice

/// A measurement of the peak memory of streams of several lengths, each in a separate process.
struct StreamMemory {
    /// The sizes of the streams in MB, in ascending order.
    let megabytes: [UInt64]
    let scratch: Scratch
    let output: Output

    /// The decoder of a separate process.
    enum Decoder: String, ExpressibleByArgument, CaseIterable {
        case sluice, foundation
    }

    /// The additional memory that the longest stream may take, in bytes.
    private static let allowance = 8e6
    /// The greatest size that Foundation decodes: its memory is several times the size.
    private static let greatestFoundationSize: UInt64 = 1_000

    func run() throws {
        var peaks: [Double] = []
        for size in megabytes {
            let path = try scratch.records(size * 1_000_000)
            for decoder in Decoder.allCases where decoder == .sluice || size <= Self.greatestFoundationSize {
                let peak = try peak(of: decoder, reading: path)
                if decoder == .sluice { peaks.append(peak) }
                if output.json {
                    print(
                        #"{"corpus":"records_stream","bytes":\#(size * 1_000_000),"decoder":"\#(decoder)","#
                            + #""peak_bytes":\#(Int(peak))}"#)
                } else {
                    let verb = decoder == .sluice ? "streamed" : "decoded by Foundation"
                    print(String(format: "%6d MB \(verb): peak memory %.1f MB", Int(size), peak / 1e6))
                }
            }
            try FileManager.default.removeItem(atPath: path)
        }
        let growth = peaks[peaks.count - 1] - peaks[0]
        if !output.json { print(String(format: "the longest stream takes %.1f MB more", growth / 1e6)) }
        if growth > Self.allowance {
            output.note("More than \(Int(Self.allowance / 1e6)) MB: memory is not constant.")
            throw ExitCode.failure
        }
    }

    /// Decodes a file and prints the peak memory. Runs in the separate process.
    static func child(_ path: String, _ decoder: Decoder) throws {
        switch decoder {
        case .sluice:
            var digest = RecordDigest()
            try JSONModelDecoder().forEach(Record.self, in: .file(path), at: "[*]") { (record: Record) in
                digest.add(record)
            }
            keep(digest)
        case .foundation:
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            keep(try JSONDecoder().decode([Record].self, from: data))
        }
        print(ProcessMemory.peak)
    }

    private func peak(of decoder: Decoder, reading path: String) throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        process.arguments = ["--stream-peak", path, "--stream-decoder", decoder.rawValue]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let number = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard process.terminationStatus == 0, let peak = Double(number) else {
            throw FloorError("The process of \(decoder) failed.")
        }
        return peak
    }
}
