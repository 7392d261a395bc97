/// A scanner of the JSON in strings. The sink that has received a string receives the tokens in the string.
///
/// The scanner and its memory are kept for the next string.
final class NestedScanner {
    /// The greatest number of levels of a text.
    static var maximumLevels: Int { 64 }
    private static var windowSize: Int { 512 }

    // Only the driver that has the scanner uses it, and never while a text is read.
    @exclusivity(unchecked) private var scanner: Scanner
    @exclusivity(unchecked) private var window: TokenWindow
    @exclusivity(unchecked) private(set) var isReading = false
    private let memory: UnsafeMutableRawPointer

    init(_ limits: JSONLimits) {
        let size = Scanner.sizeOfMemory(levels: Self.maximumLevels)
        memory = .allocate(byteCount: size + Self.windowSize, alignment: 16)
        scanner = Scanner(
            tentative: limits, levels: Self.maximumLevels, in: Region(start: memory, size: size))
        window = TokenWindow(in: Region(start: memory + size, size: Self.windowSize))
    }

    deinit { memory.deallocate() }

    /// Sends the tokens of a text. Returns false at the first error, and at an action that needs the text's source.
    ///
    /// - Parameter levels: The number of levels that the text may have.
    func send(
        _ text: UnsafeBufferPointer<UInt8>, levels: Int, to sink: inout some TokenSink & ~Copyable
    ) -> Bool {
        isReading = true
        window.set(text)
        defer {
            window.keep(last: 0)
            isReading = false
        }
        return scanner.send(
            window.bytes, margins: TokenWindow.margins,
            levels: min(levels, Self.maximumLevels), to: &sink)
    }
}
