import SluiceCore
import SluiceStreams
import Synchronization
import TestSupport
import Testing

/// Lines that end in the middle of a token, before lines whose first bytes would continue the token.
@Suite(.tags(.framing, .cuts)) struct CutLineTests {
    private static let line =
        #"{"id":12,"name":"a\u00e9\n\"é","more":[1,-2.5e+3,true,false,null,{"a":{}},"x"],"id":7}"#
    private static let tails = ["{\"id\":1}", "9}", "\"}", "00e9\"}", "e3]}", "rue]}", "}", "]", ",", " ", "\\\"}"]

    /// Returns the elements and issues of all lines.
    private func outcome(_ chunks: [[UInt8]], _ source: JSONModelDecoder.Source) throws -> [String] {
        let log = Mutex<[String]>([])
        var decoder = JSONModelDecoder(from: source)
        decoder.elementErrors = .skip
        decoder.issueHandler = { issue in log.withLock { $0.append("\(issue)") } }
        try decoder.forEach(FramingTests.Row.self, in: .chunks(chunks), framing: .lines) {
            (row: FramingTests.Row) in log.withLock { $0.append("\(row)") }
        }
        return log.withLock { $0 }
    }

    @Test func `a line that ends inside a token is not continued by the next line`() throws {
        let bytes = Array(Self.line.utf8)
        for length in 1...bytes.count {
            for tail in Self.tails {
                let rest = "\n\(tail)\n" + String(repeating: "{\"id\":3}\n", count: 12)
                let text = Array(bytes[..<length]) + Array(rest.utf8)
                let expected = try outcome(text.pieces(of: 1), .scanner)
                #expect(expected.count { $0 == "3:-" } == 12)
                for source in JSONModelDecoder.Source.allCases {
                    for size in [text.count, 7, 64] {
                        let other = try outcome(text.pieces(of: size), source)
                        if other != expected {
                            Issue.record("\(length) \(tail) \(source) \(size): \(other), not \(expected)")
                        }
                    }
                }
            }
        }
    }
}
