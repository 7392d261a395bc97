// Arrays of doubles, whose elements are written to the sink's memory without a token for each number.

extension Scanner {
    /// Reads the next elements of the open array of doubles, and the arrays of doubles that follow in the same array. Ends before a
    /// value that is no number, is a long number, or may continue after the window. The general loop reads that value, and reports
    /// its errors. Reads nothing if the open container is another one.
    ///
    /// - Returns: Whether the parse may continue.
    @inline(never)
    mutating func readDoubles(_ sink: inout some TokenSink & ~Copyable) -> Bool {
        // No number that is read here is longer, so the limit need not be checked for each number.
        guard limits.number >= PlainNumberRange.longest else { return true }
        let reader = DoubleReader(
            plainNumbers: plainNumbers, safeEnd: safeEnd, vectorEnd: vectorEnd, containers: containers.view)
        while let memory = sink.nextDoubles {
            let run = reader.read(from: cursor, to: memory, depth)
            if run.count == 0 { break }
            take(run, &sink)
            guard run.isClosed else { continue }
            depth &-= 1
            cursor += 1
            let action = sink.endArray()
            if action != .proceed, !apply(action, from: run.end, to: cursor, &sink) { return false }
            readNextArrays(reader, &sink)
        }
        return true
    }

    /// Reads the arrays of doubles that follow an array of doubles in the same array. Opens the first one that has other values, or
    /// does not end in the window or in the memory.
    @inline(__always)
    private mutating func readNextArrays(
        _ reader: DoubleReader, _ sink: inout some TokenSink & ~Copyable
    ) {
        while let start = reader.nextArray(cursor, depth), let memory = sink.doubleArray {
            let run = reader.read(from: start, to: memory, depth &+ 1)
            guard run.isClosed else {
                // The entry of this depth in `containers` is still that of the array before.
                depth &+= 1
                _ = sink.startArray()
                (cursor, expectation) = (start, .valueOrClose)
                if run.count > 0 { take(run, &sink) }
                break
            }
            sink.doubleArray(UnsafeMutableBufferPointer(rebasing: memory[..<run.count]))
            cursor = run.end + 1
        }
    }

    @inline(__always)
    private mutating func take(_ run: DoubleReader.Run, _ sink: inout some TokenSink & ~Copyable) {
        sink.doubles(run.count)
        cursor = run.end
        expectation = run.isClosed ? .commaOrClose : .value
    }

    /// Reads consecutive elements of an array of doubles from the scanner's window.
    struct DoubleReader {
        /// Consecutive elements.
        struct Run {
            /// The closing bracket, or the first value that was not read, or white space before.
            var end: UnsafePointer<UInt8>
            var count = 0
            var isClosed = false
        }

        // The window, as in the scanner.
        let plainNumbers: PlainNumberRange
        let safeEnd: UnsafePointer<UInt8>
        let vectorEnd: UnsafePointer<UInt8>
        let containers: OpenContainers.View

        /// Reads numbers from a position where a value may begin, or white space before.
        ///
        /// - Parameter depth: The depth of the array, for the expected white space.
        @inline(__always)
        func read(
            from start: UnsafePointer<UInt8>, to memory: UnsafeMutableBufferPointer<Double>, _ depth: Int
        ) -> Run {
            var run = Run(end: start)
            while run.count < memory.count, run.end <= safeEnd {
                run.end = spaceEnd(run.end, depth)
                guard run.end <= safeEnd, let number = number(at: run.end), number.end <= safeEnd else { break }
                let next = spaceEnd(number.end, depth &- 1)
                if next.pointee == UInt8(ascii: ",") {
                    run.end = next + 1
                } else if next.pointee == UInt8(ascii: "]"), next <= safeEnd {
                    run.end = next
                    run.isClosed = true
                } else {
                    break
                }
                memory.initializeElement(at: run.count, to: number.value)
                run.count &+= 1
                if run.isClosed { break }
            }
            return run
        }

        /// Returns the position after the opening bracket if another array follows, in an array of this depth.
        @inline(__always)
        func nextArray(_ at: UnsafePointer<UInt8>, _ depth: Int) -> UnsafePointer<UInt8>? {
            guard at <= safeEnd, at.pointee == UInt8(ascii: ",") else { return nil }
            let next = spaceEnd(at + 1, depth)
            return next <= safeEnd && next.pointee == UInt8(ascii: "[") ? next + 1 : nil
        }

        @inline(__always)
        private func spaceEnd(_ at: UnsafePointer<UInt8>, _ depth: Int) -> UnsafePointer<UInt8> {
            Scanner.spaceEnd(at, in: containers, depth, safeEnd: safeEnd, vectorEnd: vectorEnd)
        }

        /// Reads the number at a position. Returns nil for other values, and for long numbers.
        @inline(__always)
        private func number(at start: UnsafePointer<UInt8>) -> PlainNumber<Double>? {
            if plainNumbers.contains(start), let number = Double.plain(at: start), number.isComplete {
                return number
            }
            return Self.otherNumber(at: start)
        }

        @inline(never)
        private static func otherNumber(at start: UnsafePointer<UInt8>) -> PlainNumber<Double>? {
            let first = start.pointee == UInt8(ascii: "-") ? start[1] : start.pointee
            guard first &- 0x30 <= 9 else { return nil }
            let count = Kernels.longNumberLength(start)
            guard count > 0, let value = NumberToken.scan(start, count: count).floatingPoint(Double.self) else {
                return nil
            }
            return PlainNumber(value: value, end: start + count)
        }
    }
}
