import SluiceCore

extension JSONModelEncoder {
    /// Writes a value to a file or to standard output.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - destination: The destination, such as `.file("repository.json")`.
    /// - Throws: ``/SluiceCore/JSONModelError``
    public func write<T: JSONConvertible>(
        _ value: T, to destination: JSONDestination
    ) throws(JSONModelError) {
        try destination.write { sink throws(JSONModelError) in try write(value, to: sink) }
    }

    /// Writes the elements of a sequence as an array to a file or to standard output. Only one element is in memory at a time.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - destination: The destination, such as `.file("repositories.json")`.
    /// - Throws: ``/SluiceCore/JSONModelError``
    public func write<S: Sequence>(
        elements: S, to destination: JSONDestination
    ) throws(JSONModelError) where S.Element: JSONConvertible {
        try destination.write { sink throws(JSONModelError) in try write(elements: elements, to: sink) }
    }
}
