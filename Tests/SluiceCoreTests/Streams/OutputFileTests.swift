import Foundation
import SluiceStreams
import TestSupport
import Testing

@testable import SluiceCore

/// Files that are written: whole or not at all, by way of links too.
@Suite(.tags(.files)) struct OutputFileTests {
    private let encoder = JSONModelEncoder()

    /// Runs `body` with an empty folder, and expects it to have left no temporary file.
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
        let left = FileManager.default.subpaths(atPath: folder) ?? []
        #expect(left.filter { $0.hasSuffix(".tmp") }.isEmpty)
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    private func target(_ path: String) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: path)
    }

    private func number(of path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    /// More than one piece of output, and then something that cannot be written.
    private let failing: [Double] = Array(repeating: 1.5, count: 100_000) + [.nan]

    @Test func `writing to a link keeps the link and replaces its target`() throws {
        try inFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/inner", withIntermediateDirectories: true)
            let file = folder + "/file.json"
            // Absolute, relative, out of another folder, and a chain of these.
            let links = [
                ("absolute", file), ("relative", "file.json"), ("inner/up", "../file.json"),
                ("chain", "inner/next"), ("inner/next", "../inner/../absolute"),
            ]
            for (link, target) in links {
                try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: target)
            }
            for (round, (link, expected)) in links.enumerated() {
                try encoder.write([0], to: .file(file))
                let before = number(of: file)
                try encoder.write([round], to: .file("\(folder)/\(link)"))
                #expect(try target("\(folder)/\(link)") == expected)
                #expect(try text(file) == "[\(round)]")
                // Another file, so that no reader sees half of one.
                #expect(number(of: file) != before)
            }
        }
    }

    @Test func `a failure leaves the target of a link unchanged`() throws {
        try inFolder { folder in
            let (file, link) = (folder + "/file.json", folder + "/link.json")
            try encoder.write([1], to: .file(file))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file.json")
            for path in [file, link] {
                #expect(throws: JSONModelError.self) { try encoder.write(failing, to: .file(path)) }
                #expect(throws: JSONModelError.self) { try encoder.write(elements: failing, to: .file(path)) }
                #expect(try text(file) == "[1]")
                #expect(try target(link) == "file.json")
            }
        }
    }

    @Test func `writing to a dangling link creates its target`() throws {
        try inFolder { folder in
            let link = folder + "/link.json"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "new.json")
            #expect(throws: JSONModelError.self) { try encoder.write(failing, to: .file(link)) }
            #expect(!FileManager.default.fileExists(atPath: folder + "/new.json"))
            try encoder.write([1], to: .file(link))
            #expect(try target(link) == "new.json")
            #expect(try text(folder + "/new.json") == "[1]")
        }
    }

    @Test func `a cycle of links is an error`() throws {
        try inFolder { folder in
            try FileManager.default.createSymbolicLink(atPath: folder + "/a", withDestinationPath: "b")
            try FileManager.default.createSymbolicLink(atPath: folder + "/b", withDestinationPath: "a")
            let error = #expect(throws: JSONModelError.self) { try encoder.write([1], to: .file(folder + "/a")) }
            guard case .unwritable(let number, _)? = error?.issues.first?.kind else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(number == ELOOP)
            #expect(try target(folder + "/a") == "b")
        }
    }

    @Test func `an error that is not of the system has the number 0`() {
        let error = #expect(throws: JSONModelError.self) {
            try encoder.write([1], to: .writing { _ in throw CancellationError() })
        }
        #expect(error?.issues.map(\.kind) == [.unwritable(errno: 0, "the output: CancellationError()")])
    }

    @Test func `a replaced file keeps its permissions`() throws {
        try inFolder { folder in
            let (file, link) = (folder + "/file.json", folder + "/link.json")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file.json")
            // Some that the mask of new files takes away.
            for mode: mode_t in [0o600, 0o644, 0o666, 0o777] {
                try encoder.write([1], to: .file(file))
                try #require(chmod(file, mode) == 0)
                for path in [file, link] {
                    try encoder.write([2], to: .file(path))
                    var status = stat()
                    #expect(stat(file, &status) == 0)
                    #expect(status.st_mode & 0o777 == mode)
                }
            }
        }
    }

    @Test func `a file with the longest name is replaced`() throws {
        try inFolder { folder in
            let file = folder + "/" + String(repeating: "n", count: 255)
            try encoder.write([1], to: .file(file))
            try encoder.write([2], to: .file(file))
            #expect(try text(file) == "[2]")
        }
    }

    @Test func `a pipe is written to and not replaced`() throws {
        try inFolder { folder in
            let (pipe, link) = (folder + "/pipe", folder + "/link")
            try #require(mkfifo(pipe, 0o600) == 0)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "pipe")
            for path in [pipe, link] {
                let isDone = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    try? JSONModelEncoder().write(Array(repeating: 7, count: 100_000), to: .file(path))
                    isDone.signal()
                }
                #expect(try JSONModelDecoder().decode([Int].self, from: .file(pipe)).count == 100_000)
                isDone.wait()
                var status = stat()
                #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
            }
        }
    }

    @Test func `a pipe is closed when its writer is discarded`() throws {
        try inFolder { folder in
            let pipe = folder + "/pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            let reader = open(pipe, O_RDONLY | O_NONBLOCK)
            try #require(reader >= 0)
            defer { close(reader) }
            do {
                var writer = try JSONModelEncoder().writer(to: .file(pipe), framing: .lines)
                try writer.write(1)
            }
            var bytes = [UInt8](repeating: 0, count: 100)
            var count = 1
            while count > 0 { count = read(reader, &bytes, bytes.count) }
            // 0 is the end. An open pipe without bytes is an error.
            #expect(count == 0)
        }
    }

    // MARK: Contents

    @Test func `the contents of a file are replaced on request`() throws {
        try inFolder { folder in
            let (file, other, link) = (folder + "/file.json", folder + "/other.json", folder + "/link.json")
            try encoder.write([1, 2, 3], to: .file(file, inPlace: true))
            #expect(try text(file) == "[1,2,3]")
            try #require(Foundation.link(file, other) == 0)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file.json")
            let before = number(of: file)
            try encoder.write([4], to: .file(file, inPlace: true))
            #expect(try text(file) == "[4]" && text(other) == "[4]")
            try encoder.write([5], to: .file(link, inPlace: true))
            #expect(try text(other) == "[5]" && target(link) == "file.json")
            #expect(number(of: file) == before && number(of: other) == before)
            // A new file leaves the other name with the old contents.
            try encoder.write([6], to: .file(file, inPlace: false))
            #expect(try text(file) == "[6]" && text(other) == "[5]")
            #expect(number(of: file) != before)
            // Without a temporary file, the part before an error stays.
            #expect(throws: JSONModelError.self) { try encoder.write(failing, to: .file(file, inPlace: true)) }
            #expect(try text(file).hasPrefix("[1.5,1.5,"))
        }
    }

    #if os(Linux)
    @Test func `a mount point is an error that names the alternative`() throws {
        try inFolder { folder in
            let (file, other) = (folder + "/file.json", folder + "/other.json")
            try encoder.write([1], to: .file(file))
            try encoder.write([2], to: .file(other))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/mount")
            process.arguments = ["--bind", other, file]
            process.standardError = FileHandle.nullDevice
            // Without the rights to mount, nothing is tested.
            guard (try? process.run()) != nil else { return }
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { return }
            defer { umount(file) }
            let error = #expect(throws: JSONModelError.self) { try encoder.write([3], to: .file(file)) }
            guard case .unwritable(EBUSY, _)? = error?.issues.first?.kind else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(error?.description.contains(".file(path, inPlace: true)") == true)
            #expect(try text(file) == "[2]")
            try encoder.write([4], to: .file(file, inPlace: true))
            #expect(try text(file) == "[4]" && text(other) == "[4]")
        }
    }
    #endif

    // MARK: Writers

    @Test func `a writer that is destroyed passes its elements on`() throws {
        try inFolder { folder in
            let file = folder + "/file.jsonl"
            do {
                var writer = try encoder.writer(to: .appending(to: file), framing: .lines)
                for number in 0..<3 { try writer.write(number) }
            }
            #expect(try text(file) == "0\n1\n2\n")
            for format in JSONCompression.available {
                let path = "\(file).\(format)"
                do {
                    var writer = try encoder.writer(
                        to: .appending(to: path).compressed(with: format), framing: .lines)
                    for number in 0..<3 { try writer.write(number) }
                }
                // Further elements can be appended, because the data is complete.
                var writer = try encoder.writer(to: .appending(to: path).compressed(with: format), framing: .lines)
                try writer.write(3)
                try writer.finish()
                var values: [Int] = []
                try JSONModelDecoder().forEach(Int.self, in: .file(path), framing: .lines) { values.append($0) }
                #expect(values == [0, 1, 2, 3])
            }
            var chunks: [[UInt8]] = []
            do {
                var writer = encoder.writer(to: { chunks.append(Array($0)) }, framing: .lines)
                try writer.write(1)
            }
            #expect(chunks == [Array("1\n".utf8)])
            do { _ = encoder.writer(to: { chunks.append(Array($0)) }, framing: .lines) }
            #expect(chunks.count == 1)
            // A file that would be replaced is unchanged.
            do {
                var writer = try encoder.writer(to: .file(file), framing: .lines)
                try writer.write(7)
            }
            #expect(try text(file) == "0\n1\n2\n")
        }
    }

    @Test func `a writer that has failed is not asked again when it is destroyed`() throws {
        let calls = Lock(0)
        do {
            var writer = encoder.writer(
                to: { _ in
                    calls.withLock { $0 += 1 }
                    throw CancellationError()
                }, framing: .lines)
            try writer.write(1)
            #expect(throws: JSONModelError.self) { try writer.flush() }
        }
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func `finish passes the rest on after an error`() async throws {
        for framing in [JSONFraming.document, .lines] {
            let expected = framing == .document ? "[1,2]" : "1\n2\n"
            var (output, failures) = ([UInt8](), 2)
            var writer = encoder.writer(
                to: { bytes in
                    failures -= 1
                    if failures >= 0 { throw CancellationError() }
                    output += bytes
                }, framing: framing)
            try writer.write(1)
            try writer.write(2)
            for _ in 0..<2 { #expect(throws: JSONModelError.self) { try writer.finish() } }
            try writer.finish()
            #expect(String(decoding: output, as: UTF8.self) == expected)
            // The output has ended.
            try writer.finish()
            let error = #expect(throws: JSONModelError.self) { try writer.write(3) }
            #expect(error?.description == "cannot write an element after the end of the output")
            #expect(String(decoding: output, as: UTF8.self) == expected)

            for format in [nil] + JSONCompression.available.map(Optional.some) {
                let faulty = FaultyWriting(size: 3, failures: 2, seed: 3)
                let destination = format.map { faulty.destination.compressed(with: $0) } ?? faulty.destination
                var writer = try encoder.writer(to: destination, framing: framing)
                try writer.write(1)
                try writer.write(2)
                var attempts = 0
                while attempts < 1_000 {
                    attempts += 1
                    do {
                        try writer.finish()
                        break
                    } catch {}
                }
                #expect(attempts > 1 && attempts < 1_000)
                var values: [Int] = []
                try JSONModelDecoder().forEach(Int.self, in: faulty.bytes, framing: framing) { values.append($0) }
                #expect(values == [1, 2], "\(framing), \(format as Any)")
            }
            let state = Lock((output: [UInt8](), failures: 2))
            var asynchronous = encoder.writer(
                to: { (chunk: [UInt8]) async throws in
                    try state.withLock { state in
                        state.failures -= 1
                        if state.failures >= 0 { throw CancellationError() }
                        state.output += chunk
                    }
                }, framing: framing)
            try await asynchronous.write(1)
            try await asynchronous.write(2)
            for _ in 0..<2 {
                do {
                    try await asynchronous.finish()
                    Issue.record("no error")
                } catch {}
            }
            try await asynchronous.finish()
            #expect(state.withLock { String(decoding: $0.output, as: UTF8.self) } == expected)
        }
    }

    #if os(Linux)
    @Test func `a file that is not completed is closed`() throws {
        try inFolder { folder in
            for destination in [JSONDestination.file(folder + "/file.json"), .appending(to: folder + "/rows.json")]
            {
                var writer = try encoder.writer(to: destination, framing: .lines)
                try writer.write(1)
            }
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { file in
                (try? target("/proc/self/fd/\(file)"))?.hasPrefix(folder) == true
            }
            #expect(open == [])
        }
    }
    #endif

    @Test func `an open descriptor is written to and not replaced`() throws {
        try inFolder { folder in
            let file = folder + "/file.json"
            let descriptor = open(file, O_RDWR | O_CREAT, 0o600)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            let before = number(of: file)
            try encoder.write([1, 2], to: .file("/dev/fd/\(descriptor)"))
            #expect(number(of: file) == before)
            #expect(try text(file) == "[1,2]")
        }
    }
}
