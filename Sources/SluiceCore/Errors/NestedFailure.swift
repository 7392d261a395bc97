/// A failure in a value that is written into a string. The path continues that of the string.
struct NestedFailure: Error {
    let error: JSONModelError
}
