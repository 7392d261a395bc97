/// Elements that were encoded in a framing and not passed on yet.
///
/// An element that cannot be encoded leaves the output unchanged.
struct FramedOutput {
    /// The number of bytes after which the output should be passed on.
    private static var pieceSize: Int { 65_536 }

    let options: EncodingOptions
    private let framing: JSONFraming
    private(set) var bytes: [UInt8] = []
    /// The ends of the elements in `bytes`.
    private var ends: [Int] = []
    /// The number of elements that were passed on before.
    private(set) var passedCount = 0

    /// The number of elements.
    var count: Int { passedCount + ends.count }
    var isFull: Bool { bytes.count >= Self.pieceSize }

    init(_ encoder: JSONModelEncoder, _ framing: JSONFraming) {
        self.framing = framing
        var options = encoder.options
        // A value with line breaks would be divided.
        if framing == .lines || framing == .serverSentEvents { options.format.isPretty = false }
        self.options = options
    }

    /// Appends an element.
    mutating func append<T: JSONConvertible>(_ element: T) throws(JSONModelError) {
        let layout = try options.planCache.layout(for: JSONShape.unretained(of: T.self))
        try appendElement { [options] (depth, append) throws(JSONModelError) in
            try withUnsafePointer(to: element) { address throws(JSONModelError) in
                try ModelWriter.withText(UnsafeRawPointer(address), layout, options, depth: depth, append)
            }
        }
    }

    /// Appends the element that a closure encodes.
    ///
    /// - Parameter encode: Receives the number of brackets around the element, and passes the JSON to the second argument.
    mutating func appendElement(
        _ encode: (Int, (UnsafeRawBufferPointer) -> Void) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        do throws(JSONModelError) { try encode(framing == .document ? 1 : 0) { append($0) } } catch {
            var error = error
            for index in error.issues.indices {
                error.issues[index].path.components.insert(.index(count), at: 0)
                error.issues[index].elementIndex = count
            }
            throw error
        }
        ends.append(bytes.count)
    }

    private mutating func append(_ text: UnsafeRawBufferPointer) {
        switch framing {
        case .document:
            bytes.append(UInt8(ascii: count == 0 ? "[" : ","))
            if options.format.isPretty { bytes += Array("\n  ".utf8) }
            bytes += text
        case .lines, .concatenated:
            bytes += text
            bytes.append(UInt8(ascii: "\n"))
        case .textSequence:
            bytes.append(0x1E)
            bytes += text
            bytes.append(UInt8(ascii: "\n"))
        case .serverSentEvents:
            bytes += Array("data: ".utf8)
            bytes += text
            bytes += Array("\n\n".utf8)
        }
    }

    /// Appends the end of the output.
    mutating func end() {
        guard framing == .document else { return }
        if count == 0 {
            bytes += Array("[]".utf8)
        } else {
            if options.format.isPretty { bytes.append(UInt8(ascii: "\n")) }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// Removes all bytes, which were passed on.
    mutating func removeAll() {
        passedCount = count
        bytes.removeAll(keepingCapacity: bytes.count < 16 * Self.pieceSize)
        ends.removeAll(keepingCapacity: true)
    }

    /// Adds to an error the number of elements whose bytes were all passed on.
    ///
    /// - Parameter written: The number of bytes that were passed on of those that are left.
    func located(_ error: JSONModelError, written: Int) -> JSONModelError {
        var error = error
        for index in error.issues.indices {
            error.issues[index].elementIndex = passedCount + ends.count { $0 <= written }
        }
        return error
    }
}
