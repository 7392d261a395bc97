#if Foundation || canImport(Darwin)
import Foundation
import Sluice
import Synchronization
import TestSupport
import Testing

@Suite struct ProgressTests {
    @Test func `Foundation's progress counts bytes and elements`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("progress-\(UUID()).json")
        let text = (0..<30_000).map { "\($0)" }.joined(separator: "\n")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let fractions = Mutex<[Double]>([])
        var decoder = JSONModelDecoder()
        decoder.progressHandler = { state in fractions.withLock { $0.append(state.fraction ?? -1) } }
        let progress = Progress(totalUnitCount: -1)
        decoder.reportProgress(to: progress)
        try decoder.forEach(Int.self, in: .file(file.path), framing: .lines) { _ in }
        #expect(progress.totalUnitCount == Int64(text.utf8.count))
        #expect(progress.completedUnitCount == progress.totalUnitCount)
        #expect(progress.userInfo[ProgressUserInfoKey("SluiceJSONElementCount")] as? Int == 30_000)
        #expect(progress.fractionCompleted == 1)
        let steps = fractions.withLock { $0 }
        #expect(steps.count >= 3)
        #expect(steps == steps.sorted())
        // Chunks have no known length.
        try decoder.forEach(Int.self, in: .chunks([Array("[1,".utf8), Array("2]".utf8)])) { _ in }
        #expect(progress.isIndeterminate)
        #expect(progress.completedUnitCount == 5)
    }
}
#endif
