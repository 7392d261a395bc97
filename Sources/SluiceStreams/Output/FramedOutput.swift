import SluiceCore

/// Elements that were encoded in a framing and not passed on yet.
///
/// An element that cannot be encoded leaves the output unchanged. After an error of the destination, the bytes that the destination
/// has not accepted stay, so that the next call passes on the rest.
package struct FramedOutput {
    /// The number of bytes after which the output should be passed on.
    private static var pieceSize: Int { 65_536 }

    package let options: EncodingOptions
    /// The memory of another module, which encodes the elements that have no plan.
    package var engine: AnyObject?
    private let isDocument: Bool
    /// The bytes before and after a value, except for those of an array.
    private let prefix, suffix: [UInt8]
    /// Whether a line break in a value would divide the value.
    private let isDividedByLines: Bool
    /// The bytes that the destination has not accepted.
    package private(set) var bytes: [UInt8] = []
    /// The number of bytes that the destination has accepted.
    private var acceptedCount = 0
    /// The ends of the elements that are not complete in the destination, as numbers of bytes from the start of the output.
    private var ends: [Int] = []
    /// The number of elements that are complete in the destination.
    private(set) var passedCount = 0
    /// Whether the output has its end, so that no further elements follow.
    private var isEnded = false

    /// The number of elements.
    var count: Int { passedCount + ends.count }
    package var isFull: Bool { bytes.count >= Self.pieceSize }

    /// - Parameter first: Bytes that end the element before, in a file to which elements are appended.
    package init(_ encoder: JSONModelEncoder, _ framing: JSONFraming, after first: [UInt8] = []) {
        let rules = framing.rules
        (isDocument, isDividedByLines, bytes) = (framing == .document, rules.isDividedByLines, first)
        (prefix, suffix) = (rules.prefix, rules.suffix)
        var options = encoder.options
        if isDividedByLines { options.format.isPretty = false }
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
    package mutating func appendElement(
        _ encode: (Int, (UnsafeRawBufferPointer) -> Void) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        if isEnded { throw JSONModelError(.unwritable(errno: 0, "an element after the end of the output")) }
        do throws(JSONModelError) { try encode(isDocument ? 1 : 0) { append($0) } } catch {
            var error = error
            for index in error.issues.indices {
                error.issues[index].path.components.insert(.index(count), at: 0)
                error.issues[index].elementIndex = count
            }
            throw error
        }
        ends.append(acceptedCount + bytes.count)
    }

    private mutating func append(_ text: UnsafeRawBufferPointer) {
        if isDocument {
            bytes.append(UInt8(ascii: count == 0 ? "[" : ","))
            if options.format.isPretty { bytes += Array("\n  ".utf8) }
            bytes += text
        } else {
            bytes += prefix
            appendValue(text)
            bytes += suffix
        }
    }

    /// Appends a value without line breaks, if they would divide the value.
    private mutating func appendValue(_ text: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes += text
        // Only source text has line breaks, such as that of a `JSONRaw`. They are white space, because strings have escapes in their place.
        guard isDividedByLines, text.assumingMemoryBound(to: UInt8.self).lengthOfLine < text.count else { return }
        for index in start..<bytes.count where bytes[index].endsLine { bytes[index] = UInt8(ascii: " ") }
    }

    /// Appends the end of the output, once.
    package mutating func end() {
        if isEnded { return }
        isEnded = true
        guard isDocument else { return }
        if count == 0 {
            bytes += Array("[]".utf8)
        } else {
            if options.format.isPretty { bytes.append(UInt8(ascii: "\n")) }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// Removes the first bytes, which the destination has accepted.
    mutating func accept(_ count: Int) {
        acceptedCount += count
        if count < bytes.count {
            bytes.removeFirst(count)
        } else {
            bytes.removeAll(keepingCapacity: bytes.count < 16 * Self.pieceSize)
        }
    }

    /// Counts the elements that are complete in the first bytes of the output, which have arrived in the destination.
    mutating func complete(in count: Int) {
        let complete = ends.count { $0 <= count }
        passedCount += complete
        ends.removeFirst(complete)
    }

    /// Accepts all bytes, which have arrived in the destination.
    package mutating func completeAll() {
        accept(bytes.count)
        complete(in: acceptedCount)
    }

    /// Adds to an error the number of elements that are complete in the destination.
    func located(_ error: JSONModelError) -> JSONModelError {
        var error = error
        for index in error.issues.indices { error.issues[index].elementIndex = passedCount }
        return error
    }
}
