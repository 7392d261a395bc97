/// The cases of an enum as the driver reads them for each value. Plain data in the memory of a plan.
package struct UnionTable {
    enum Tagging: UInt8 {
        case external, `internal`, adjacent, untagged

        init(_ tagging: JSONTagging) {
            switch tagging {
            case .external: self = .external
            case .internal: self = .internal
            case .adjacent: self = .adjacent
            case .untagged: self = .untagged
            }
        }
    }

    /// The JSON containers that may fit a case of an untagged enum.
    enum Fit: UInt8 {
        /// No object and no array.
        case none
        case object, array
        /// Any value.
        case any
    }

    /// How a value of a case is written.
    enum Writing: UInt8 {
        /// By the steps for all values.
        case inSteps
        /// As a text that is known.
        case alone
        /// As a text that is known, followed by the members of the payload.
        case members
        /// As a text that is known, followed by a scalar.
        case scalar
    }

    struct Case {
        /// Nil for a case without a value.
        let layout: LayoutReference?
        let hasSeveralNames: Bool
        /// See `ResolvedUnion.Case.buffersValue(in:)`.
        var buffersValue = false
        /// Whether the value can be read from the members around a tag that is not the first of them: the value is a model or a dictionary,
        /// or made from one, and no property but a string receives the tag.
        var readsMembers = false
        /// Whether the name of the case selects it. See `DeclaredUnion.hasName(_:)`.
        let hasName: Bool
        /// Whether the encoded value may have a member with the key of the tag.
        var mayRepeatTag = true
        var fit = Fit.none
        /// The presence bits of keys without which an object does not fit.
        var required: UInt64 = 0
        var writing = Writing.inSteps
        /// The text before the payload, with the opening brackets. `OutputBuffer.prefixRoom` bytes can be read.
        var opening: UnsafePointer<UInt8>
        var openingCount = 0
        /// The number of brackets that stay open after this text.
        var bracketCount = 0
        /// 1 if the next member is the first of its object, else 0.
        var firstByteCount = 0
        /// The text of the tag in the object of another model, which begins with a comma.
        var tagMember: UnsafePointer<UInt8>
        var tagMemberCount = 0
        /// The functions of the case.
        let functions: Unmanaged<CaseFunctions>
    }

    let tagging: Tagging
    package let size: Int
    package let payloadAlignmentMask: Int
    let fallbackValue: ResolvedUnion.FallbackValue
    let fallbackNeedsName: Bool
    /// The number of the fallback case; −1 without a fallback.
    let fallback: Int
    let cases: UnsafeMutablePointer<Case>
    let count: Int
    /// The order in which the cases of an untagged enum are tried.
    let order: UnsafePointer<Int>
    /// The names of the cases. The field of an entry is the number of the case.
    let names: TableReference
    /// The entry of the tag in the object of the enum; nil without a tag.
    let tag: EntryReference?
    /// Whether a value is recorded as a whole before the case is known.
    var isBuffered = false
    /// The required keys of the cases of an untagged enum. The field of an entry is the number of the key.
    var keys: TableReference?
    /// For each of these keys, the presence bit of the key in each case.
    var keyBits: UnsafePointer<UInt64>?
    /// Whether the plan of the enum allows no conversions; nil if the decoder decides.
    let isStrict: Bool?
    /// Whether code of the enum runs after a value is made.
    let hasHooks: Bool
    /// The size of a value.
    let valueSize: Int
    let valueAlignmentMask: Int
    /// The function that moves the payload out of a value; nil for a plan by hand.
    let projection: Unmanaged<EnumProjection>?
    /// The cases in full, for rarely used data.
    let unretained: Unmanaged<ResolvedUnion>

    /// The greatest number of cases of an untagged enum that are compared with the keys of an object.
    static var maximumComparedCount: Int { 16 }
    /// The greatest number of names that are compared one after another.
    static var maximumSearchedCount: Int { 4 }
}

package typealias UnionReference = PlanReference<UnionTable>

extension UnionReference {
    /// The cases in full, retained.
    var resolved: ResolvedUnion { self.unretained.takeUnretainedValue() }

    /// The case that represents unknown cases.
    var fallbackIndex: Int? { self.fallback < 0 ? nil : self.fallback }

    /// Returns the fallback case if it receives a whole value; nil otherwise.
    ///
    /// - Parameter hasName: Whether the value has the name of an unknown case.
    func wholeFallback(hasName: Bool) -> Int? {
        self.fallbackValue == .whole && (hasName || !self.fallbackNeedsName) ? self.fallbackIndex : nil
    }

    /// Returns the index of the case with a name. A fallback with a value has no name.
    func find(_ name: Key) -> Int? {
        let (names, count) = (self.names.entries, self.names.count)
        if count > UnionTable.maximumSearchedCount { return self.names.find(name)?.field }
        var index = 0
        while index < count {
            if names[index].matches(name) { return names[index].field }
            index &+= 1
        }
        return nil
    }

    func find(_ name: String) -> Int? { self.names.find(name)?.field }

    /// The first name of a case.
    func name(of index: Int) -> String { self.unretained._withUnsafeGuaranteedRef { $0.firstNames[index] } }

