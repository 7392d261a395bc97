import ArgumentParser
import Foundation
import Sluice
import SluiceRecords

/// A measurement of the peak memory of a short and a long stream, each in a separate process.
struct StreamMemory {
    let scratch: Scratch
    let output: Output

    private static let sizes: [UInt64] = [1_000_000, 256_000_000]
    /// The additional memory that the long stream may take, in bytes.
    private static let allowance = 8e6

    func run() throws {
        var peaks: [Double] = []
        for size in Self.sizes {
            let peak = try peak(streaming: scratch.records(size))
            peaks.append(peak)
            if output.json {
                print(#"{"corpus":"records_stream","bytes":\#(size),"peak_bytes":\#(Int(peak))}"#)
            } else {
                print(String(format: "%4d MB streamed: peak memory %.1f MB", size / 1_000_000, peak / 1e6))
            }
        }
        let growth = peaks[1] - peaks[0]
        if !output.json { print(String(format: "the long stream takes %.1f MB more", growth / 1e6)) }
        if growth > Self.allowance {
            output.note("More than \(Int(Self.allowance / 1e6)) MB: memory is not constant.")
            throw ExitCode.failure
        }
    }

    /// Streams a file and prints the peak memory. Runs in the separate process.
    static func child(_ path: String) throws {
        var digest = RecordDigest()
        try JSONModelDecoder().forEach(Record.self, in: .file(path), at: "[*]") { (record: Record) in
            digest.add(record)
        }
        keep(digest)
        print(ProcessMemory.peak)
    }

    private func peak(streaming path: String) throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        process.arguments = ["--stream-peak", path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let number = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard process.terminationStatus == 0, let peak = Double(number) else {
            throw FloorError("The streaming process failed.")
        }
        return peak
    }
}
