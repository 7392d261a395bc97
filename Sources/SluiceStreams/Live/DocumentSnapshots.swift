import SluiceCore

/// The snapshots of an open document, until the next chunk.
///
/// Invariant: the document exists, and is between two chunks, when one of the methods is called.
final class DocumentSnapshots: DocumentReader {
    @exclusivity(unchecked) unowned(unsafe) let document: OpenDocument
    /// Held while a snapshot reads the document.
    let lock = SnapshotLock()
    /// The options of a driver for a partial value.
    private let options: DecodingOptions.Shared
    /// The snapshots that may read this document until the next chunk.
    @exclusivity(unchecked) private var snapshots: (value: ValueSnapshot?, envelope: ValueSnapshot?) = (nil, nil)
    /// A snapshot that is no longer in use.
    @exclusivity(unchecked) private var unusedSnapshot: ValueSnapshot?
    /// Follows the value; nil before the first look at an open value.
    @exclusivity(unchecked) private var liveValue: LiveValue?
    /// The value at its last look since the last chunk; nil without a look, or if the value cannot be followed.
    @exclusivity(unchecked) private var look: LiveCopy?
    @exclusivity(unchecked) private var hasLooked = false

    init(_ document: OpenDocument, _ options: DecodingOptions.Shared) {
        (self.document, self.options) = (document, options)
    }

    /// Returns the snapshot of the value, or of the open element.
    func valueSnapshot() -> ValueSnapshot {
        if let snapshot = snapshots.value { return snapshot }
        let snapshot = unusedSnapshot.take() ?? ValueSnapshot(self, ofEnvelope: false)
        snapshots.value = snapshot
        return snapshot
    }

    /// Returns the snapshot of the envelope; nil without an envelope.
    func envelopeSnapshot() -> ValueSnapshot? {
        guard document.hasEnvelope else { return nil }
        let snapshot = snapshots.envelope ?? ValueSnapshot(self, ofEnvelope: true)
        snapshots.envelope = snapshot
        return snapshot
    }

    /// Ends the access of snapshots, before the document changes. A snapshot that is still in use copies what is read.
    func settle() {
        if snapshots.value == nil, snapshots.envelope == nil { return }
        if isKnownUniquelyReferenced(&snapshots.value) {
            // Another thread may have looked at the value.
            snapshots.value!.restart()
            swap(&snapshots.value, &unusedSnapshot)
        } else if let snapshot = snapshots.value.take() {
            snapshot.settle()
        }
        if isKnownUniquelyReferenced(&snapshots.envelope) {
            snapshots.envelope!.restart()
            snapshots.envelope = nil
        } else if let snapshot = snapshots.envelope.take() {
            snapshot.settle()
        }
        look = nil
        hasLooked = false
    }

    /// Releases the values that follow the value, which is complete.
    func release() { liveValue = nil }

    // MARK: Reading the document

    // Called with the lock.

    func openText(ofEnvelope: Bool) -> String? {
        if !document.read(envelope: ofEnvelope, { $0.isReadingText($1) }) { return nil }
        if !ofEnvelope, let look { return look.openText }
        if !ofEnvelope, let liveValue { return liveValue.text() }
        var text = OpenText()
        document.readOpenText(&text)
        return text.text
    }

    /// Returns the value as far as it is read; nil if the value cannot be followed.
    private func lookAtValue() -> LiveCopy? {
        if hasLooked { return look }
        hasLooked = true
        look = document.read(envelope: false) { driver, token in follow(driver)?.look(driver, token) }
        return look
    }

    /// Returns what has changed in the value since the last call.
    func changes() -> [JSONChange] {
        document.read(envelope: false) { driver, token in
            follow(driver)?.changes(driver, token) ?? LiveValue.replacement(driver, token)
        }
    }

    private func follow(_ driver: borrowing Driver) -> LiveValue? {
        if liveValue == nil { liveValue = LiveValue(following: driver, of: self) }
        return liveValue
    }

    /// Returns the address of the value, which is valid until the document continues; nil if the value cannot be followed.
    func value(ofEnvelope: Bool) -> UnsafeRawPointer? {
        ofEnvelope ? nil : lookAtValue().map { UnsafeRawPointer($0.memory) }
    }

    /// Returns copies of all that is read.
    func copy(ofEnvelope: Bool) -> SnapshotCopy {
        if !ofEnvelope, let look = lookAtValue() {
            return SnapshotCopy(
                of: look.memory, look.layout, document.read(envelope: false) { $0.overview($1) },
                openText: look.openText, openField: look.openField, issues: look.issues)
        }
        let (text, end) = (openText(ofEnvelope: ofEnvelope), document.end)
        return document.read(envelope: ofEnvelope) { $0.snapshot($1, text: text, end: end, options: options) }
    }

    /// Makes the value of a frame as a whole, as far as it is read.
    func makeWhole(_ frame: FrameReference, at memory: UnsafeMutableRawPointer, text: String?) -> (
        isPresent: Bool, issues: [JSONIssue]
    ) {
        let end = document.end
        return document.read(envelope: false) { driver, _ in
            driver.makePart(frame, at: memory, text: text, end: end, options: options)
        }
    }
}

extension OpenDocument {
    /// Returns the snapshots of the document, which are made on first use.
    ///
    /// - Parameter options: The options of a driver for a partial value.
    private func snapshots(_ options: DecodingOptions.Shared) -> DocumentSnapshots {
        if let reader { return unsafeDowncast(reader, to: DocumentSnapshots.self) }
        let snapshots = DocumentSnapshots(self, options)
        reader = snapshots
        return snapshots
    }

    /// Returns the value, or the open element, as far as it is read.
    func snapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot { snapshots(options).valueSnapshot() }

    /// Returns the envelope as far as it is read; nil without an envelope.
    func envelopeSnapshot(_ options: DecodingOptions.Shared) -> ValueSnapshot? {
        snapshots(options).envelopeSnapshot()
    }
}
