import SluiceCore

/// The form of a value that is followed.
enum LiveForm {
    case model(LiveModel)
    case elements(LiveElements)
    case members(LiveMembers)
    case union(LiveUnion)

    /// Creates the form of the containers of a type; nil for a type that cannot be followed.
    init?(_ layout: LayoutReference) {
        if let model = LiveModel(layout) {
            self = .model(model)
        } else if let elements = LiveElements.of(layout) {
            self = .elements(elements)
        } else if !layout.isLossy, let members = LiveMembers.of(layout) {
            // A pair that is dropped is not found in the dictionary, so a lossy dictionary is not followed.
            self = .members(members)
        } else {
            return nil
        }
    }

    /// Whether the open container of a frame can be followed in this form: a model has all values that are required.
    func isContinued(by frame: FrameReference, _ openForm: FrameReference.OpenForm) -> Bool {
        guard case .container = openForm else { return false }
        return if case .model(let model) = self { model.canBeMade(frame) } else { true }
    }

    /// Makes a value without parts, except those that are required.
    func makeEmpty(_ frame: FrameReference, _ address: UnsafeMutableRawPointer) {
        switch self {
        case .model(let model): model.makeEmpty(frame, address)
        case .union(let union): union.makeEmpty(frame, address)
        case .elements, .members: frame.layout.shape.makeEmpty(address)
        }
    }
}

/// A model that can be followed: all that is required is complete, and nothing else happens at its end.
final class LiveModel {
    let fields: [FieldInfo]
    /// The fields that are neither optional nor have a default.
    private let required: [Int]
    /// The fields that have a default.
    private let defaults: [Int]
    /// The fields whose containers grow while the model is open.
    let growing: [Int]
    let wordCount: Int
    private let table: TableReference

    init?(_ layout: LayoutReference) {
        guard let table = layout.table, let plan = table.plan, plan.isPlain, !layout.hasStorage,
            plan.fields.allSatisfy({ !$0.paths.isEmpty || $0.isExtra || $0.defaultsWhenMissing })
        else { return nil }
        self.table = table
        fields = plan.fields
        required = fields.indices.filter {
            !plan.fields[$0].defaultsWhenMissing && plan.fields[$0].layout?.isOptional != true
        }
        defaults = fields.indices.filter { plan.fields[$0].defaultsWhenMissing }
        growing = fields.indices.filter { plan.fields[$0].element != nil }
        wordCount = table.wordCount
    }

    /// Whether an open model has all values that are required.
    func canBeMade(_ frame: FrameReference) -> Bool { required.allSatisfy(frame.isFilled) }

    /// Makes a model without values, except those that are required.
    func makeEmpty(_ frame: FrameReference, _ address: UnsafeMutableRawPointer) {
        if let template = table.template { address.copyMemory(from: template, byteCount: table.size) }
        for field in defaults { fields[field].makeDefault?(address + fields[field].offset) }
        for field in required { fields[field].copy(from: frame.memory, to: address) }
        frame.layout.injectTag(address)
    }

    /// Replaces the value of a field by a copy of that in another model, or by that of an empty model.
    func reset(_ field: Int, at address: UnsafeMutableRawPointer, to source: UnsafeMutableRawPointer? = nil) {
        let info = fields[field]
        info.destroy(address + info.offset)
        if let source {
            info.copy(from: source, to: address)
        } else if info.defaultsWhenMissing {
            info.makeDefault?(address + info.offset)
        } else {
            info.layout?.loadNil(address + info.offset)
        }
    }

    /// Replaces a container by that of another model, unless they share their memory.
    func updateContainer(
        _ field: Int, at address: UnsafeMutableRawPointer, from source: UnsafeMutableRawPointer
    ) {
        let (offset, size) = (fields[field].offset, fields[field].declared.size)
        let (old, new) = (
            UnsafeRawBufferPointer(start: address + offset, count: size),
            UnsafeRawBufferPointer(start: source + offset, count: size)
        )
        if !old.elementsEqual(new) { reset(field, at: address, to: source) }
    }
}

/// An enum whose open payload is followed.
struct LiveUnion {
    let union: UnionReference
    /// The case.
    let index: Int
    let payload: LiveModel

    /// Returns the enum of a frame; nil if the enum cannot be followed.
    ///
    /// - Parameters:
    ///   - index: The case of the open payload.
    ///   - payload: The form of the payload.
    init?(_ frame: FrameReference, _ index: Int, _ payload: LiveForm?) {
        guard let union = frame.layout.union, union.lendsPayload, case .container = frame.above.openForm,
            case .model(let model)? = payload, model.canBeMade(frame.above)
        else { return nil }
        (self.union, self.index, self.payload) = (union, index, model)
    }

    /// Makes an enum whose payload has no values, except those that are required.
    fileprivate func makeEmpty(_ frame: FrameReference, _ address: UnsafeMutableRawPointer) {
        withUnsafeTemporaryAllocation(byteCount: union.size, alignment: union.payloadAlignmentMask + 1) { memory in
            let memory = memory.baseAddress.unsafelyUnwrapped
            payload.makeEmpty(frame.above, memory)
            union.make(index, memory, address)
        }
        frame.layout.injectTag(address)
    }
}

/// The payload of an enum, in memory of its own while the payload is advanced.
struct LivePayload {
    let memory: UnsafeMutableRawPointer
    private let union: LiveUnion
    private let layout: LayoutReference
    /// The address of the enum.
    private let target: UnsafeMutableRawPointer

    /// Moves the payload out of an enum.
    ///
    /// - Parameter keeps: Whether the enum has the beginning of the payload. If not, the payload becomes one without values.
    init(of union: LiveUnion, at target: UnsafeMutableRawPointer, _ frame: FrameReference, keeps: Bool) {
        (self.union, self.target, layout) = (union, target, frame.layout)
        memory = .allocate(byteCount: max(union.union.size, 1), alignment: union.union.payloadAlignmentMask + 1)
        let last = union.union.takePayload(of: target, to: memory)
        if keeps { return }
        union.union.destroyPayload(memory, of: last)
        union.payload.makeEmpty(frame.above, memory)
    }

    /// Makes the enum again from its payload.
    func putBack() {
        union.union.make(union.index, memory, target)
        layout.injectTag(target)
        memory.deallocate()
    }
}
