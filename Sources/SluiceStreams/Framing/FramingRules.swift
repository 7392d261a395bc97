import SluiceCore

/// The rules of a framing: where its values begin and end, and which bytes surround them.
///
/// A framing is a case of `JSONFraming` and a type with these rules, beside its splitter. Other code asks the rules, and compares only with a
/// document, whose elements are parts of one value.
protocol FramingRules: Sendable {
    // MARK: Reading

    /// Returns the splitter of an input that begins at a position; nil for a document.
    func splitter(at position: LineCount) -> (any ValueSplitter)?
    /// Whether a stream can continue in the middle of a value.
    var continuesInValues: Bool { get }
    /// Whether a line feed ends each value and is in none, so that a thread can begin at any byte.
    var endsWithLineFeed: Bool { get }
    /// The message of bytes that belong to no value.
    var strayMessage: String { get }
    /// Whether such bytes are an error in a range, before which the values may have begun.
    var rejectsStrayInRange: Bool { get }
    /// The hint for a value that is followed by another one.
    var severalValuesHint: String? { get }

    // MARK: Writing

    /// The bytes before and after a value.
    var prefix: [UInt8] { get }
    var suffix: [UInt8] { get }
    /// Whether a line break in a value would divide the value.
    var isDividedByLines: Bool { get }

    // MARK: Ranges

    /// Whether the bytes around an offset show whether a value begins there.
    var hasVisibleBorders: Bool { get }
    /// Returns the first offset from an offset after the start of the text on at which a value may begin, if borders are visible.
    func border(from offset: Int, in search: BorderSearch) throws(JSONModelError) -> Int
    /// Returns the start of a range whose first value has a position.
    ///
    /// - Parameter end: The end of the value before, or the start of the file.
    func start(
        of position: JSONElementPosition, after end: JSONLocation, in search: BorderSearch
    ) throws(JSONModelError) -> JSONLocation

    // MARK: Appending

    /// Returns the number of bytes after which the last value of a text starts; nil if the bytes have no start of a value.
    ///
    /// - Parameter last: The two bytes before.
    func lastStart(in bytes: UnsafeBufferPointer<UInt8>, after last: (UInt8, UInt8)) -> Int?
    /// Returns the bytes after which another value can follow the last one, which is complete.
    func separator(after value: LastValue, endingWith last: UInt8) -> [UInt8]
}

extension FramingRules {
    var continuesInValues: Bool { false }
    var endsWithLineFeed: Bool { false }
    var strayMessage: String { "" }
    var rejectsStrayInRange: Bool { false }
    var severalValuesHint: String? { nil }
    var prefix: [UInt8] { [] }
    var suffix: [UInt8] { [UInt8(ascii: "\n")] }
    var isDividedByLines: Bool { false }
    var hasVisibleBorders: Bool { true }

    func border(from offset: Int, in search: BorderSearch) throws(JSONModelError) -> Int { offset }

    func start(
        of position: JSONElementPosition, after end: JSONLocation, in search: BorderSearch
    ) throws(JSONModelError) -> JSONLocation {
        let border = try search.border(from: end.offset, self)
        return try search.lines(LineCount(before: end), to: border, self).location
    }

    func lastStart(in bytes: UnsafeBufferPointer<UInt8>, after last: (UInt8, UInt8)) -> Int? { nil }

    func separator(after value: LastValue, endingWith last: UInt8) -> [UInt8] { value.isOpen ? suffix : [] }
}
