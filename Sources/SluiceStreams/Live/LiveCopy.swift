import SluiceCore

/// One of the two values that follow the value of a driver.
///
/// Invariant: the value is initialized if `isPresent`. It has what the marks state.
final class LiveCopy: LiveReader {
    let layout: LayoutReference
    let memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var isPresent = false
    /// Whether a string is open.
    @exclusivity(unchecked) private var hasText = false
    /// The issues of the parts that are made as a whole.
    @exclusivity(unchecked) private(set) var issues: [JSONIssue] = []
    /// The address of the current container, during a look.
    @exclusivity(unchecked) private var address: UnsafeMutableRawPointer
    /// The payloads that are moved out of their enums during a look, the innermost last.
    @exclusivity(unchecked) private var payloads: [LivePayload] = []

    /// The text so far of the open string; nil if no string is open.
    var openText: String? { hasText ? text.text : nil }
    /// The field of the outermost model whose value is open and can be shown.
    var openField: Int? { marks.first?.open }

    init(_ layout: LayoutReference, _ document: DocumentSnapshots) {
        self.layout = layout
        memory = .allocate(byteCount: max(layout.size, 1), alignment: layout.alignmentMask + 1)
        address = memory
        super.init(document)
    }

    deinit {
        releaseValue()
        memory.deallocate()
    }

    private func releaseValue() {
        if isPresent { layout.destroy(memory) }
        isPresent = false
    }

    func release() {
        releaseValue()
        marks.removeAll()
        (hasText, issues) = (false, [])
    }

    // MARK: The walk

    /// Begins a look.
    ///
    /// - Parameters:
    ///   - form: The form of the value.
    ///   - rest: The part of the innermost container.
    ///   - hasText: Whether the open token is a string of the value.
    func begin(_ form: LiveForm, _ frame: FrameReference, _ rest: LivePart, hasText: Bool) {
        self.hasText = hasText
        address = memory
        if !issues.isEmpty { issues = [] }
        // Text that is stored is read when the value no longer has the text before.
        if hasText, !rest.isText { readText() }
        if !marks.isEmpty { return }
        releaseValue()
        form.makeEmpty(frame, memory)
        isPresent = true
    }

    /// Ends a look.
    func end() {
        while let payload = payloads.popLast() { payload.putBack() }
    }

    override func close(_ place: LivePlace, _ index: Int, _ end: End) -> Bool {
        switch place {
        case .field(let model, let field): model.reset(field, at: address)
        case .element(let elements): elements.removeLast(of: address)
        case .member(_, let frame):
            // The next value of the same key replaces the open one.
            if end != .gone { return false }
            frame.layout.destroy(address)
            frame.layout.shape.makeEmpty(address)
            return true
        }
        return false
    }

    override func set(_ field: Int, of model: LiveModel, _ source: UnsafeMutableRawPointer?) {
        model.reset(field, at: address, to: source)
    }

    override func update(_ field: Int, of model: LiveModel, from source: UnsafeMutableRawPointer) {
        model.updateContainer(field, at: address, from: source)
    }

    override func append(
        to place: LivePlace, _ frame: FrameReference, _ position: inout ElementPosition, _ driver: borrowing Driver
    ) {
        let container: LiveContainer
        switch place {
        case .element(let elements): container = elements
        case .member(let members, _): container = members
        case .field: return
        }
        driver.forEachChunk(of: frame, from: &position) { container.append($0, $1, to: address) }
    }

    override func open(_ part: LivePart, at place: LivePlace, _ index: Int, isContinued: Bool) -> Bool {
        switch part {
        case .none: return false
        case .text(let layout, _):
            // The container must not have the text before while the text is read.
            if case .member = place { store(layout, at: place) { layout.initializeText("", at: $0) } }
            readText()
            store(layout, at: place) { layout.initializeText(text.text, at: $0) }
        case .whole(let frame):
            return frame.layout.withTemporaryMemory { memory in
                let whole = document.makeWhole(frame, at: memory, text: openText)
                issues += whole.issues
                if whole.isPresent {
                    store(frame.layout, at: place) { ValueCopy.move(frame.layout.shape.type, from: memory, to: $0) }
                }
                return whole.isPresent
            }
        case .open(let frame, let form, _):
            if !isContinued { store(frame.layout, at: place) { form.makeEmpty(frame, $0) } }
            switch place {
            case .field(let model, let field): address += model.fields[field].offset
            case .element(let elements): address = elements.last(of: address)
            case .member(let members, let frame): address = members.value(of: frame.openKey, in: address)
            }
        }
        return true
    }

    /// Replaces the value at a place by one that a closure makes.
    private func store(_ layout: LayoutReference, at place: LivePlace, _ make: (UnsafeMutableRawPointer) -> Void) {
        if case .field(let model, let field) = place {
            let target = address + model.fields[field].offset
            model.fields[field].destroy(target)
            return make(target)
        }
        layout.withTemporaryMemory { memory in
            make(memory)
            switch place {
            case .field: break
            case .element(let elements): elements.append(moving: memory, to: address)
            case .member(let members, let frame): members.set(frame.openKey, moving: memory, in: address)
            }
        }
    }

    override func enter(_ union: LiveUnion, _ frame: FrameReference, isKnown: Bool, isNew: Bool) {
        payloads.append(LivePayload(of: union, at: address, frame, keeps: isKnown))
        address = payloads.last!.memory
    }
}
