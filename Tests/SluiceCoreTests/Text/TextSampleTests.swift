import Testing

@testable import SluiceCore

/// The numbers that identify a text when the text is read again.
struct TextSampleTests {
    private func digest(_ count: Int) -> Int? {
        var sample = TextSample()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        bytes.withUnsafeBufferPointer { sample.add($0) }
        return sample.digest(before: count)
    }

    /// A checkpoint that an earlier version has stored must stay valid.
    @Test func `the digest of a text never changes`() {
        #expect(
            [0, 1, 8, 64, 65, 200].map { digest($0) }
                == [
                    822_685_893_976_840,
                    199_087_736_098_017,
                    1_306_940_019_304_136,
                    3_300_841_008_639_830,
                    3_175_461_401_054_776,
                    4_324_433_555_469_343,
                ])
    }
}
