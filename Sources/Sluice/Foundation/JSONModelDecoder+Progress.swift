// Trait Foundation: FoundationEssentials has no Progress.
#if Foundation || canImport(Darwin)
import Foundation

extension JSONModelDecoder {
    /// Reports the progress of decoding to an object of Foundation, in bytes.
    ///
    /// The total is the length of the input. If the length is unknown, as for standard input, the progress is indeterminate. The
    /// number of decoded elements is in `userInfo`, under the key `SluiceJSONElementCount`. The `progressHandler` is called as
    /// before.
    ///
    /// ```swift
    /// let progress = Progress(totalUnitCount: -1)
    /// decoder.reportProgress(to: progress)
    /// ```
    public mutating func reportProgress(to progress: Progress) {
        let handler = progressHandler
        progressHandler = { state in
            progress.totalUnitCount = state.totalBytes.map(Int64.init) ?? -1
            progress.completedUnitCount = Int64(state.bytes)
            progress.setUserInfoObject(
                state.elements, forKey: ProgressUserInfoKey(rawValue: "SluiceJSONElementCount"))
            handler?(state)
        }
    }
}
#endif
