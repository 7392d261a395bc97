// The value as far as it is read: the driver is copied, and the open containers of the copy are closed.

// Unchecked because of the values of generic types. Nothing changes after the snapshot is made.
/// A value as far as it is read. Owns the value.
final class ValueSnapshot: @unchecked Sendable {
    private let shape: JSONShape
    fileprivate let memory: UnsafeMutableRawPointer
    /// Whether the value could be made.
    fileprivate(set) var isPresent = false
    /// Whether the value is complete.
    let isComplete: Bool
    /// The plan of a complete model.
    private let plan: ResolvedPlan?
    /// The properties, if the value is a model that is being read.
    fileprivate(set) var model: PartialModel?
    /// The issues of the parts that are missing.
    fileprivate(set) var issues: [JSONIssue] = []
    /// The path of the value that is being read; nil if no value is.
    let openPath: JSONPath?
    let openText: String?

    fileprivate init(_ layout: LayoutReference, isComplete: Bool, openPath: JSONPath?, openText: String?) {
        shape = layout.shape
        plan = isComplete ? layout.table?.plan : nil
        (self.isComplete, self.openPath, self.openText) = (isComplete, openPath, openText)
        memory = .allocate(byteCount: max(layout.size, 1), alignment: layout.alignmentMask + 1)
    }

    /// Creates the snapshot of a complete value, which is moved out of its memory.
    convenience init(moving value: ValueSlot) {
        self.init(value.layout, isComplete: true, openPath: nil, openText: nil)
        memory.copyMemory(from: value.address, byteCount: value.layout.size)
        isPresent = true
    }

    deinit {
        if isPresent { shape.destroy(memory, 1) }
        memory.deallocate()
    }

    /// The names of the model's properties, and how far their values have been read.
    var properties: [(name: String, state: JSONReadState)] {
        if let model { return model.properties }
        return plan?.decodedFields.map { (plan!.fields[$0].name, .complete) } ?? []
    }

    /// Returns a copy of the value; nil if a required part is missing.
    func value<Value>(as type: Value.Type) -> Value? {
        isPresent ? memory.assumingMemoryBound(to: type).pointee : nil
    }
}

extension Driver {
    /// Returns the value, or the open element of a stream, as far as it is read.
    ///
    /// - Parameters:
    ///   - token: The token that is not complete yet.
    ///   - end: The issue of an input that ends here.
    ///   - options: The options of the driver for a partial value.
    func snapshot(_ token: OpenToken, end: JSONIssue, options: DecodingOptions.Shared) -> ValueSnapshot {
        var text: String?
        if case .string(let contents) = token, !isSkipping { text = contents }
        // The value is being replayed when an error ends the input.
        let isReplaying = replayDepth > 0
        let isReading = text != nil || top.owner != root || isCapturing
        let snapshot = ValueSnapshot(
            root.destination.layout, isComplete: hasResult, openPath: isReading ? end.path : nil, openText: text)
        if isReplaying { return snapshot }
        let model = modelFrame
        let open = model.map { openFields(of: $0, token) } ?? []
        defer { withExtendedLifetime(options) {} }
        var copy = copied(
            to: snapshot.memory, options: .passUnretained(options),
            emit: emit == nil
                ? nil
                : { _ in
                    snapshot.isPresent = true
                    return false
                })
        copy.read(openText: text)
        // A string that is the element is made already.
        if snapshot.isPresent { return snapshot }
        var capture = RawCapture(limits: options.value.limits)
        if let model {
            let depth = index(of: model)
            capture.close(&copy, above: depth, at: end)
            if copy.index(of: copy.top) == depth {
                snapshot.model = PartialModel(copying: copy.top, open: open)
            }
        }
        capture.close(&copy, above: 0, at: end)
        snapshot.issues = copy.collectedIssues
        if emit == nil { snapshot.isPresent = copy.takeResult() }
        return snapshot
    }

    /// The frame of the model that is the value or the open element; nil if the value is not a model.
    private var modelFrame: FrameReference? {
        frames(above: root).first { $0.owner != root }.flatMap { $0.form == .object ? $0 : nil }
    }

    /// The fields of an open model whose values are being read.
    private func openFields(of model: FrameReference, _ token: OpenToken) -> Set<Int> {
        guard let entry = model.entry else { return [] }
        var isOpen = model < top || isCapturing
        switch token {
        case .scalar, .string: isOpen = isOpen || !isSkipping
        case .none, .key: break
        }
        return isOpen ? Set(fields(below: entry)) : []
    }

    /// Completes the open string with its contents so far, if the value is a string that needs no conversion.
    private mutating func read(openText text: String?) {
        guard let text else { return }
        switch disposition {
        case .store(.string), .store(.value): _ = string(text)
        default: break
        }
    }
}
