/// The JSON of a record, about 400 bytes.
enum RecordText {
    /// An upper bound of the length of a record, in bytes.
    static let longest = 4096

    /// Writes the record with an identifier.
    static func write(id: Int, to out: ByteWriter, random: inout SplitMix64) {
        out.put(#"{"id":"#)
        out.put(id)
        out.put(#","uuid":""#)
        uuid(to: out, random: &random)
        out.put(#"","name":""#)
        out.put(pick(Vocabulary.givenNames, &random))
        out.put(" ")
        out.put(pick(Vocabulary.familyNames, &random))
        out.put(#"","price":"#)
        out.put(random.below(2_000_000), fraction: 100, digits: 2)
        out.put(random.below(3) == 0 ? #","active":false,"# : #","active":true,"#)
        address(to: out, random: &random)
        tags(to: out, random: &random)
        note(to: out, random: &random)
        meta(to: out, random: &random)
        out.put("}")
    }

    /// Writes a UUID of version 4, in groups of 8, 4, 4, 4 and 12 digits.
    private static func uuid(to out: ByteWriter, random: inout SplitMix64) {
        let high = random.next()
        let low = random.next()
        out.put(hex: high >> 32, digits: 8)
        out.put("-")
        out.put(hex: high >> 16, digits: 4)
        out.put("-4")
        out.put(hex: high, digits: 3)
        out.put("-")
        out.put(hex: 8 | (low >> 60) & 3, digits: 1)
        out.put(hex: low >> 48, digits: 3)
        out.put("-")
        out.put(hex: low, digits: 12)
    }

    private static func address(to out: ByteWriter, random: inout SplitMix64) {
        out.put(#""address":{"street":""#)
        out.put(1 + random.below(240))
        out.put(" ")
        out.put(pick(Vocabulary.streets, &random))
        out.put(#"","city":""#)
        out.put(pick(Vocabulary.cities, &random))
        switch random.below(8) {
        case 0: out.put(#"","zip":null"#)
        case 1: out.put("\"")
        default:
            out.put(#"","zip":""#)
            out.put(10_000 + random.below(90_000))
            out.put("\"")
        }
        out.put(#","location":{"lat":"#)
        coordinate(90, to: out, random: &random)
        out.put(#","lon":"#)
        coordinate(180, to: out, random: &random)
        out.put("}}")
    }

    /// Writes positive or negative degrees with at most six decimals.
    private static func coordinate(_ limit: Int, to out: ByteWriter, random: inout SplitMix64) {
        if random.next() & 1 == 0 { out.put("-") }
        out.put(random.below(limit * 1_000_000), fraction: 1_000_000, digits: 6)
    }

    private static func tags(to out: ByteWriter, random: inout SplitMix64) {
        out.put(#","tags":["#)
        let count = random.below(5)
        for index in 0..<count {
            out.put(index == 0 ? "\"" : ",\"")
            out.put(pick(Vocabulary.tags, &random))
            out.put("\"")
        }
        out.put("]")
    }

    /// Writes the note. One third of the notes are absent, one sixth are null, and the others are a sentence.
    private static func note(to out: ByteWriter, random: inout SplitMix64) {
        switch random.below(6) {
        case 0, 1: return
        case 2: out.put(#","note":null"#)
        default:
            out.put(#","note":""#)
            out.put(pick(Vocabulary.notes, &random))
            out.put("\"")
        }
    }

    /// Writes members without a property in `Record`: nested objects, arrays, escapes and every form of number.
    private static func meta(to out: ByteWriter, random: inout SplitMix64) {
        out.put(#","meta":{"source":""#)
        out.put(pick(Vocabulary.sources, &random))
        out.put(#"","scores":["#)
        out.put(random.below(100))
        out.put(",-")
        out.put(random.below(1000), fraction: 100, digits: 2)
        out.put(random.next() & 1 == 0 ? ",2.5e-3,true],\"seen\":{\"at\":" : ",1E+2,null],\"seen\":{\"at\":")
        out.put(1_500_000_000 + random.below(300_000_000))
        out.put(#","by":["#)
        out.put(random.below(1000))
        out.put(#",{"team":""#)
        out.put(pick(Vocabulary.tags, &random))
        out.put(#""}]}}"#)
    }

    private static func pick(_ words: [StaticString], _ random: inout SplitMix64) -> StaticString {
        words[random.below(words.count)]
    }
}
