/// The text of an input, which is decompressed if its first bytes are the magic number of a compression.
///
/// Memory holds one window of text, whatever the length and the expansion of the input.
package final class Decompression {
    private enum State {
        /// The first bytes do not determine the format.
        case undetermined
        case plain
        case compressed(JSONCompression, any Decompressor)
    }

    private let limits: JSONLimits
    private var state = State.undetermined
    /// The first bytes, which were withheld because they may be those of a magic number.
    private var first: [UInt8] = []
    /// The text of the current window.
    private var window = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    /// The number of bytes of text.
    private var produced = 0
    /// The error after the last window.
    private var failure: JSONModelError?
    /// Whether the last window was full, so that more text may follow without input.
    private var isFull = false
    /// Receives the offset of each member of the compressed data, and the number of bytes of text before the member.
    package var memberHandler: ((_ offset: Int, _ text: Int) -> Void)?
    private static var smallestWindow: Int { 65_536 }

    package init(_ limits: JSONLimits) { self.limits = limits }

    deinit { window.deallocate() }

    /// Takes the input as text, whatever the first bytes are. Called before the first bytes.
    func readPlain() { state = .plain }

    /// Whether the input is known to be text.
    var isPlain: Bool { if case .plain = state { true } else { false } }

    /// The number of compressed bytes that were consumed; nil for an input that is not compressed.
    var compressedCount: Int? {
        if case .compressed(_, let decompressor) = state { decompressor.consumed } else { nil }
    }

    /// Whether the compressed data may end here, after a complete member.
    package var isComplete: Bool {
        if case .compressed(_, let decompressor) = state { decompressor.isAtEnd } else { false }
    }

    /// Whether padding follows the last member of the compressed data, after which no other member is read.
    package var isPadded: Bool {
        if case .compressed(_, let decompressor) = state { decompressor.isPadded } else { false }
    }

    /// Whether text may follow without input.
    var hasMore: Bool { isFull || failure != nil }

    /// Returns the next text, whose memory is valid until the next call, and while the memory of the chunk is valid.
    ///
    /// - Parameters:
    ///   - chunk: The next bytes of the input. The consumed bytes are removed.
    ///   - openLength: The length of the open token. The window is at least as long.
    /// - Returns: nil if the chunk is consumed.
    /// - Throws: The error of the compressed data, after all text before the error.
    package func text(
        from chunk: inout UnsafeBufferPointer<UInt8>, openLength: Int
    ) throws(JSONModelError) -> UnsafeBufferPointer<UInt8>? {
        if case .undetermined = state {
            if chunk.isEmpty { return nil }
            if let text = try begin(&chunk) { return text }
        }
        switch state {
        case .undetermined: return nil
        case .plain:
            defer { chunk = UnsafeBufferPointer(start: nil, count: 0) }
            return chunk.isEmpty ? nil : chunk
        case .compressed(let format, let decompressor):
            return try decompress(&chunk, with: decompressor, format, openLength)
        }
    }

    /// Ends the input.
    ///
    /// - Returns: The last text, if bytes were withheld.
    /// - Throws: An error if the compressed data is incomplete.
    func finish() throws(JSONModelError) -> UnsafeBufferPointer<UInt8>? {
        switch state {
        case .plain: return nil
        case .undetermined:
            state = .plain
            return first.isEmpty ? nil : withheld(first)
        case .compressed(let format, let decompressor):
            if let failure { throw failure }
            if decompressor.isAtEnd { return nil }
            throw error(.truncatedCompression(format), at: decompressor.consumed)
        }
    }

    /// Determines the format, if the bytes so far are sufficient. Returns the bytes that were withheld, if they are text.
    private func begin(_ chunk: inout UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> UnsafeBufferPointer<
        UInt8
    >? {
        var detection = JSONCompression.detect(chunk)
        if !first.isEmpty || detection == .undetermined {
            while let byte = chunk.first {
                first.append(byte)
                chunk = UnsafeBufferPointer(rebasing: chunk.dropFirst())
                detection = first.withUnsafeBufferPointer { JSONCompression.detect($0) }
                if detection != .undetermined { break }
            }
        }
        switch detection {
        case .undetermined: return nil
        case .plain:
            state = .plain
            return first.isEmpty ? nil : withheld(first)
        case .compressed(let format):
            state = .compressed(format, try format.decompressor(window: limits.window))
            return nil
        }
    }

    /// Returns a copy of bytes as text.
    private func withheld(_ bytes: [UInt8]) -> UnsafeBufferPointer<UInt8> {
        reserve(bytes.count)
        let end = window.update(fromContentsOf: bytes)
        first = []
        return UnsafeBufferPointer(rebasing: window[..<end])
    }

    private func reserve(_ count: Int) {
        let wanted = max(Self.smallestWindow, count)
        guard wanted > window.count || wanted * 4 < window.count else { return }
        window.deallocate()
        window = .allocate(capacity: wanted)
        window.initialize(repeating: 0)
    }

    private func decompress(
        _ chunk: inout UnsafeBufferPointer<UInt8>, with decompressor: any Decompressor, _ format: JSONCompression,
        _ openLength: Int
    ) throws(JSONModelError) -> UnsafeBufferPointer<UInt8>? {
        if let failure { throw failure }
        reserve(openLength)
        // One byte beyond the limit shows that the text is longer.
        let left = max(limits.decompressed, 0) - produced
        let space = left < window.count ? left + 1 : window.count
        let output = UnsafeMutableBufferPointer(rebasing: window[..<space])
        var count = 0
        if let memberHandler {
            decompressor.memberHandler = { [produced] offset, written in memberHandler(offset, produced + written) }
        }
        if !first.isEmpty {
            count = first.withUnsafeBufferPointer { first in
                var first = first
                return decompressor.decompress(&first, into: output)
            }
            first = []
        }
        if count < space {
            count += decompressor.decompress(&chunk, into: UnsafeMutableBufferPointer(rebasing: output[count...]))
        }
        isFull = count == space
        produced += count
        if let (reason, offset) = decompressor.defect {
            failure = error(
                decompressor.exceedsWindow
                    ? .limitExceeded(.window, limit: limits.window) : .corruptCompression(format, reason),
                at: offset)
        } else if produced > limits.decompressed {
            failure = error(.limitExceeded(.decompressed, limit: limits.decompressed), at: decompressor.consumed)
            count -= 1
        } else if exceedsExpansionLimit(decompressor.consumed) {
            failure = error(.limitExceeded(.expansion, limit: limits.expansion), at: decompressor.consumed)
        }
        if count > 0 { return UnsafeBufferPointer(rebasing: window[..<count]) }
        if let failure { throw failure }
        return nil
    }

    /// Whether the text is longer than the limit of the expansion allows for a number of consumed bytes.
    private func exceedsExpansionLimit(_ consumed: Int) -> Bool {
        let (allowed, overflows) = consumed.multipliedReportingOverflow(by: max(limits.expansion, 0))
        return !overflows && produced > JSONLimits.expansionAllowance && produced > allowed
    }

    /// Returns an error at an offset of the compressed data, which has no lines.
    private func error(_ kind: JSONIssue.Kind, at offset: Int) -> JSONModelError {
        JSONModelError(issues: [JSONIssue(kind: kind, location: JSONLocation(offset: offset, line: 0, column: 0))])
    }
}
