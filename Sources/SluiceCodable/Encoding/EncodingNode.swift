import SluiceCore

/// The state of a value that is being encoded, or of a nested container.
///
/// A value adds one node, whose container is the value's own. The nested containers of the value that are written to the output add
/// further nodes. All of them are removed at the end of the value.
struct EncodingNode {
    enum Kind: UInt8 {
        /// Nothing has been encoded.
        case empty
        /// A scalar, or other finished text.
        case text
        case object
        case array
    }

    /// Distinguishes the node from earlier nodes in the same memory.
    fileprivate(set) var generation: Int32 = 0
    var kind = Kind.empty
    /// Whether the opening bracket has been written, and the closing bracket has not.
    var isOpen = false
    /// Whether a value was encoded through a single-value container.
    var hasSingleValue = false
    /// The list of the container's entries; 0 if the entries are text of the output.
    var list = 0
    /// The node of the enclosing container, or the complement of the number of its list; -1 for the root.
    let parent: Int
    /// The node of the value to which a container belongs. A value's node refers to itself.
    let value: Int
    /// The key in the enclosing container.
    let key: KeyReference
    /// The number of brackets around the value.
    let depth: Int
    /// The offset of the text of the entry in the enclosing container, with its comma and key.
    let entry: Int
    /// The offset of the text of the value.
    var start: Int
    /// The number of elements, for arrays.
    var count = 0
    /// The number of names in the tape before those of this object.
    let firstName: Int
    /// A bit for each name of the object.
    var bloom: UInt64 = 0
}

/// The key of a value, by reference. Making a `CodingKey` existential for each value would take longer than writing the value.
enum KeyReference {
    case none
    case index(Int)
    /// A key on the caller's stack, which is valid as long as the node.
    case key(UnsafeRawPointer, any CodingKey.Type)
    /// The key of a dictionary, which is valid as long as the node.
    case name(UnsafePointer<String>, isConverted: Bool)
    /// The position of a key in the tape's array of keys.
    case kept(Int)
}

extension KeyReference {
    /// Refers to a key in memory, which must be valid as long as the reference is used.
    @inline(__always)
    init<Key: CodingKey>(_ key: UnsafePointer<Key>) { self = .key(UnsafeRawPointer(key), Key.self) }
}

/// The nodes of the values that are being encoded, and of their nested containers.
///
/// Invariant: the first `count` nodes are initialized. Nodes are plain data.
struct EncodingNodes: ~Copyable {
    private var nodes = GrowableMemory<EncodingNode>(capacity: minimumCapacity)
    private(set) var count = 0
    /// The generation of the last node.
    private var generation: Int32 = 0

    deinit { nodes.deallocate() }

    private static var minimumCapacity: Int { 16 }

    /// The size of the memory.
    var size: Int { nodes.size }

    /// Frees memory that the nodes do not need.
    // In builds without optimization, the compiler leaves out the `deinit` of nodes that are replaced by others.
    mutating func shrink() { nodes.shrink(moving: count, to: max(count, Self.minimumCapacity)) }

    /// The node at an index, which is accessed in memory, without a copy.
    @inline(__always)
    subscript(index: Int) -> EncodingNode {
        unsafeAddress { UnsafePointer(nodes.start + index) }
        nonmutating unsafeMutableAddress { nodes.start + index }
    }

    /// Adds a node with a generation of its own.
    @inline(__always)
    mutating func add(_ node: EncodingNode) {
        if count == nodes.capacity { nodes.grow(moving: count) }
        (nodes.start + count).initialize(to: node)
        generation = generation == .max ? 1 : generation &+ 1
        self[count].generation = generation
        count &+= 1
    }

    /// Removes the nodes from an index on.
    @inline(__always)
    mutating func removeAll(from index: Int) { count = min(count, index) }
}
