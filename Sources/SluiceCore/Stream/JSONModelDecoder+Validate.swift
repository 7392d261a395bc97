// Validation alone: every token is checked, and nothing is made of it.

extension JSONModelDecoder {
    /// Checks that a text in memory is JSON within the limits.
    ///
    /// - Throws: ``JSONModelError``
    public func validate(_ bytes: UnsafeRawBufferPointer) throws(JSONModelError) {
        try skim(.memory(bytes))
    }

    /// Checks that a text in memory is JSON within the limits.
    ///
    /// - Throws: ``JSONModelError``
    public func validate(_ bytes: [UInt8]) throws(JSONModelError) {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in try skim(.memory(bytes)) }
    }

    /// Checks that a text is JSON within the limits.
    ///
    /// - Throws: ``JSONModelError``
    public func validate(_ text: String) throws(JSONModelError) {
        try validate(Array(text.utf8))
    }

    /// Checks that a file is JSON within the limits. It is read in windows, in flat memory.
    ///
    /// - Throws: ``JSONModelError``
    public func validate(contentsOf file: String) throws(JSONModelError) {
        try skim(.file(file))
    }

    /// Checks that standard input, to its end, is JSON within the limits.
    ///
    /// - Throws: ``JSONModelError``
    public func validateStandardInput() throws(JSONModelError) {
        try skim(.standardInput)
    }

    private func skim(_ input: TextInput) throws(JSONModelError) {
        let shape = try PlanEnvironment.standard.record(for: JSONShape.of(Skimmed.self))
        var nothing = Skimmed()
        try withUnsafeMutablePointer(to: &nothing) { target throws(JSONModelError) in
            let driver = Driver(shape: shape, target: target, table: nil, decoder: self, emit: nil)
            try run(driver, input, missing: nil)
        }
    }
}

/// What a value becomes that nobody wants.
private struct Skimmed: JSONFillable {
    static var jsonShape: JSONShape { JSONShape(Self.self, kind: .skip, expectation: "a value") }
}
