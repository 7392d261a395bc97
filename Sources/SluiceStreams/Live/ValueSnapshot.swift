// The value as far as it is read. Its parts are copied when they are first asked for, or when the input continues while the snapshot is
// in use.

import SluiceCore

/// Guards a document between two chunks, when snapshots on other threads read the document. A look at the open value marks frames.
final class SnapshotLock: Sendable {
    private let lock = Lock<Void>(())

    func callAsFunction<Result>(_ body: () -> Result) -> Result { lock.withLock { _ in body() } }
}

/// A value as far as it is read.
///
/// Invariant: the document of the reader exists and is between two chunks as long as `isLive` is set. The document calls `settle` before
/// it continues.
// Unchecked because a reader is not `Sendable`. One thread at a time uses the reader and the variables: the one that has the lock.
final class ValueSnapshot: @unchecked Sendable {
    private let lock: SnapshotLock
    /// Nil for the snapshot of a complete value.
    private unowned(unsafe) let reader: DocumentSnapshots?
    private let isOfEnvelope: Bool
    private var isLive: Bool
    private var knownOverview: SnapshotOverview?
    private var knownCopy: SnapshotCopy?

    /// Creates a snapshot of the value or the envelope of a document.
    init(_ reader: DocumentSnapshots, ofEnvelope: Bool) {
        (self.reader, isOfEnvelope, lock) = (reader, ofEnvelope, reader.lock)
        isLive = true
    }

    /// Creates the snapshot of a value that is not read further.
    init(_ copy: SnapshotCopy) {
        (reader, isOfEnvelope, lock) = (nil, false, SnapshotLock())
        (isLive, knownCopy) = (false, copy)
    }

    /// Copies all that is read, before the reader continues.
    func settle() {
        lock {
            _ = copy()
            isLive = false
        }
    }

    /// Forgets all that was read, so that the snapshot serves the next look.
    ///
    /// - Precondition: No other object uses the snapshot, and the reader reads it.
    func restart() {
        lock {
            if knownCopy != nil { knownCopy = nil }
            if knownOverview != nil { knownOverview = nil }
        }
    }

    /// The reader, while the document is between the same two chunks as at the beginning of the snapshot.
    private var liveReader: DocumentSnapshots? { isLive ? reader : nil }

    private func read<Result>(_ body: (borrowing Driver, OpenToken) -> Result) -> Result? {
        liveReader.map { $0.document.read(envelope: isOfEnvelope, body) }
    }

    private func copy() -> SnapshotCopy {
        if let knownCopy { return knownCopy }
        guard let copy = liveReader?.copy(ofEnvelope: isOfEnvelope) else {
            preconditionFailure("a snapshot has no value")
        }
        knownCopy = copy
        return copy
    }

    /// The facts that need no copy of a value.
    var overview: SnapshotOverview {
        lock {
            if let known = knownCopy?.overview ?? knownOverview { return known }
            guard let overview = read({ $0.overview($1) }) else { preconditionFailure("a snapshot has no value") }
            knownOverview = overview
            return overview
        }
    }

    /// The text so far of the string that is being read; nil if the open value is not a string.
    var openText: String? {
        lock { knownCopy.map(\.openText) ?? liveReader?.openText(ofEnvelope: isOfEnvelope) }
    }

    /// Returns what has changed in the value since the last call; nil if the value is complete.
    func takeChanges() -> [JSONChange]? { lock { liveReader?.changes() } }

    /// The issues of the parts that are missing.
    var issues: [JSONIssue] { lock { copy().issues } }

    // The closures return the values themselves: a variable around them would copy a value once more.

    /// Returns a copy of the value; nil if a required part is missing.
    func value<Value>(as type: Value.Type) -> Value? {
        lock { () -> Value? in
            if knownCopy == nil, let address = liveReader?.value(ofEnvelope: isOfEnvelope) {
                return address.assumingMemoryBound(to: type).pointee
            }
            return copy().value(as: type)
        }
    }

    /// Returns the value of a property of the model that is being read; nil if the value is absent.
    func value<Value>(ofPropertyAt offset: Int, as type: Value.Type) -> Value? {
        lock { () -> Value? in
            let size = MemoryLayout<Value>.size
            if let address = read({ $0.address(ofPropertyAt: offset, size: size, $1) }) ?? nil {
                return address.assumingMemoryBound(to: type).pointee
            }
            return copy().value(ofPropertyAt: offset, as: type)
        }
    }
}
