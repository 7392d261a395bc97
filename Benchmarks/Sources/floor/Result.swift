/// The measured speeds of a corpus with a token source, in MB/s.
struct Result {
    let corpus: Corpus
    let way: Corpus.Way
    let floor: Double
    let sluice: Double
    let foundation: Double

    var share: Double { sluice / floor }
    var multiple: Double { sluice / foundation }
}

extension Rounds {
    func measure(_ corpus: Corpus) throws -> [Result] {
        try corpus.verify()
        let times = try medians(of: [corpus.bare, corpus.foundation] + corpus.sluice.map(\.run))
        let speeds = times.map { Double(corpus.bytes) / 1e6 / $0 }
        return zip(corpus.sluice, speeds.dropFirst(2)).map { way, speed in
            Result(corpus: corpus, way: way, floor: speeds[0], sluice: speed, foundation: speeds[1])
        }
    }
}
