import ShortTexts
import TestSupport
import Testing

/// All texts of a few symbols. `Scripts/kernels.sh exhaustive` judges longer ones.
@Suite
struct ShortTextTests {
    /// The greatest number of symbols, the number of texts that begin with one symbol, and that of all documents.
    private static let (length, texts, documents) = Rounds.areFull ? (5, 168_421, 5_789) : (4, 8_421, 519)

    @Test(arguments: ShortTexts.symbols.indices)
    func `all short texts have the verdict and the offset of an automaton`(first: Int) {
        var texts = ShortTexts(cutLength: 3)
        texts.judge(beginningWith: [first], upTo: Self.length)
        #expect(texts.texts == Self.texts)
        #expect(texts.documents > 0 || ![0, 2, 6, 9, 10, 11, 15, 16, 17].contains(first))
        #expect(texts.differences.isEmpty, "\(texts.differences.joined(separator: "\n"))")
    }

    @Test func `longer texts that begin like documents are judged up to the symbol at fault`() {
        var texts = ShortTexts(cutLength: 0, rejectedLength: 0)
        texts.judge(beginningWith: [], upTo: Self.length)
        #expect(texts.documents == Self.documents)
        #expect(texts.texts < 20 * Self.texts / 4)
        #expect(texts.differences.isEmpty, "\(texts.differences.joined(separator: "\n"))")
    }
}
