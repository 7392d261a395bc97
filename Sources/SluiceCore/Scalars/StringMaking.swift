extension String {
    /// A string of UTF-8 that has been validated.
    @usableFromInline
    init(checkedUTF8 bytes: UnsafeBufferPointer<UInt8>) {
        self.init(checkedUTF8: bytes, isASCII: false)
    }

    /// A string of UTF-8 that has been validated, so that it is not looked at again.
    @inline(__always)
    init(checkedUTF8 bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            let span = Span(_unsafeElements: bytes)
            self.init(copying: UTF8Span(unchecked: span, isKnownASCII: isASCII))
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }
}
