/// The options of a writer, and its place in the output, for values that are written as other values.
struct WritingContext: EncodingContext {
    let options: EncodingOptions
    /// The number of brackets around the value.
    let depth: Int

    func text(of value: UnsafeRawPointer, _ shape: JSONShape) throws -> [UInt8] {
        do throws(JSONModelError) {
            let layout = try options.planCache.layout(for: shape)
            return try ModelWriter.withText(value, layout, options) { Array($0) }
        } catch {
            throw NestedFailure(error: error)
        }
    }
}
