import Dispatch
import Foundation
import Sluice
import Testing

/// A value of an option, which uses its coders when it is released.
private final class Probe: @unchecked Sendable {
    private weak var decoder: SluiceJSONDecoder?
    private weak var encoder: SluiceJSONEncoder?

    init(_ decoder: SluiceJSONDecoder, _ encoder: SluiceJSONEncoder) {
        (self.decoder, self.encoder) = (decoder, encoder)
    }

    func use() {}

    deinit {
        _ = decoder?.userInfo
        _ = encoder?.userInfo
    }
}

@Suite struct ReleasedOptionTests {
    private static func replaceOptions() {
        let (decoder, encoder) = (SluiceJSONDecoder(), SluiceJSONEncoder())
        guard let key = CodingUserInfoKey(rawValue: "probe") else { return }
        decoder.userInfo = [key: Probe(decoder, encoder)]
        decoder.userInfo = [:]
        encoder.userInfo = [key: Probe(decoder, encoder)]
        encoder.userInfo = [:]
        decoder.dateDecodingStrategy = .custom { [probe = Probe(decoder, encoder)] _ in
            probe.use()
            return Date()
        }
        _ = try? decoder.decode([Int].self, from: Data("[1]".utf8))
        decoder.dateDecodingStrategy = .iso8601
        encoder.dateEncodingStrategy = .custom { [probe = Probe(decoder, encoder)] _, _ in probe.use() }
        _ = try? encoder.encode([1])
        encoder.dateEncodingStrategy = .iso8601
    }

    @Test func `the value of a replaced option may use the coder when it is released`() {
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            Self.replaceOptions()
            ended.signal()
        }
        #expect(ended.wait(timeout: .now() + 60) == .success)
    }
}
