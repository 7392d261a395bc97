import Foundation

/// The result of a child process.
struct ProcessResult {
    enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
        case timeout
        /// The output had the text to stop at, and the process was killed.
        case stopped
    }

    var end: End
    var output: [UInt8]
    var duration: Double

    var text: String { String(decoding: output, as: UTF8.self) }
}

/// Runs a program, and waits for its end. Reads both outputs.
///
/// - Parameters:
///   - environment: Variables besides those of this process.
///   - timeLimit: The time after which the process is killed, in seconds.
///   - stop: A text of the output at which the process is killed.
///   - limit: The largest number of bytes of the output that are kept: the last ones.
func runProgram(
    _ arguments: [String], environment: [String: String] = [:], timeLimit: Double = .infinity,
    stoppingAt stop: String? = nil,
    keeping limit: Int = .max
) throws -> ProcessResult {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failed("A pipe cannot be opened.") }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    posix_spawnattr_init(&attributes)
    // A group of its own, so that children of the process are killed, too.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        close(ends[0])
    }
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
    var words = arguments.map { strdup($0) } + [nil]
    var settings = variables.map { strdup($0) } + [nil]
    defer {
        for word in words + settings { free(word) }
    }
    let start = now()
    var child: pid_t = 0
    let error = posix_spawnp(&child, arguments[0], &actions, &attributes, &words, &settings)
    close(ends[1])
    guard error == 0 else { throw Failed("\(arguments[0]) cannot be started: error \(error).") }

    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    var end: ProcessResult.End?
    let pattern = stop.map { Array($0.utf8) }
    while end == nil {
        let left = timeLimit - (now() - start)
        if left <= 0 {
            end = .timeout
            break
        }
        var descriptor = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        let ready = poll(&descriptor, 1, Int32(min(left * 1000 + 1, 1000)))
        guard ready > 0 else { continue }
        let count = read(ends[0], &buffer, buffer.count)
        if count <= 0 { break }
        let tail = max(0, output.count - (pattern?.count ?? 0))
        output += buffer[..<count]
        if let pattern, output[tail...].firstRange(of: pattern) != nil { end = .stopped }
        if limit < .max, output.count > 2 * limit { output.removeFirst(output.count - limit) }
    }
    var status: Int32 = 0
    if end != nil {
        kill(-child, SIGKILL)
        waitpid(child, &status, 0)
    } else {
        // The output has ended. The process may take longer, or hang.
        while waitpid(child, &status, WNOHANG) == 0 {
            if now() - start > timeLimit {
                kill(-child, SIGKILL)
                waitpid(child, &status, 0)
                end = .timeout
                break
            }
            usleep(1000)
        }
    }
    let signal = status & 0x7F
    return ProcessResult(
        end: end ?? (signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)), output: output,
        duration: now() - start)
}

func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// An error with a message for the terminal.
struct Failed: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Writes a line to the terminal.
func report(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
}
