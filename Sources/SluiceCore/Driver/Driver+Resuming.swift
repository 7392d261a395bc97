// A stream that continues from a checkpoint: the driver is moved along the path to the element before.

extension Driver {
    /// Moves to an element of the array on top, which is on the path of the elements.
    mutating func move(toIndex index: Int) {
        top.detail = .position(index)
        aimAtIndex()
    }

    /// Ignores the next value.
    mutating func ignoreNext() { disposition = .skip }
}
