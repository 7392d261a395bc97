/// The recorded tokens of a value that another module decodes. The caller keeps the tape alive.
package struct RecordedEntry {
    package let tape: TapeView
    /// The owner of the tape, for what outlives the call.
    package let owner: Unmanaged<AnyObject>
    /// The entry of the value.
    package let index: Int

    init(_ tape: TapeView, owner: AnyObject, at index: Int) {
        self.tape = tape
        self.owner = .passUnretained(owner)
        self.index = index
    }
}
