// The fallback of an enum as a whole value, which would be decoded as another case if the value had the name of this case. The writer
// examines the JSON of the value: its first bytes, or the keys of its object.

/// The fallback of an enum that is being written.
struct OpenFallback {
    let union: UnionReference
    /// The height of the stack with the frame of the payload.
    let height: Int
    /// The count of bytes before the JSON of the payload.
    let start: Int
    /// Whether the output was held before. The bytes of the payload are held until they are examined.
    let wasHeld: Bool
    /// The fallbacks in the payload, which are not read again.
    var parts: [Range<Int>] = []
}

extension [OpenFallback] {
    /// Removes the parts behind a position, which have been moved.
    mutating func forgetParts(from start: Int) {
        guard !isEmpty else { return }
        self[count - 1].parts.removeAll { $0.lowerBound >= start }
    }
}

extension ModelWriter {
    /// Ends the innermost fallback. Throws if the fallback would be decoded as another case.
    @inline(never)
    mutating func endFallback() throws(JSONModelError) {
        let fallback = fallbacks.removeLast()
        if let name = knownName(of: fallback) { throw failureOfFallback(name) }
        out.isHeld = fallback.wasHeld
        if !fallbacks.isEmpty { fallbacks[fallbacks.count - 1].parts.append(fallback.start..<out.count) }
    }

    func failureOfFallback(_ name: String) -> JSONModelError {
        failure(
            .notEncodable("its fallback has the name of another case, \"\(name)\", which would be decoded"))
    }

    /// Returns the name of a case in the JSON of a fallback: the value of its tag or, of an enum without a tag, a key or the string itself.
    private func knownName(of fallback: OpenFallback) -> String? {
        let (text, tag) = (out.bytes(0..<out.count), fallback.union.resolved.tagKey)
        func known(_ name: String) -> String? { fallback.union.find(name) == nil ? nil : name }
        // Raw JSON may begin with spaces.
        guard var at = text[fallback.start...].firstIndex(where: { $0 > 0x20 }) else { return nil }
        guard text[at] == UInt8(ascii: "{") else {
            return tag == nil && text[at] == UInt8(ascii: "\"") ? known(string(at..<text.count)) : nil
        }
        var (depth, nextPart) = (0, 0)
        var (hasKey, isTag) = (false, false)
        while at < text.count {
            switch text[at] {
            case UInt8(ascii: "\""):
                let start = at
                at = stringEnd(at)
                if depth != 1 { continue }
                if isTag { return known(string(start..<at)) }
                if hasKey { continue }
                let name = string(start..<at)
                if tag == nil, known(name) != nil { return name }
                hasKey = true
                isTag = tag?.hasSameCodeUnits(as: name) ?? false
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                while nextPart < fallback.parts.count, fallback.parts[nextPart].lowerBound < at { nextPart += 1 }
                if nextPart < fallback.parts.count, fallback.parts[nextPart].lowerBound == at {
                    at = fallback.parts[nextPart].upperBound
                    continue
                }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 1:
                // The first member with the key of the tag is the tag.
                if isTag { return nil }
                hasKey = false
            default: break
            }
            at += 1
        }
        return nil
    }

    /// Returns the end of a written string.
    private func stringEnd(_ start: Int) -> Int {
        var at = start + 1
        while at < out.count, out.start[at] != UInt8(ascii: "\"") {
            at += out.start[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(at + 1, out.count)
    }

    /// Returns a written string.
    private func string(_ range: Range<Int>) -> String {
        let bytes = out.bytes(range)
        if bytes.contains(UInt8(ascii: "\\")) { return Recording(written: bytes).string ?? "" }
        return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
