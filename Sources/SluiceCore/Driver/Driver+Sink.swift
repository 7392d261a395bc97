extension Driver: TokenSink {
    @inline(__always)
    var isSkipping: Bool { kind == .skip }

    mutating func skipped() -> TokenAction { skipDepth == 0 ? passed() : .proceed }
}

#if YAJL
extension Driver: YajlSink {}
#endif
