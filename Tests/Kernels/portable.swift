// The loops over eight bytes with the signatures of the loops in C. `counts.sh` compiles this file together with the loops, and
// links both with `counts.c`.

@_cdecl("portable_string_end")
func stringEnd(
    _ at: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>, _ high: UnsafeMutablePointer<UInt32>
) -> UnsafePointer<UInt8> {
    var isASCII = true
    let end = Kernels.portableStringEnd(at, last: last, isASCII: &isASCII)
    high.pointee = isASCII ? 0 : 1
    return end
}

@_cdecl("portable_plain_end")
func plainEnd(_ at: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    Kernels.portablePlainEnd(at, last: last)
}

@_cdecl("portable_space_end")
func spaceEnd(_ at: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    Kernels.portableSpaceEnd(at, last: last)
}

@_cdecl("portable_copy_plain")
func copyPlain(
    _ at: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ outLast: UnsafeMutablePointer<UInt8>, _ high: UnsafeMutablePointer<UInt32>
) -> Int {
    var isASCII = true
    let count = Kernels.portableCopyPlain(at, last: last, to: out, outLast: outLast, isASCII: &isASCII)
    if !isASCII { high.pointee = 1 }
    return count
}

@_cdecl("portable_copy_literal")
func copyLiteral(_ from: UnsafePointer<UInt8>, _ count: Int, _ out: UnsafeMutablePointer<UInt8>) -> Int {
    Kernels.portableCopyPlain(from, count, to: out)
}

@_cdecl("portable_copy_literal_until")
func copyLiteralUntil(
    _ from: UnsafePointer<UInt8>, _ count: Int, _ out: UnsafeMutablePointer<UInt8>, _ other: UInt8
) -> Int {
    Kernels.portableCopyPlain(from, count, to: out, until: other)
}

@_cdecl("portable_copy_whole")
func copyWhole(_ from: UnsafePointer<UInt8>, _ count: Int, _ out: UnsafeMutablePointer<UInt8>) -> Int32 {
    Kernels.portableCopyPlain(from, count, to: out) == count ? 1 : 0
}

@_cdecl("portable_put_small")
func putSmall(_ low: UInt64, _ high: UInt64, _ out: UnsafeMutablePointer<UInt8>) -> Int {
    Kernels.portablePutSmall(low, high, to: out)
}

@_cdecl("portable_put_small_until")
func putSmallUntil(_ low: UInt64, _ high: UInt64, _ out: UnsafeMutablePointer<UInt8>, _ other: UInt8) -> Int {
    Kernels.portablePutSmall(low, high, to: out, until: other)
}

@_cdecl("portable_is_equal")
func isEqual(_ at: UnsafePointer<UInt8>, _ pattern: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    Kernels.portableIsEqual(at, pattern, count) ? 1 : 0
}

@_cdecl("portable_is_utf8")
func isUTF8(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    UTF8Validation.portableFirstError(bytes, count) == nil ? 1 : 0
}

@_cdecl("portable_is_short_utf8")
func isShortUTF8(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    UTF8Validation.portableFirstError(bytes, count) == nil ? 1 : 0
}

@_cdecl("portable_digits")
func digits(_ at: UnsafePointer<UInt8>, _ last: UnsafePointer<UInt8>) -> UInt64 {
    var value: UInt64 = 0
    _ = Kernels.portableDigits(at, last: last, into: &value)
    return value
}

@_cdecl("portable_sixteen_digits")
func sixteenDigits(_ upper: UInt64, _ lower: UInt64) -> UInt64 {
    DecimalWord.eight(upper) ^ DecimalWord.eight(lower)
}
