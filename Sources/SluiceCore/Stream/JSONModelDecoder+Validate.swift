// Validation alone: every token is checked, and nothing is made of it.

extension JSONModelDecoder {
    /// Checks that a text in memory is JSON within the limits.
    ///
    /// - Throws: ``JSONModelError``
    public func validate(_ bytes: UnsafeRawBufferPointer) throws(JSONModelError) {
        try skim { source throws(JSONModelError) in try source.run(bytes.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Checks that a text in memory is JSON within the limits.
    ///
    /// - Throws: ``JSONModelError``
    public func validate(_ bytes: [UInt8]) throws(JSONModelError) {
        try skim { source throws(JSONModelError) in
            try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in try source.run(bytes) }
        }
    }

    /// Checks that a file is JSON within the limits. It is read in windows, in flat memory.
    ///
    /// - Throws: ``JSONModelError``
    public func validate(contentsOf file: String) throws(JSONModelError) {
        try skim { source throws(JSONModelError) in
            try FileWindows.read(file) { file throws(JSONModelError) in try file.feed(&source) }
        }
    }

    /// Checks that standard input, to its end, is JSON within the limits.
    ///
    /// - Throws: ``JSONModelError``
    public func validateStandardInput() throws(JSONModelError) {
        try skim { source throws(JSONModelError) in try FileWindows.standardInput.feed(&source) }
    }

    private func skim(_ run: (inout YajlSource) throws(JSONModelError) -> Void) throws(JSONModelError) {
        let shape = try JSONShape.of(Skimmed.self).prepared()
        var nothing = Skimmed()
        try withUnsafeMutablePointer(to: &nothing) { target throws(JSONModelError) in
            let driver = Driver(
                shape: shape, target: target, table: nil, depth: limits.depth, rejectsDuplicates: false, emit: nil)
            var source = try YajlSource(driver, limits: limits)
            try run(&source)
        }
    }
}

/// What a value becomes that nobody wants.
private struct Skimmed: JSONFillable {
    static var jsonShape: JSONShape { JSONShape(Self.self, kind: .skip, expectation: "a value") }
}
