/// Where a driver makes the elements of a document, or the document as the only element, and what receives them.
///
/// The owner keeps the path, the layout, and the decoder as long as a document is open.
package struct ElementTarget {
    /// Memory for the first element.
    private let memory: UnsafeMutableRawPointer
    private let layout: LayoutReference
    /// The path in the document; nil if the document is the element.
    private let root: RootPath?
    /// Receives each of several elements; nil if the document has one element.
    private let receive: ElementReceiver.Closure?
    /// Finds the ranges of several elements; nil if they are not needed.
    package var locator: ElementRanges?
    /// Receives the issues of failed elements, which are skipped. Returns false for an issue outside of all elements. Nil if an issue ends
    /// the document.
    package var receiveIssue: ((JSONIssue, _ failure: Int) -> Bool)?

    package init(
        _ memory: UnsafeMutableRawPointer, _ layout: LayoutReference, at root: RootPath?,
        receive: ElementReceiver.Closure?
    ) {
        (self.memory, self.layout, self.root, self.receive) = (memory, layout, root, receive)
    }

    /// Makes a driver.
    func driver(_ decoder: JSONModelDecoder) -> Driver {
        var driver = Driver(
            slot: ValueSlot(address: memory, layout: layout), table: root?.table,
            options: .passUnretained(decoder.sharedOptions), emit: receive)
        if receive == nil { return driver }
        driver.session.locator = locator
        if let receiveIssue { driver.session.elements.skipFailed(receiveIssue) }
        return driver
    }
}

/// The memory of an envelope, which the driver of a document fills.
///
/// Invariant: the memory is initialized by the driver only, which hands a complete value over.
package final class EnvelopeTarget {
    /// The decoder without the filter of the elements.
    private let decoder: JSONModelDecoder
    private let slot: ValueSlot

    package init(_ shape: JSONShape, _ decoder: JSONModelDecoder) throws(JSONModelError) {
        var decoder = decoder
        decoder.only = nil
        self.decoder = decoder
        let layout = try decoder.planCache.layout(for: .passUnretained(shape))
        slot = ValueSlot(
            address: .allocate(byteCount: max(layout.size, 1), alignment: layout.alignmentMask + 1), layout: layout)
    }

    deinit { slot.address.deallocate() }

    /// Adds the driver of the envelope to the driver of the elements.
    func sink(_ elements: consuming Driver) -> AnySink {
        let envelope = Driver(slot: slot, table: nil, options: .passUnretained(decoder.sharedOptions), emit: nil)
        return AnySink(EnvelopeSink(elements: elements, envelope: envelope))
    }

    /// Moves the complete envelope out of its memory, after it was handed over.
    package func takeValue() -> SnapshotCopy { SnapshotCopy(moving: slot) }
}