    func tag(of index: Int) -> PendingTag {
        self.unretained._withUnsafeGuaranteedRef {
            PendingTag(
                key: $0.tagKey ?? "", name: $0.firstNames[index], mayRepeat: self.cases[index].mayRepeatTag)
        }
    }

    /// The key of the content of an adjacently tagged enum.
    var contentKey: String { self.unretained._withUnsafeGuaranteedRef { $0.contentKey ?? "" } }

    /// Copies the payload of a value to memory for it. Returns the index of the value's case; nil if the plan does not have the case.
    @inline(__always)
    func read(_ value: UnsafeRawPointer, _ payload: UnsafeMutableRawPointer) -> Int? {
        let (cases, count) = (pointer.pointee.cases, pointer.pointee.count)
        var index = 0
        while index < count {
            if cases[index].functions._withUnsafeGuaranteedRef({ $0.read(value, payload) }) { return index }
            index &+= 1
        }
        return nil
    }

    /// Makes a case from its payload, which is moved out of its memory.
    @inline(__always)
    package func make(_ index: Int, _ payload: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) {
        pointer.pointee.cases[index].functions._withUnsafeGuaranteedRef { $0.make(payload, target) }
    }
}

// Payloads that are changed in place.
extension UnionReference {
    /// Whether the payload of a value can be moved out, and the value be made again without other effects.
    package var lendsPayload: Bool { self.projection != nil && !self.hasHooks }

    /// Moves the payload out of a value that lends its payload. Returns the case.
    package func takePayload(of value: UnsafeMutableRawPointer, to payload: UnsafeMutableRawPointer) -> Int {
        self.projection.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.project(value, payload) }
    }

    package func destroyPayload(_ payload: UnsafeMutableRawPointer, of index: Int) {
        self.cases[index].layout?.destroy(payload)
    }

    /// Returns the path from a value to the payload of a case.
    package func path(toPayloadOf index: Int) -> [JSONPath.Component] {
        switch self.tagging {
        case .external: [.key(name(of: index))]
        case .adjacent: [.key(contentKey)]
        case .internal, .untagged: []
        }
    }
}

/// The functions of a case, and the key of its payload.
///
/// A class, so that a call of a closure retains nothing but borrows the object.
final class CaseFunctions {
    let make: (_ payload: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) -> Void
    let read: (_ model: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) -> Bool
    let destroy: (_ payload: UnsafeMutableRawPointer) -> Void
    /// The key of the payload in the object of the case; nil if the payload is the object.
    let key: String?

    init(_ declared: DeclaredCase, key: String?) {
        (make, read, destroy) = (declared.make, declared.read, declared.destroy)
        self.key = key
    }
}

typealias CaseReference = UnsafeMutablePointer<UnionTable.Case>

extension LayoutReference {
    /// The cases of a union's layout; nil for other layouts.
    @inline(__always)
    package var union: UnionReference? { self.kind == .union ? self.table.unsafelyUnwrapped.union : nil }

    /// The cases of a union's layout in full; nil for other layouts.
    package var resolvedUnion: ResolvedUnion? { self.kind == .union ? self.table?.plan?.union : nil }
}

/// The tags of enums, which the next object contains. One tag needs no memory of its own.
struct PendingTags {
    // Read for each model that is written.
    private(set) var isEmpty = true
    /// Whether the object may have another member with the key of a tag.
    private(set) var mayRepeat = false
    private var first: PendingTag?
    private var others: [PendingTag] = []

    var keys: [String] { all.map(\.key) }
    var all: [PendingTag] { (first.map { [$0] } ?? []) + others }

    /// Returns the tag with a key; nil if there is none.
    func tag(for key: String) -> PendingTag? {
        if let first, first.key.hasSameCodeUnits(as: key) { return first }
        return others.first { $0.key.hasSameCodeUnits(as: key) }
    }

    mutating func append(_ tag: PendingTag) {
        mayRepeat = tag.mayRepeat || !isEmpty
        isEmpty = false
        if first == nil { first = tag } else { others.append(tag) }
    }

    /// Notes that the payload is decoded from the whole object, and may have the tags as members.
    mutating func allowMembers() {
        first?.mayBeMember = true
        for index in others.indices { others[index].mayBeMember = true }
    }

    /// Removes the tag with a key, which the object has as a member.
    mutating func remove(_ key: String) {
        let rest = all.filter { !$0.key.hasSameCodeUnits(as: key) }
        (first, others) = (rest.first, Array(rest.dropFirst()))
        isEmpty = rest.isEmpty
        mayRepeat = !isEmpty
    }

    /// Notes that the object is of a subclass, which the plan of the case does not know.
    mutating func reportSubclass() { mayRepeat = !isEmpty }

    /// Removes the tags, and calls a closure with each.
    mutating func takeAll(_ body: (PendingTag) -> Void) {
        if let tag = first.take() { body(tag) }
        if !others.isEmpty {
            for tag in others { body(tag) }
            others = []
        }
        (isEmpty, mayRepeat) = (true, false)
    }
}

/// The tag of an enum, which the next object contains.
struct PendingTag {
    let key: String
    let name: String
    /// Whether the object may have another member with the key of the tag.
    var mayRepeat = true
    /// Whether the value may have the tag itself. The tag is then not written again.
    var mayBeMember = false
}
