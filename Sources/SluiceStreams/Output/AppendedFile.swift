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

    init(_ path: String, _ framing: JSONFraming?, _ compression: OutputCompression?) throws(JSONModelError) {
        try FilePathCheck.rejectNUL(path)
        self.path = path
        self.framing = framing
        self.compression = compression
    }

    /// Examines the end of the file, and treats an incomplete one.
    ///
    /// - Returns: The bytes that end the last element.
    func prepare(_ incompleteEnd: JSONDestination.IncompleteEnd) throws(JSONModelError) -> [UInt8] {
        var status = stat()
        // Only a regular file has an end that can be read.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return [] }
        // The file is not examined, except for compression that elements would not have.
        if framing == nil, compression == nil, access(path, R_OK) != 0 { return [] }
        let length = Int(status.st_size)
        let file = try FileReader(path)
        try checkFormat(of: file)
        if compression != nil {
            return try prepareCompressed(file, incompleteEnd)
        }
        guard let framing else { return [] }
        var end = try end(framing, of: file, length)
        switch end.finish() {
        case .complete(let first): return first
        case .foreign: throw foreign()
        case .incomplete(let offset, let first):
            if incompleteEnd == .throw { throw incomplete(from: offset) }
            if truncate(path, off_t(offset)) != 0 { throw OutputFile.unwritable(Errno(rawValue: errno), path) }
            return first
        }
    }

    private func checkFormat(of file: FileReader) throws(JSONModelError) {
        let magic = try read(file, at: 0, count: JSONCompression.magicLength)
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
    private func end(
        _ framing: JSONFraming, of file: FileReader, _ length: Int
    ) throws(JSONModelError) -> FramedEnd {
        let start = try lastStart(framing, of: file, length)
        var end = FramedEnd(framing, at: start)
        let rest = try FileReader(path, at: start)
        while let window = try rest.nextWindow(openLength: 0) { end.consume(window) }
        return end
    }

    /// Returns the offset of the last element, which is searched from the end of the file; 0 if the framing has no such starts.
    private func lastStart(
        _ framing: JSONFraming, of file: FileReader, _ length: Int
    ) throws(JSONModelError) -> Int {
        if framing == .concatenated || framing == .document { return 0 }
        let windowLength = 65_536
        var end = length
        while end > 0 {
            let first = max(end - windowLength, 0)
            let bytes = try read(file, at: max(first - 2, 0), count: end - max(first - 2, 0))
            // Two bytes before the window belong to an empty line. Another process may have shortened the file.
            let before = min(first, 2)
            guard bytes.count > before else {
                end = first
                continue
            }
            let feed = UInt8(ascii: "\n")
            let last = (before == 2 ? bytes[0] : feed, before > 0 ? bytes[before - 1] : feed)
            let found = bytes.withUnsafeBufferPointer { bytes in
                FramedEnd.lastStart(framing, in: UnsafeBufferPointer(rebasing: bytes[before...]), after: last)
            }
            if let found { return first + found }
            end = first
        }
        return 0
    }

    private func read(_ file: FileReader, at offset: Int, count: Int) throws(JSONModelError) -> [UInt8] {
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

    private func prepareCompressed(
        _ file: FileReader, _ incompleteEnd: JSONDestination.IncompleteEnd
    ) throws(JSONModelError) -> [UInt8] {
        guard let compression else { return [] }
        var found = CompressedEnd(end: framing.map { FramedEnd($0) })
        let appendMember = { found.members.append(Member(offset: $0, text: $1)) }
        let ending = try decompress(file, from: 0, memberHandler: appendMember) { text in
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
        if found.isComplete { return first }
        if incompleteEnd == .throw {
            let isMember = end == found.text
            throw incomplete(from: end, isMember: isMember, isPadded: isMember && ending.isPadded)
        }
        try rewrite(to: end, from: found.members.last { $0.text <= end } ?? Member(offset: 0, text: 0), compression)
        return first
    }

    /// Decompresses the file.
    ///
    /// - Parameters:
    ///   - offset: The offset of the member at which decompression starts.
    ///   - memberHandler: Receives the offset of each member, and the number of bytes of text before the member, from `offset` on.
    ///   - receive: Receives the text. Returns whether to continue.
    /// - Returns: Whether the last member is complete, and whether padding follows this member.
    private func decompress(
        _ file: FileReader, from offset: Int, memberHandler: ((Int, Int) -> Void)? = nil,
        _ receive: (UnsafeBufferPointer<UInt8>) throws(JSONModelError) -> Bool
    ) throws(JSONModelError) -> (isComplete: Bool, isPadded: Bool) {
        var limits = JSONLimits()
        (limits.decompressed, limits.expansion, limits.window) = (.max, .max, .max)
        let decompression = Decompression(limits)
        decompression.memberHandler = memberHandler
        var position = offset
        while true {
            let bytes = try read(file, at: position, count: 65_536)
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
        let file = try FileReader(path)
        let output = try OutputFile(path)
        var offset = 0
        while offset < member.offset {
            let bytes = try read(file, at: offset, count: min(member.offset - offset, 65_536))
            if bytes.isEmpty { break }
            try bytes.withUnsafeBytes { bytes in
                Result { () throws(JSONModelError) in try output.write(bytes) }
            }.get()
            offset += bytes.count
        }
        var left = end - member.text
        if left > 0 {
            try output.compress(compression)
            _ = try decompress(file, from: member.offset) { text throws(JSONModelError) in
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
            why + ". To remove the \(part), use .appending(to:incompleteEnd: .remove)", at: offset)
    }
}
