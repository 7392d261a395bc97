// An open value between two chunks, for its readers in other modules: which containers are open, and what they have.

extension Driver {
    /// The frame of the value, or of the open element of a stream; nil if none is open.
    package var firstValueFrame: FrameReference? { frames(above: root).first { $0.owner != root } }

    /// Whether the open string is stored as it is.
    package var storesText: Bool {
        guard !slot.layout.readsText, !top.hidesCurrentValue else { return false }
        switch disposition {
        case .store(.string), .store(.value): return true
        default: return false
        }
    }

    /// Whether a frame is an array or a dictionary that drops an element in which something is missing.
    func isLossyContainer(_ frame: FrameReference) -> Bool {
        (frame.form == .array || frame.form == .pairs) && frame.layout.isLossy
    }

    /// Returns the frame that changes if a part of its value fails: the element of a lossy container, which is dropped, or the model
    /// whose field gets its default. Returns the part itself if only the part is left out.
    ///
    /// - Parameters:
    ///   - part: The frame of a part that may fail.
    ///   - first: The frame of the value.
    package func frameOfRecovery(from part: FrameReference, above first: FrameReference) -> FrameReference {
        var frame = part
        while frame > first {
            let inner = frame
            frame = frame.below
            if isLossyContainer(frame) { return inner }
            if usesDefaultAfterFailure(at: frame) { return frame.owner }
        }
        return part
    }

    // MARK: Elements

    /// Returns the first element after a position.
    package func firstElement(of frame: FrameReference, after position: ElementPosition) -> UnsafeMutableRawPointer?
    {
        var (position, first) = (position, UnsafeMutableRawPointer?.none)
        forEachChunk(of: frame, from: &position) { elements, _ in first = first ?? elements }
        return first
    }

    /// Calls a closure with the elements after a position, and moves the position.
    package func forEachChunk(
        of frame: FrameReference, from position: inout ElementPosition,
        _ body: (_ elements: UnsafeMutableRawPointer, _ count: Int) -> Void
    ) {
        let (full, stride) = (fullChunks(of: frame), frame.layout.elementStride)
        while position.chunk < full.count {
            let chunk = full[full.startIndex + position.chunk]
            if position.count < chunk.count {
                body(chunk.start.unsafelyUnwrapped + position.count * stride, chunk.count - position.count)
            }
            position.total += max(chunk.count - position.count, 0)
            (position.chunk, position.count) = (position.chunk + 1, 0)
        }
        let last = lastChunk(of: frame, to: elementsEnd(of: frame)).count
        if position.count < last { body(frame.base + position.count * stride, last - position.count) }
        position.total += last - position.count
        position.count = last
    }
}

/// A position in the elements of an element buffer, which is in several chunks.
package struct ElementPosition {
    /// The number of elements before the position.
    package fileprivate(set) var total = 0
    /// The number of full chunks before the position.
    fileprivate var chunk = 0
    /// The number of elements before the position in the next chunk.
    fileprivate var count = 0

    package init() {}
}

extension FrameReference {
    /// The form of an open value, for its readers.
    package enum OpenForm {
        /// A model, an array or a dictionary.
        case container
        /// The object of an enum, or the enum itself, whose payload of a case may be in the frame above.
        case payload(of: Int)
        /// An object or array on a path of the model `owner`. `isFollowed` states whether the model's fields are read one by one.
        case path(isFollowed: Bool)
        /// A value that is made from what comes later.
        case other
    }

    package var openForm: OpenForm {
        if self.isNode, self.owner != self { return .path(isFollowed: self.form == .object && !addsToContainer) }
        switch self.form {
        case .object, .array, .pairs: return uncommonState?.decidesAtEnd == true ? .other : .container
        case .union, .converted:
            guard self.recordingStart == nil, let index = self.form == .union ? unionCase : payloadCase else {
                return .other
            }
            return .payload(of: index)
        case .root, .indexes, .anyIndex, .anyKey: return .other
        }
    }

    /// Whether the current value of the frame is added to a container of the model.
    package var addsToContainer: Bool { self.isNode && self.entry?.addsToContainer == true }

    /// The frame of the model around an object or array on its path, or the frame itself.
    package var model: FrameReference { self.owner }

    /// The memory of a model.
    package var memory: UnsafeMutableRawPointer { self.base }

    /// The key of the open pair of a dictionary.
    package var openKey: UnsafeMutableRawPointer { self.cursor }

    /// The field that receives the current value.
    package var currentField: Int? { self.entry?.field }

    /// Whether a `LiveValue` follows the frame.
    package var isFollowed: Bool {
        get { self.flags.contains(.isFollowed) }
        nonmutating set { if newValue { self.flags.insert(.isFollowed) } else { self.flags.remove(.isFollowed) } }
    }
}
