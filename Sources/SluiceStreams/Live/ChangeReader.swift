import SluiceCore

/// Collects what has changed in a value that follows the input, for a caller that keeps a value of its own. The marks state what the
/// caller has been told.
final class ChangeReader: LiveReader {
    @exclusivity(unchecked) private var changes: [JSONChange] = []
    /// The changes that follow those of the parts.
    @exclusivity(unchecked) private var lastChanges: [JSONChange] = []
    /// The path of the current container.
    @exclusivity(unchecked) private var path: [JSONPath.Component] = []
    @exclusivity(unchecked) private var indexes: [Int] = []
    /// The open string of which the caller has the beginning: its container, its offset, and the number of bytes that the caller has.
    @exclusivity(unchecked) private var shown: (depth: Int, start: Int, count: Int)?
    /// The value that is complete and was open before, until the value is set or appended: its index, and the number of bytes that the
    /// caller has of a string.
    @exclusivity(unchecked) private var completed: (index: Int, shownCount: Int?)?
    /// The steps to the open pairs of dictionaries, by the positions of the dictionaries.
    @exclusivity(unchecked) private var openKeys: [Int: [JSONPath.Component]] = [:]

    /// Returns the changes, which are forgotten.
    func takeChanges() -> [JSONChange] {
        defer { (changes, lastChanges) = ([], []) }
        return changes + lastChanges
    }

    private func add(_ kind: JSONChange.Kind, _ steps: [JSONPath.Component] = [], _ index: Int? = nil) {
        changes.append(JSONChange(path: path + steps, indexPath: indexes + (index.map { [$0] } ?? []), kind: kind))
    }

    /// Adds the completion of a value, and the last text of a string of which the caller has the beginning.
    private func addCompletion(
        _ layout: LayoutReference?, _ address: UnsafeMutableRawPointer, _ steps: [JSONPath.Component], _ index: Int
    ) {
        if let completed, completed.index == index {
            if let count = completed.shownCount, let layout, layout.kind == .string, layout.isPresent(address) {
                let rest = address.assumingMemoryBound(to: String.self).pointee.utf8.dropFirst(count)
                if !rest.isEmpty { add(.text(String(Substring(rest))), steps, index) }
            }
            self.completed = nil
        }
        add(.completed, steps, index)
    }

    /// Adds the changes of an open string.
    private func addText(_ steps: [JSONPath.Component], _ index: Int) {
        let isKnown = shown?.start == text.start && shown?.depth == depth
        if !isKnown { add(.began, steps, index) }
        let count = isKnown ? shown?.count ?? 0 : 0
        let new = text.text.utf8.dropFirst(count)
        if !new.isEmpty { add(.text(String(Substring(new))), steps, index) }
        shown = (depth, text.start, count + new.count)
    }

    /// Returns the steps from the current container to the open value at a place.
    private func steps(to place: LivePlace, _ index: Int) -> [JSONPath.Component] {
        switch place {
        case .field(let model, let field): model.steps(field)
        case .element: [.index(index)]
        case .member: openKeys[depth] ?? []
        }
    }

    override func keepMarks(_ count: Int) {
        super.keepMarks(count)
        if let shown, shown.depth >= count { self.shown = nil }
    }

    // MARK: The walk

    /// Begins a look.
    ///
    /// - Parameter rest: The part of the innermost container.
    func begin(_ rest: LivePart) {
        (path, indexes, completed) = ([], [], nil)
        if rest.isText { readText() }
        if marks.isEmpty { add(.began) }
    }

    override func continues(_ part: LivePart) -> Bool {
        switch part {
        case .none: false
        case .text: shown?.start == text.start && shown?.depth == depth
        case .whole: true
        case .open: part.isKnown
        }
    }

    override func close(_ place: LivePlace, _ index: Int, _ end: End) -> Bool {
        let isShown = shown?.depth == depth
        switch end {
        case .completed: completed = (index, isShown ? shown?.count : nil)
        case .reopened: break
        case .gone: add(.removed, steps(to: place, index), index)
        }
        if isShown { shown = nil }
        return false
    }

    override func set(_ field: Int, of model: LiveModel, _ source: UnsafeMutableRawPointer?) {
        // Containers to which values are added are reported as a whole.
        if model.growing.contains(field) {
            completed = nil
            return
        }
        let info = model.fields[field]
        if let source {
            addCompletion(info.layout, source + info.offset, model.steps(field), field)
        } else {
            add(.removed, model.steps(field), field)
        }
    }

    override func update(_ field: Int, of model: LiveModel, from source: UnsafeMutableRawPointer) {
        let path = path + model.steps(field).prefix { $0 != .anyIndex && $0 != .anyKey }
        lastChanges.append(JSONChange(path: path, indexPath: indexes + [field], kind: .replaced))
    }

    override func append(
        to place: LivePlace, _ frame: FrameReference, _ position: inout ElementPosition, _ driver: borrowing Driver
    ) {
        let isDictionary = if case .member = place { true } else { false }
        let (layout, stride) = (frame.layout.element, frame.layout.elementStride)
        let offset = isDictionary ? frame.layout.valueOffset : 0
        var first = position.total
        driver.forEachChunk(of: frame, from: &position) { elements, count in
            var (element, rest) = (elements, count)
            while rest > 0, isDictionary || completed != nil {
                let step = isDictionary ? .key(frame.keyText(element)) : JSONPath.Component.index(first)
                addCompletion(layout, element + offset, [step], first)
                (first, element, rest) = (first + 1, element + stride, rest - 1)
            }
            if rest > 0 { add(.elements(first..<first + rest)) }
            first += rest
        }
    }

    override func open(_ part: LivePart, at place: LivePlace, _ index: Int, isContinued: Bool) -> Bool {
        let steps: [JSONPath.Component]
        if case .member(_, let frame) = place {
            steps = [.key(frame.keyText(frame.openKey))]
            openKeys[depth] = steps
        } else {
            steps = self.steps(to: place, index)
        }
        switch part {
        case .none: return false
        case .text: addText(steps, index)
        case .whole: add(.replaced, steps, index)
        case .open:
            if !part.isKnown { add(.began, steps, index) }
            path += steps
            indexes.append(index)
        }
        return true
    }

    override func enter(_ union: LiveUnion, _ frame: FrameReference, isKnown: Bool, isNew: Bool) {
        let steps = union.union.path(toPayloadOf: union.index)
        // The object of a payload with an internal tag is that of the enum.
        if !isKnown, !isNew || !steps.isEmpty { add(.began, steps, steps.isEmpty ? nil : union.index) }
        path += steps
        if !steps.isEmpty { indexes.append(union.index) }
    }
}

extension LiveModel {
    /// The path of a field.
    fileprivate func steps(_ field: Int) -> [JSONPath.Component] { fields[field].keyPath?.components ?? [] }
}

extension FrameReference {
    /// Returns the text of a key of a dictionary.
    fileprivate func keyText(_ key: UnsafeMutableRawPointer) -> String {
        layout.withDictionary { $0.keys.text(key) }
    }
}
