import SluiceCore
import Testing

/// Strings with lengths around the limit of Swift's inline storage.
struct ShortStringTests {
    @Test(arguments: ["x", "é", "あ", "😀"])
    func `strings of every length equal the strings of the input`(character: String) throws {
        for count in 0...20 {
            let plain = String(repeating: "k", count: count)
            for text in [plain, plain + character, character + plain, String(repeating: character, count: count)] {
                let bytes = Array("[\"\(text)\"]".utf8)
                let all = try JSONModelDecoder.Source.allCases.map {
                    try JSONModelDecoder(from: $0).decode([String].self, from: bytes)[0]
                }
                #expect(Set(all).count == 1)
                let made = all[all.count - 1]
                #expect(made == text)
                #expect(Array(made.utf8) == Array(text.utf8))
                #expect(made.hashValue == text.hashValue)
                #expect(made + "." == text + ".")
                #expect(made.utf16.count == text.utf16.count)
                #expect(made < text + "a" && !(made < text))
                var grown = made
                grown.append("…")
                #expect(grown == text + "…")
            }
        }
    }
}
