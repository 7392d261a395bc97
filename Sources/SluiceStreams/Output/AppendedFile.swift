import SluiceCore
import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A file to which elements are appended, and whose end is examined first.
struct AppendedFile {
    private let path: String
    /// The framing of the elements; nil for a value that is written as a whole.
    private let framing: JSONFraming?
    private let compression: OutputCompression?

    /// The file whose end is examined.
    private let file: FileReader

    /// Opens a file, examines its end, and treats an incomplete one.
    ///
    /// - Returns: The file, and the bytes that end the last element.
    static func open(
        _ path: String, _ framing: JSONFraming?, _ compression: OutputCompression?,
        _ removesIncompleteEnd: Bool
    ) throws(JSONModelError) -> (file: OutputFile, first: [UInt8]) {
        let output = try OutputFile.appending(to: path)
        // Only a regular file has an end that can be read.
        guard let length = output.regularLength, length > 0 else { return (output, []) }
        // The file is not examined, except for compression that elements would not have.
        if framing == nil, compression == nil, access(path, R_OK) != 0 { return (output, []) }
        let appended = AppendedFile(
            path: path, framing: framing, compression: compression, file: try FileReader(path))
        // Another process may have replaced the file.
        guard output.isSame(as: appended.file) else { throw appended.rejection("the file was replaced") }
        try appended.checkFormat()
        if compression != nil {
            let (first, isRewritten) = try appended.prepareCompressed(removesIncompleteEnd)
            return (isRewritten ? try .appending(to: path) : output, first)
        }
        guard let framing else { return (output, []) }
        var end = try appended.end(framing, length)
        switch end.finish() {
        case .complete(let first): return (output, first)
        case .foreign: throw appended.foreign()
        case .incomplete(let offset, let first):
            if !removesIncompleteEnd { throw appended.incomplete(from: offset) }
            try output.truncate(to: offset)
            return (output, first)
        }
    }

    private func checkFormat() throws(JSONModelError) {
        let magic = try read(at: 0, count: JSONCompression.magicLength)
        let detected = magic.withUnsafeBufferPointer { JSONCompression.detect($0) }
        switch (detected, compression?.format) {
        case (.plain, nil), (.undetermined, _): return
        case (.compressed(let found), let format?) where found == format: return
        case (.compressed(let found), _):
            throw rejection("the file is compressed with \(found.rawValue), and the elements are not")
        case (.plain, _): throw rejection("the file is not compressed, and the elements are")
        }
    }

    // MARK: Text

    /// Returns the end of a file that is not compressed.
    private func end(_ framing: JSONFraming, _ length: Int) throws(JSONModelError) -> FramedEnd {
        var offset = try lastStart(framing, length)
        var end = FramedEnd(framing, at: offset)
        while true {
            let bytes = try read(at: offset, count: Self.windowLength)
            if bytes.isEmpty { return end }
            bytes.withUnsafeBufferPointer { end.consume($0) }
            offset += bytes.count
        }
    }

    /// Returns the offset of the last element, which is searched from the end of the file; 0 if the framing has no such starts.
    private func lastStart(_ framing: JSONFraming, _ length: Int) throws(JSONModelError) -> Int {
        let rules = framing.rules
        if !rules.hasVisibleBorders { return 0 }
        var end = length
        while end > 0 {
            let first = max(end - Self.windowLength, 0)
            let bytes = try read(at: max(first - 2, 0), count: end - max(first - 2, 0))
            // Two bytes before the window belong to an empty line. Another process may have shortened the file.
            let before = min(first, 2)
            guard bytes.count > before else {
                end = first
                continue
            }
            let feed = UInt8(ascii: "\n")
            let last = (before == 2 ? bytes[0] : feed, before > 0 ? bytes[before - 1] : feed)
            let found = bytes.withUnsafeBufferPointer { bytes in
                rules.lastStart(in: UnsafeBufferPointer(rebasing: bytes[before...]), after: last)
            }
            if let found { return first + found }
            end = first
        }
        return 0
    }

    private static let windowLength = 65_536

    private func read(at offset: Int, count: Int) throws(JSONModelError) -> [UInt8] {
        do { return try file.bytes(at: offset, count: count) } catch {
            throw FileReader.unreadable(error, path, offset: offset)
        }
    }

    // MARK: Compressed text

    /// A member of a compressed file.
    private struct Member {
        /// The offset of the first byte in the file.
        let offset: Int
        /// The number of bytes of text before.
        let text: Int
    }

    /// The text of a compressed file.
    private struct CompressedEnd {
        var text = 0
        var end: FramedEnd?
        /// The member in which the last element starts, and the members after it.
        var members: [Member] = []
        /// Whether another member can follow.
        var isComplete = false
    }

