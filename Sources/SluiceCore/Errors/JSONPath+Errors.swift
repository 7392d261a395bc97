@_exported public import JSONPaths

extension JSONPath {
    /// Parses a path.
    ///
    /// - Throws: ``JSONModelError`` of the kind `invalidPath` if the string is not a path.
    public init(parsing text: String) throws(JSONModelError) {
        do { try self.init(checking: text) } catch {
            throw JSONModelError(.invalidPath(Self.message(about: text, error)))
        }
    }
}
