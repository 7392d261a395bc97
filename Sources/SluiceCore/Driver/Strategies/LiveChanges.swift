// What has changed in a value that follows the input, for a reader that keeps a value of its own. The walk is that of `LiveValue`, without
// a value: the marks state what the reader has been told.

/// What a reader of changes knows of an open value.
struct ChangeCursor {
    /// What the reader knows of an open container.
    struct Mark {
        var fields = FieldSet()
        var position = ElementPosition()
        /// The field, or the index of the element or pair, whose value is open.
        var open: Int?
        /// The key of the open pair.
        var openKey: String?
        /// The open string of which the reader has the beginning: its offset, and the number of bytes that the reader has.
        var shown: (start: Int, count: Int)?
    }

    var marks: [Mark] = []
    var text = OpenText()
    private var changes: [JSONChange] = []
    /// The changes that follow those of the parts.
    private var lastChanges: [JSONChange] = []
    /// The path of the container that is being compared.
    var path: [JSONPath.Component] = []
    var indexes: [Int] = []

    /// Returns the changes, which are forgotten.
    mutating func takeChanges() -> [JSONChange] {
        defer { (changes, lastChanges) = ([], []) }
        return changes + lastChanges
    }

    mutating func add(_ kind: JSONChange.Kind, _ steps: [JSONPath.Component] = [], _ index: Int? = nil) {
        changes.append(JSONChange(path: path + steps, indexPath: indexes + (index.map { [$0] } ?? []), kind: kind))
    }

    /// Adds the change of a container to which values are added one by one.
    mutating func addReplacement(_ steps: [JSONPath.Component], _ index: Int) {
        let path = path + steps.prefix { $0 != .anyIndex && $0 != .anyKey }
        lastChanges.append(JSONChange(path: path, indexPath: indexes + [index], kind: .replaced))
    }

    /// Adds the changes of an open string.
    mutating func addText(_ mark: inout Mark, _ steps: [JSONPath.Component], _ index: Int) {
        let isKnown = mark.shown?.start == text.start
        if !isKnown { add(.began, steps, index) }
        let shown = isKnown ? mark.shown?.count ?? 0 : 0
        let new = text.text.utf8.dropFirst(shown)
        if !new.isEmpty { add(.text(String(Substring(new))), steps, index) }
        mark.shown = (text.start, shown + new.count)
    }

    /// Adds the completion of a value, and the last text of a string of which the reader has the beginning.
    mutating func addCompletion(
        _ shown: (start: Int, count: Int)?, _ layout: LayoutReference?, _ address: UnsafeMutableRawPointer,
        _ steps: [JSONPath.Component], _ index: Int
    ) {
        if let shown, let layout, layout.kind == .string,
            !layout.isOptional || layout.presence(address) == .value
        {
            let rest = address.assumingMemoryBound(to: String.self).pointee.utf8.dropFirst(shown.count)
            if !rest.isEmpty { add(.text(String(Substring(rest))), steps, index) }
        }
        add(.completed, steps, index)
    }
}

extension LiveValue {
    /// Returns what has changed since the last call.
    func changes(
        _ driver: borrowing Driver, _ token: OpenToken, readText: @escaping (inout OpenText) -> Void
    ) -> [JSONChange] {
        guard let rest = prepare(driver, token) else { return Self.replacement(driver, token) }
        var cursor = cursor ?? ChangeCursor()
        (cursor.path, cursor.indexes) = ([], [])
        if rest.isText { readText(&cursor.text) }
        if cursor.marks.isEmpty { cursor.add(.began) }
        for depth in 0..<levelCount {
            let isNew = depth == cursor.marks.count
            if isNew { cursor.marks.append(ChangeCursor.Mark()) }
            var mark = cursor.marks[depth]
            let part = part(at: depth, driver, rest: rest, knownCount: cursor.marks.count)
            compare(depth, driver, &mark, part, &cursor)
            cursor.marks[depth] = mark
        }
        defer { self.cursor = cursor }
        return cursor.takeChanges()
    }

    /// Returns the change of an open value that cannot be followed, such as a string, and is made again.
    static func replacement(_ driver: borrowing Driver, _ token: OpenToken) -> [JSONChange] {
        let isText = driver.isReadingText(token) && driver.storesText
        guard isText || driver.firstValueFrame != nil, !driver.hasResult else { return [] }
        return [JSONChange(path: [], indexPath: [], kind: .replaced)]
    }

    private func compare(
        _ depth: Int, _ driver: borrowing Driver, _ mark: inout ChangeCursor.Mark, _ part: Part,
        _ cursor: inout ChangeCursor
    ) {
        let frame = frame(at: depth, driver)
        switch form(at: depth) {
        case .model(let model): compareModel(model, frame, driver, &mark, part, &cursor)
        case .elements, .members: compareElements(frame, driver, &mark, part, &cursor)
        case .union(let union): compareUnion(union, &mark, part, &cursor)
        }
    }

