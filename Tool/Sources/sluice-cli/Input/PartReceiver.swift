import Sluice
import ToolSupport

/// Receives the parts of values at a path, and the issues of the values without the part, in the order of the values.
///
/// Invariant: one thread at a time calls the methods, which is the thread that reads the stream.
final class PartReceiver<Part>: @unchecked Sendable {
    private let null: Part
    private let note: (JSONIssue) -> Void
    private let next: (Part) throws -> JSONModelDecoder.StreamControl
    private var hasPart = false
    /// The issue of the first value without the part.
    private var firstMissing: JSONIssue?
    /// The values before the first that has the part.
    private var pending = 0
    private var isStopped = false
    /// The error that ends the stream at the next part.
    private var failure: (any Error)?

    /// - Parameters:
    ///   - null: The part of a value without the part.
    ///   - note: Receives the first issue, if another value has the part.
    ///   - next: Receives the parts.
    init(
        null: Part, note: @escaping (JSONIssue) -> Void,
        receive next: @escaping (Part) throws -> JSONModelDecoder.StreamControl
    ) {
        (self.null, self.note, self.next) = (null, note, next)
    }

    /// Receives the issue of a value. An issue of another kind than a missing part ends the stream.
    func receive(_ issue: JSONIssue) {
        if isStopped { return }
        guard JSONModelError(issues: [issue]).isOfMissingPart else { return fail(JSONModelError(issues: [issue])) }
        if firstMissing == nil {
            firstMissing = issue
            if hasPart { note(issue) }
        }
        if hasPart { passNull() } else { pending += 1 }
    }

    /// Receives the part of a value.
    func receive(_ part: Part) throws -> JSONModelDecoder.StreamControl {
        if !hasPart, let firstMissing { note(firstMissing) }
        hasPart = true
        while pending > 0, !isStopped {
            pending -= 1
            passNull()
        }
        return isStopped ? .stop : try next(part)
    }

    /// Ends the stream.
    ///
    /// - Throws: The error that has ended the stream, or the issue of the first value, if no value has the part.
    func finish() throws {
        if let failure { throw failure }
        if !hasPart, let firstMissing { throw JSONModelError(issues: [firstMissing]) }
    }

    private func passNull() {
        do { isStopped = try next(null) == .stop } catch { fail(error) }
    }

    private func fail(_ error: any Error) { (failure, isStopped) = (error, true) }
}
