import ShortTexts
import Testing

/// All texts of a few symbols. `make exhaustive` judges longer ones.
@Suite
struct ShortTextTests {
    @Test(arguments: ShortTexts.symbols.indices)
    func `all short texts have the verdict and the offset of an automaton`(first: Int) {
        var texts = ShortTexts(cutLength: 3)
        texts.judge(beginningWith: [first], upTo: 5)
        #expect(texts.texts == 1 + 20 + 400 + 8_000 + 160_000)
        #expect(texts.documents > 0 || ![0, 2, 6, 9, 10, 11, 15, 16, 17].contains(first))
        #expect(texts.differences.isEmpty, "\(texts.differences.joined(separator: "\n"))")
    }

    @Test func `longer texts that begin like documents are judged up to the symbol at fault`() {
        var texts = ShortTexts(cutLength: 0, rejectedLength: 0)
        texts.judge(beginningWith: [], upTo: 5)
        // All texts of up to five symbols have as many documents.
        #expect(texts.documents == 5_789)
        #expect(texts.texts < 3_368_421 / 10)
        #expect(texts.differences.isEmpty, "\(texts.differences.joined(separator: "\n"))")
    }
}