    private func compareModel(
        _ model: LiveModel, _ frame: FrameReference, _ driver: borrowing Driver, _ mark: inout ChangeCursor.Mark,
        _ part: Part, _ cursor: inout ChangeCursor
    ) {
        func steps(_ field: Int) -> [JSONPath.Component] { model.fields[field].keyPath?.components ?? [] }
        let field = part.field(driver)
        let open = mark.open
        if let open, !(open == field && part.continues(mark, cursor)) {
            if !frame.isFilled(open) {
                cursor.add(.removed, steps(open), open)
                mark.shown = nil
            }
            mark.fields.remove(open)
            mark.open = nil
        }
        let shown = mark.shown
        mark.fields.follow(frame, model.wordCount) { field, isFilled in
            // Containers to which values are added are reported below.
            if model.growing.contains(field) { return }
            if isFilled {
                let info = model.fields[field]
                cursor.addCompletion(
                    field == open ? shown : nil, info.layout, frame.base + info.offset, steps(field), field)
            } else {
                cursor.add(.removed, steps(field), field)
            }
        }
        if mark.open == nil { mark.shown = nil }
        for field in model.growing where frame.isFilled(field) { cursor.addReplacement(steps(field), field) }
        guard let field, field >= 0 else { return }
        mark.open = field
        add(part, steps(field), field, &mark, &cursor)
    }

    /// Compares an enum, whose payload is followed.
    private func compareUnion(
        _ union: LiveUnion, _ mark: inout ChangeCursor.Mark, _ part: Part, _ cursor: inout ChangeCursor
    ) {
        let steps = union.steps
        // The object of a payload with an internal tag is that of the enum.
        if !part.isKnown, mark.open != nil || !steps.isEmpty {
            cursor.add(.began, steps, steps.isEmpty ? nil : union.index)
        }
        mark.open = union.index
        cursor.path += steps
        if !steps.isEmpty { cursor.indexes.append(union.index) }
    }

    private func compareElements(
        _ frame: FrameReference, _ driver: borrowing Driver, _ mark: inout ChangeCursor.Mark, _ part: Part,
        _ cursor: inout ChangeCursor
    ) {
        let (layout, isDictionary) = (frame.layout, frame.form == .pairs)
        func step(_ index: Int, _ element: UnsafeMutableRawPointer) -> JSONPath.Component {
            isDictionary ? .key(layout.withDictionary { $0.keys.text(element) }) : .index(index)
        }
        let hasNew = driver.hasElements(of: frame, after: mark.position)
        let hasPart = if case .none = part { false } else { true }
        let key = isDictionary && hasPart ? layout.withDictionary { $0.keys.text(frame.cursor) } : nil
        let isContinued =
            mark.open != nil && !hasNew && key == mark.openKey && part.continues(mark, cursor)
        let wasOpen = isContinued ? nil : mark.open
        var first = mark.position.total
        let openKey = mark.openKey
        if !isContinued { (mark.open, mark.openKey) = (nil, nil) }
        var (shown, open) = (wasOpen == nil ? nil : mark.shown, wasOpen)
        let offset = isDictionary ? layout.valueOffset : 0
        driver.forEachChunk(of: frame, from: &mark.position) { elements, count in
            var count = count
            var element = elements
            if isDictionary || open != nil {
                while count > 0, isDictionary || open != nil {
                    let step = step(first, element)
                    if open != nil, isDictionary, step != .key(openKey ?? "") {
                        cursor.add(.removed, [.key(openKey ?? "")], open)
                        shown = nil
                    }
                    open = nil
                    cursor.addCompletion(shown, layout.element, element + offset, [step], first)
                    shown = nil
                    (first, element, count) = (first + 1, element + layout.elementStride, count - 1)
                }
            }
            if count > 0 { cursor.add(.elements(first..<first + count)) }
            first += count
        }
        if !isContinued { mark.shown = nil }
        if let open, !(hasPart && key == openKey) {
            cursor.add(.removed, [isDictionary ? .key(openKey ?? "") : .index(open)], open)
        }
        guard hasPart else { return }
        (mark.open, mark.openKey) = (first, key)
        add(part, [step(first, frame.cursor)], first, &mark, &cursor)
    }

    private func add(
        _ part: Part, _ steps: [JSONPath.Component], _ index: Int, _ mark: inout ChangeCursor.Mark,
        _ cursor: inout ChangeCursor
    ) {
        switch part {
        case .none: break
        case .text: cursor.addText(&mark, steps, index)
        case .whole: cursor.add(.replaced, steps, index)
        case .open:
            if !part.isKnown { cursor.add(.began, steps, index) }
            cursor.path += steps
            cursor.indexes.append(index)
        }
    }
}

extension LiveUnion {
    /// The path from the enum to its payload.
    fileprivate var steps: [JSONPath.Component] {
        switch union.tagging {
        case .external: [.key(union.name(of: index))]
        case .adjacent: [.key(union.contentKey)]
        case .internal, .untagged: []
        }
    }
}

extension LiveValue.Part {
    /// Whether the reader has the beginning of the part, if the part is in the same place as the open value of a container.
    fileprivate func continues(_ mark: ChangeCursor.Mark, _ cursor: ChangeCursor) -> Bool {
        switch self {
        case .none: false
        case .text: mark.shown?.start == cursor.text.start
        case .whole: true
        case .open: isKnown
        }
    }
}
