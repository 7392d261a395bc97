/// Decodes values that are each in one chunk, one after another, with the scanner.
///
/// The source and the driver of a value serve the next one, because making both takes as long as decoding a short value. After an error,
/// and after a value that needed more state, such as a replay, both are made again.
package final class ScannedValues {
    @exclusivity(unchecked) private var source: ScannerSource
    @exclusivity(unchecked) private var driver: Driver

    /// - Parameter target: The target of a value, which is not one of several elements.
    package init(_ target: ElementTarget, _ decoder: JSONModelDecoder) {
        source = ScannerSource(limits: decoder.limits)
        driver = target.driver(decoder)
    }

    /// Whether another value can be decoded.
    package var isReusable: Bool { source.isReusable && driver.isReusable }

    /// Decodes the next value.
    ///
    /// - Parameters:
    ///   - bytes: The value, and nothing else.
    ///   - margins: The readable bytes around the value.
    ///   - target: Memory for the value.
    ///   - origin: The lines of the input before the value.
    ///   - missing: The path that the value must have; nil if none is required.
    /// - Throws: The error of the value, after which no other value can be decoded.
    package func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, margins: TextMargins, into target: UnsafeMutableRawPointer,
        after origin: LineCount, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        if driver.session.isComplete { driver.beginValue(at: target) }
        source.beginDocument(after: origin)
        do { try source.run(bytes, margins: margins, to: &driver) } catch { throw source.complete(error, &driver) }
        return try source.outcome(&driver, missing: missing)
    }
}
