import SluiceCore
import SystemPackage

/// Bytes that are read in the ways of real files: in short reads, interrupted, and with an error at an offset.
struct FaultyReading {
    var bytes: [UInt8]
    /// The greatest number of bytes of each read, in turn.
    var sizes = [Int.max]
    /// Whether a signal interrupts every read once or twice.
    var isInterrupted = false
    /// The offset of a read that fails. Only one read fails: the next would return further bytes.
    var failure: Int?
    var error = Errno.ioError
    /// Whether the file is regular. A reader asks a regular file for full windows.
    var isRegular = true

    /// The input, which begins again each time it is read.
    var input: JSONReadingInput {
        JSONReadingInput(length: isRegular ? bytes.count : nil) { [self] in
            let state = State(self)
            return { try state.read(into: $0) }
        }
    }

    private final class State {
        private let reading: FaultyReading
        private var offset = 0
        private var calls = 0
        private var hasFailed = false

        init(_ reading: FaultyReading) { self.reading = reading }

        func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
            calls += 1
            if reading.isInterrupted, calls % 5 != 0, calls % 2 == 0 { throw Errno.interrupted }
            var count = min(reading.sizes[calls % reading.sizes.count], target.count, reading.bytes.count - offset)
            if let failure = reading.failure, !hasFailed {
                if offset == failure {
                    hasFailed = true
                    throw reading.error
                }
                count = min(count, failure - offset)
            }
            reading.bytes.withUnsafeBytes { bytes in
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
            }
            offset += count
            return count
        }
    }
}
