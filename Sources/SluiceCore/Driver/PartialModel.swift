/// Copies of the properties of a model that is being read.
///
/// Invariant: the fields in `filled` are initialized in `memory`.
final class PartialModel {
    private let plan: ResolvedPlan
    private let memory: UnsafeMutableRawPointer
    private let filled: [Int]
    private let open: Set<Int>
    /// Whether the fields are the properties of the model itself, and not of its storage.
    private let isInPlace: Bool

    /// - Parameters:
    ///   - frame: The frame of a model.
    ///   - open: The fields whose values are being read.
    init?(copying frame: FrameReference, open: Set<Int>) {
        guard let table = frame.table, let plan = table.plan else { return nil }
        self.plan = plan
        self.open = open
        isInPlace = !frame.layout.hasStorage
        memory = .allocate(byteCount: max(table.size, 1), alignment: table.alignmentMask + 1)
        memory.copyMemory(from: frame.base, byteCount: table.size)
        var filled: [Int] = []
        frame.forEachFilled { filled.append($0) }
        self.filled = filled
        for field in filled { plan.fields[field].copy(from: frame.base, to: memory) }
    }

    deinit {
        for field in filled { plan.fields[field].destroy(memory + plan.fields[field].offset) }
        memory.deallocate()
    }

    /// The names of the properties that are decoded, and how far their values have been read.
    var properties: [(name: String, state: JSONReadState)] {
        plan.decodedFields.map { (plan.fields[$0].name, state(of: $0)) }
    }

    private func state(of field: Int) -> JSONReadState {
        open.contains(field) ? .open : filled.contains(field) ? .complete : .absent
    }

    /// Returns how far the value of a property has been read; nil if the plan has no such property.
    func state(ofPropertyNamed name: String) -> JSONReadState? {
        plan.decodedFields.first { plan.fields[$0].name == name }.map { state(of: $0) }
    }

    /// Returns the field whose memory contains a property, given the property's offset in the model.
    private func field(at offset: Int) -> Int? {
        guard isInPlace else { return nil }
        return plan.fields.indices.first { field in
            let info = plan.fields[field]
            return info.shape != nil && (info.offset..<info.offset + max(info.declared.size, 1)).contains(offset)
        }
    }

    /// Returns how far the value of a property has been read; nil if the plan has no such property.
    func state(ofPropertyAt offset: Int) -> JSONReadState? { field(at: offset).map { state(of: $0) } }

    /// Returns the value of a property; nil if the value is absent.
    func value<Value>(ofPropertyAt offset: Int, as type: Value.Type) -> Value? {
        guard let field = field(at: offset), filled.contains(field) else { return nil }
        return (memory + offset).assumingMemoryBound(to: type).pointee
    }
}

extension ResolvedPlan {
    /// The indexes of the fields that are decoded.
    var decodedFields: [Int] {
        fields.indices.filter { fields[$0].isRead }
    }
}

extension FieldInfo {
    /// Whether the field is decoded.
    var isRead: Bool { !paths.isEmpty || isExtra || isFlattenedEnum }
}
