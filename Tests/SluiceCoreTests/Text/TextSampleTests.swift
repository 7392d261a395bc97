import Testing

@testable import SluiceCore

/// The numbers that identify a text when the text is read again.
struct TextSampleTests {
    private func digest(_ count: Int) -> Int64? {
        var sample = TextSample()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        bytes.withUnsafeBufferPointer { sample.add($0) }
        return sample.digest(before: count)
    }

    /// A checkpoint that an earlier version has stored must stay valid.
    @Test func `the digest of a text never changes`() {
        #expect(
            [0, 1, 8, 64, 65, 200].map { digest($0) } == [
                822_685_893_976_840, 199_087_736_098_017, 1_306_940_019_304_136, 3_300_841_008_639_830,
                3_175_461_401_054_776, 4_324_433_555_469_343,
            ])
    }

    @Test func `the number of kept bytes does not grow with the text`() {
        for size in [1, 50, 127, 128, 300] {
            var sample = TextSample()
            var text: [UInt8] = []
            for index in 0..<500 {
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: size)
                bytes.withUnsafeBufferPointer { sample.add($0) }
                text += bytes
            }
            #expect(sample.tail == Array(text.suffix(128)))
        }
    }

    @Test func `a text without its first bytes has no digest`() {
        let tail = [UInt8](repeating: 7, count: 64)
        #expect(TextSample(head: [7, 7, 7], tail: tail, offset: 100).digest(before: 100) == nil)
        #expect(TextSample(head: tail, tail: tail, offset: 100).digest(before: 100) != nil)
    }
}
