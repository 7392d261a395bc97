// The build without macros has the tool. With macros, the tool would be built for the target, with a core of its own.
#if !Macros
import Foundation
import Testing

/// A run of the tool as a process.
struct ToolProcess {
    var output: String
    var errors: String
    var status: Int32

    /// The tool next to the program of the tests.
    private static let executable: URL = {
        #if os(macOS)
        let tests =
            Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
        #else
        let tests = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        #endif
        return tests.deletingLastPathComponent().appendingPathComponent("sluice")
    }()

    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - input: Standard input.
    ///   - folder: The working directory.
    init(_ arguments: String..., input: String = "", in folder: URL? = nil, environment: [String: String] = [:])
        throws
    {
        let run = try RunningTool(arguments, in: folder, environment: environment)
        try run.write(input)
        try run.closeInput()
        self = try run.finish()
    }

    static func process(_ arguments: [String], in folder: URL?, environment: [String: String]) -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        var variables = ProcessInfo.processInfo.environment
        for name in ["NO_COLOR", "SLUICE_SOURCE"] { variables[name] = nil }
        variables["TERM"] = "xterm"
        process.environment = variables.merging(environment) { $1 }
        return process
    }

    fileprivate init(output: String, errors: String, status: Int32) {
        (self.output, self.errors, self.status) = (output, errors, status)
    }
}

/// The tool while it runs, with a pipe as its input.
final class RunningTool {
    private let process: Process
    private let input = Pipe()
    /// Our end of the terminal that is the input; nil for a pipe.
    private let keyboard: FileHandle?
    private let errors = Pipe()
    private let output: FileHandle

    /// - Parameters:
    ///   - onTerminal: Whether standard output is a terminal.
    ///   - showsErrors: Whether standard error is a terminal. Its text is then read as output, and that of a pipe is not.
    ///   - readsKeyboard: Whether standard input is a terminal.
    init(
        _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:], onTerminal: Bool = false,
        showsErrors: Bool = false, readsKeyboard: Bool = false
    ) throws {
        process = ToolProcess.process(arguments, in: folder, environment: environment)
        let typing = try readsKeyboard ? Self.terminal() : nil
        keyboard = typing?.ours
        if let typing { process.standardInput = typing.tool } else { process.standardInput = input }
        var terminal: (ours: FileHandle, tool: FileHandle)?
        if onTerminal || showsErrors { terminal = try Self.terminal() }
        let pipe = Pipe()
        process.standardOutput = onTerminal ? terminal?.tool : pipe.fileHandleForWriting
        process.standardError = showsErrors ? terminal?.tool : errors.fileHandleForWriting
        output = onTerminal || showsErrors ? terminal?.ours ?? .nullDevice : pipe.fileHandleForReading
        try process.run()
        try typing?.tool.close()
        try terminal?.tool.close()
        try pipe.fileHandleForWriting.close()
        try errors.fileHandleForWriting.close()
    }

    /// Returns both ends of a new terminal.
    private static func terminal() throws -> (ours: FileHandle, tool: FileHandle) {
        var (ours, tool): (Int32, Int32) = (-1, -1)
        try #require(openpty(&ours, &tool, nil, nil, nil) == 0)
        return (
            FileHandle(fileDescriptor: ours, closeOnDealloc: true),
            FileHandle(fileDescriptor: tool, closeOnDealloc: true)
        )
    }

    func write(_ text: String) throws {
        try (keyboard ?? input.fileHandleForWriting).write(contentsOf: Data(text.utf8))
    }

    func closeInput() throws { try input.fileHandleForWriting.close() }

    /// Closes the reading end of the output.
    func closeOutput() throws { try output.close() }

    /// Waits for output, and returns as much as has arrived. The wait ends after some time, so that a test fails.
    func nextOutput() -> String {
        var request = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 30_000) > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(output.fileDescriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).replacing("\r\n", with: "\n")
    }

    /// Waits for the end.
    func finish() throws -> ToolProcess {
        var text = ""
        while case let part = nextOutput(), !part.isEmpty { text += part }
        let message = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return ToolProcess(
            output: text, errors: String(decoding: message, as: UTF8.self), status: process.terminationStatus)
    }

    /// Waits for the end of a tool whose output is closed, and returns its status.
    func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// A folder of files, which is removed at the end of a test.
final class TestFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-tool-\(UUID().uuidString)")

    init(_ files: [String: String] = [:]) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: url.appendingPathComponent(name)) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func text(of name: String) -> String? {
        try? String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    }

    /// The names of the files.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}
#endif