    /// - Returns: The bytes that end the last element, and whether a new file has replaced the file.
    private func prepareCompressed(
        _ removesIncompleteEnd: Bool
    ) throws(JSONModelError) -> (first: [UInt8], isRewritten: Bool) {
        guard let compression else { return ([], false) }
        var found = CompressedEnd(end: framing.map { FramedEnd($0) })
        let appendMember = { found.members.append(Member(offset: $0, text: $1)) }
        let ending = try decompress(from: 0, memberHandler: appendMember) { text in
            found.end?.consume(text)
            found.text += text.count
            let last = found.end?.lastStart ?? found.text
            // From the first on, because the members before were removed.
            let next = found.members.firstIndex { $0.text > last } ?? found.members.count
            found.members.removeFirst(max(next - 1, 0))
            return true
        }
        found.isComplete = ending.isComplete && !ending.isPadded
        var (first, end): ([UInt8], Int) = ([], found.text)
        switch found.end?.finish() ?? .complete(first: []) {
        case .complete(let bytes): first = bytes
        case .foreign: throw foreign()
        case .incomplete(let offset, let bytes):
            (first, end) = (bytes, offset)
            found.isComplete = false
        }
        if found.isComplete { return (first, false) }
        if !removesIncompleteEnd {
            let isMember = end == found.text
            throw incomplete(from: end, isMember: isMember, isPadded: isMember && ending.isPadded)
        }
        do throws(JSONModelError) {
            try rewrite(
                to: end, from: found.members.last { $0.text <= end } ?? Member(offset: 0, text: 0), compression)
        } catch {
            var error = error
            for index in error.issues.indices where error.issues[index].hint != nil {
                error.issues[index].hint =
                    "the incomplete end is removed in a new file, which cannot replace this one"
            }
            throw error
        }
        return (first, true)
    }

    /// Decompresses the file.
    ///
    /// - Parameters:
    ///   - offset: The offset of the member at which decompression starts.
    ///   - memberHandler: Receives the offset of each member, and the number of bytes of text before the member, from `offset` on.
    ///   - receive: Receives the text. Returns whether to continue.
    /// - Returns: Whether the last member is complete, and whether padding follows this member.
    private func decompress(
        from offset: Int, memberHandler: ((Int, Int) -> Void)? = nil,
        _ receive: (UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Bool
    ) throws(JSONModelError) -> (isComplete: Bool, isPadded: Bool) {
        var limits = JSONLimits()
        (limits.decompressed, limits.expansion, limits.window) = (.max, .max, .max)
        let decompression = Decompression(limits)
        decompression.memberHandler = memberHandler
        var position = offset
        while true {
            let bytes = try read(at: position, count: Self.windowLength)
            if bytes.isEmpty { return (decompression.isComplete, decompression.isPadded) }
            position += bytes.count
            let isStopped = try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in
                var rest = bytes
                while let text = try decompression.text(from: &rest, openLength: 0) {
                    if try !receive(text) { return true }
                }
                return false
            }
            if isStopped { return (false, false) }
        }
    }

    /// Replaces the file by one that ends after complete elements.
    ///
    /// - Parameters:
    ///   - end: The length of the text that stays.
    ///   - member: The member that contains the end. The earlier members stay unchanged.
    private func rewrite(
        to end: Int, from member: Member, _ compression: OutputCompression
    ) throws(JSONModelError) {
        let output = try OutputFile(path)
        var offset = 0
        while offset < member.offset {
            let bytes = try read(at: offset, count: min(member.offset - offset, Self.windowLength))
            if bytes.isEmpty { break }
            try bytes.withUnsafeBytes { bytes in
                Result { () throws(JSONModelError) in try output.write(bytes) }
            }.get()
            offset += bytes.count
        }
        var left = end - member.text
        if left > 0 {
            try output.compress(compression)
            _ = try decompress(from: member.offset) { text throws(JSONModelError) in
                let text = text.prefix(left)
                try output.write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text)))
                left -= text.count
                return left > 0
            }
        }
        try output.commit()
    }

    // MARK: Errors

    private func rejection(_ why: String, at offset: Int = 0) -> JSONModelError {
        JSONModelError(.notAppendable("cannot append to \(path): \(why)"), offset: offset)
    }

    private func foreign() -> JSONModelError { rejection("the file is not a text sequence") }

    private func incomplete(from offset: Int, isMember: Bool = false, isPadded: Bool = false) -> JSONModelError {
        let format = compression?.format.rawValue ?? ""
        let (state, part) = isPadded ? ("padded", "padding") : ("incomplete", "incomplete part")
        let why =
            isMember
            ? "the last member of the \(format) data is \(state), after \(offset) bytes of text"
            : "the last element, from byte \(offset)\(compression == nil ? "" : " of the text"), is incomplete"
        return rejection(
            why + ". To remove the \(part), use .appending(to:removesIncompleteEnd: true)", at: offset)
    }
}
