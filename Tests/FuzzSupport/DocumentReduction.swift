/// Makes a document smaller while a finding stays the same.
enum DocumentReduction {
    /// How long one reduction may take.
    private static let limit = Duration.seconds(3)

    /// Removes ranges, large ones first. Ends after a number of trials, so that the result may not be the smallest.
    static func reduce(_ text: [UInt8], trials: Int = 1_500, stillFails: ([UInt8]) -> Bool) -> [UInt8] {
        var text = text
        var left = trials
        let end = ContinuousClock.now + limit
        func attempt(_ smaller: [UInt8]) -> Bool {
            guard left > 0, .now < end else { return false }
            left -= 1
            guard stillFails(smaller) else { return false }
            text = smaller
            return true
        }
        var isSmaller = true
        while isSmaller, left > 0 {
            isSmaller = false
            // Whole members and elements: from a token to the comma behind a later one.
            for range in valueRanges(text) where range.upperBound <= text.count {
                if attempt(Array(text[..<range.lowerBound] + text[range.upperBound...])) {
                    isSmaller = true
                    break
                }
            }
        }
        var size = text.count / 2
        while size > 0, left > 0 {
            var start = 0
            while start < text.count, left > 0 {
                let end = min(start + size, text.count)
                if !attempt(Array(text[..<start] + text[end...])) { start = end }
            }
            size /= 2
        }
        return text
    }

    /// Removes members and elements of a tree.
    static func reduce(_ node: JSONNode, trials: Int = 400, stillFails: (JSONNode) -> Bool) -> JSONNode {
        var node = node
        var left = trials
        let end = ContinuousClock.now + limit
        var isSmaller = true
        while isSmaller, left > 0 {
            isSmaller = false
            for smaller in node.withoutOnePart {
                left -= 1
                guard left > 0, .now < end, stillFails(smaller) else { continue }
                node = smaller
                isSmaller = true
                break
            }
        }
        return node
    }

    /// The ranges of members and elements with one of their commas, the longest first.
    private static func valueRanges(_ text: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var starts: [Int] = []
        var index = 0
        var isInString = false
        func end(at position: Int, through last: Int) {
            guard let start = starts.popLast() else { return }
            ranges.append(start..<last)
            if start > 0, text[start - 1] == UInt8(ascii: ","), last == position {
                ranges.append(start - 1..<position)
            }
        }
        while index < text.count {
            let byte = text[index]
            if isInString {
                if byte == UInt8(ascii: "\\") { index += 1 }
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                starts.append(index + 1)
            } else if byte == UInt8(ascii: ",") {
                end(at: index, through: index + 1)
                starts.append(index + 1)
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                end(at: index, through: index)
            }
            index += 1
        }
        return ranges.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }
}

extension JSONNode {
    /// This tree without one member or element, for each of them; those further out first.
    fileprivate var withoutOnePart: [JSONNode] {
        switch self {
        case .literal, .string: return []
        case .embedded(let node): return node.withoutOnePart.map(JSONNode.embedded)
        case .array(let elements):
            let shorter = elements.indices.map { index in JSONNode.array(elements.without(index)) }
            return shorter
                + elements.indices.flatMap { index in
                    elements[index].withoutOnePart.map { JSONNode.array(elements.replacing(index, by: $0)) }
                }
        case .object(let members):
            let shorter = members.indices.map { index in JSONNode.object(members.without(index)) }
            return shorter
                + members.indices.flatMap { index in
                    members[index].value.withoutOnePart.map {
                        JSONNode.object(members.replacing(index, by: Member(key: members[index].key, value: $0)))
                    }
                }
        }
    }
}

extension Array {
    fileprivate func without(_ index: Int) -> [Element] {
        var copy = self
        copy.remove(at: index)
        return copy
    }

    fileprivate func replacing(_ index: Int, by element: Element) -> [Element] {
        var copy = self
        copy[index] = element
        return copy
    }
}
