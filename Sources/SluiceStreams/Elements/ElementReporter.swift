import SluiceCore

/// Passes on the decoded elements of a stream, the issues of failed elements, and the progress.
///
/// The reporter counts the elements, sets their positions, skips failed elements and the elements before a checkpoint, and completes issues
/// with the index of their element and with their location in the whole file. The other parts of a stream are `TextFramer` and
/// `ElementDecoder`.
final class ElementReporter {
    /// Receives an element, which is moved out of its memory unless the stream lends its elements. Returns whether to continue.
    typealias Receiver = (UnsafeMutableRawPointer) throws -> Bool

    private let layout: LayoutReference
    // Constant, so that a call does not retain the closure.
    private let receive: Receiver
    /// Receives the elements instead, if other streams decode them.
    @exclusivity(unchecked) var interceptor: Receiver?
    /// Whether the receiver leaves an element in its memory, and the stream destroys the element.
    let lendsElements: Bool
    /// The positions of the elements; nil for elements without a position.
    let positions: ElementPositions?
    /// Whether elements are parts of the values of an input with several values.
    private let isEnclosed: Bool
    /// The number of elements before the checkpoint or the range from which the stream continues.
    @exclusivity(unchecked) private var firstIndex = 0
    /// The number of elements that the first value has before the checkpoint, and that are read again.
    @exclusivity(unchecked) private var leadingElements = 0
    /// The error if the first value after a checkpoint ends now: not all of its elements before the checkpoint were read again.
    @exclusivity(unchecked) private(set) var lackingElements: JSONModelError?
    /// Set while elements before the checkpoint are read again; nil if nobody receives their issues.
    @exclusivity(unchecked) var readsAgain: SharedFlag?
    /// The numbers of decoded and of skipped elements.
    @exclusivity(unchecked) private(set) var elementCount = 0
    @exclusivity(unchecked) private var skippedCount = 0
    /// The reports of elements that were not taken, if the consumer takes the elements later; nil if the reports are passed on at once.
    let reports: ReportQueue?
    /// The numbers and issues that were passed on, without the number of elements.
    @exclusivity(unchecked) private var passedSummary = JSONStreamSummary()
    /// The number of decoded elements that the consumer has not taken, at the end of the stream.
    @exclusivity(unchecked) var untakenCount = 0
    /// Set when the stream is to end after the current element; nil if no other thread ends the stream.
    let cancellation: SharedFlag?
    /// Whether all elements of the input, or all before an error, were passed on.
    @exclusivity(unchecked) private(set) var isStopped = false
    /// The index of the element for which the receiver has thrown an error.
    @exclusivity(unchecked) private(set) var rejectedIndex: Int?

    /// Whether failed elements are skipped.
    let skipsElements: Bool
    /// The path of the last failed element in the current value.
    @exclusivity(unchecked) private var failedPath: ArraySlice<JSONPath.Component>?
    @exclusivity(unchecked) private var lastFailure = 0
    /// Whether the last failed element is before the checkpoint.
    @exclusivity(unchecked) private var failsAgain = false
    /// Receives the issues of failed elements.
    private let issueHandler: (@Sendable (JSONIssue) -> Void)?
    private let progressHandler: (@Sendable (JSONProgress) -> Void)?
    /// The part of a file before the range that is read, if the location of the range is unknown.
    @exclusivity(unchecked) private var rangeOrigin: RangeOrigin?
    @exclusivity(unchecked) private var readsRange = false

    /// - Parameters:
    ///   - options: The handlers, and how failed elements are handled.
    ///   - isEnclosed: Whether elements are parts of the values of an input with several values.
    ///   - lendsElements: Whether the receiver leaves an element in its memory.
    ///   - reports: The reports of elements that were not taken; nil if the reports are passed on at once.
    init(
        _ layout: LayoutReference, _ options: DecodingOptions, isEnclosed: Bool, lendsElements: Bool,
        reports: ReportQueue?, _ cancellation: SharedFlag?, receive: @escaping Receiver
    ) {
        (self.layout, self.isEnclosed, self.lendsElements) = (layout, isEnclosed, lendsElements)
        (self.reports, self.cancellation, self.receive) = (reports, cancellation, receive)
        positions = ElementPositions(layout)
        skipsElements = options.elementErrors == .skip
        (issueHandler, progressHandler) = (options.issueHandler, options.progressHandler)
    }

    /// Whether neither the positions of elements nor the progress are needed.
    var isSilent: Bool { positions == nil && progressHandler == nil }

    // MARK: The start and the end

    /// Continues after a number of elements.
    ///
    /// - Parameters:
    ///   - leading: The number of elements of the first value that are read again.
    ///   - error: The error if the value has fewer elements.
    func resume(after elements: Int, leading: Int, orThrow error: @autoclosure () -> JSONModelError) {
        (firstIndex, leadingElements) = (elements, leading)
        if leading > 0 { lackingElements = error() }
    }

    /// Begins with an element of a range.
    ///
    /// - Parameter origin: The part of the file before the range, if the location of the range is unknown.
    func beginRange(atElement index: Int, origin: RangeOrigin?) {
        (firstIndex, rangeOrigin, readsRange) = (index, origin, true)
    }

    /// Ends the stream without a further element.
    func stop() { isStopped = true }

    // MARK: Elements

    /// The index of the next element.
    private var nextIndex: Int { firstIndex + elementCount + skippedCount }

    /// Passes an element to the receiver, and destroys an element that the receiver leaves in its memory. Returns whether to continue.
    func deliver(_ element: UnsafeMutableRawPointer) throws -> Bool {
        defer { if lendsElements { layout.destroy(element) } }
        return try show(element)
    }

    /// Passes an element to the receiver. Returns whether to continue.
    func show(_ element: UnsafeMutableRawPointer) throws -> Bool {
        if let cancellation, cancellation.isSet {
            if !lendsElements { layout.destroy(element) }
            isStopped = true
            return false
        }
        positions?.set(element, index: nextIndex, isEnclosed: isEnclosed)
        if leadingElements > 0 {
            passLeading()
            if !lendsElements { layout.destroy(element) }
            return true
        }
        elementCount += 1
        let continues: Bool
        do { continues = if let interceptor { try interceptor(element) } else { try receive(element) } } catch {
            rejectedIndex = nextIndex - 1
            throw error
        }
        if !continues { isStopped = true }
        return continues
    }

    /// Counts an element before the checkpoint that was read again.
    private func passLeading() {
        leadingElements -= 1
        if leadingElements > 0 { return }
        readsAgain?.isSet = false
        lackingElements = nil
    }

    /// Throws an error for the last element, for which the receiver has thrown the error, when the stream decodes the element again.
    ///
    /// - Parameter count: The number of elements before, which are decoded again, too.
    func reject(with error: any Error, after count: Int) {
        positions?.endPart(isDecoded: false)
        elementCount -= 1
        leadingElements += count
        interceptor = { [layout, lendsElements] element in
            if !lendsElements { layout.destroy(element) }
            throw error
        }
    }

    /// Counts a value that is checked and not made.
    func countCheckedValue() { elementCount += 1 }

    // MARK: Issues

    /// Begins a value, whose failed elements are counted.
    func beginValue() { failedPath = nil }

    /// Reports an issue of an element that is skipped. Returns false for an issue outside of all elements.
    ///
    /// - Parameters:
    ///   - depth: The number of components in the path of an element.
    ///   - failure: The number of failed elements so far in the value. Elements at a repeated key have the same paths.
    func report(_ issue: JSONIssue, elementDepth depth: Int, failure: Int) -> Bool {
        guard issue.path.components.count >= depth else { return false }
        if let cancellation, cancellation.isSet {
            isStopped = true
            return false
        }
        let element = issue.path.components.prefix(depth)
        let isFirst = failedPath != element || lastFailure != failure
        (failedPath, lastFailure) = (element, failure)
        if isFirst {
            positions?.countSkipped()
            // The issues of elements before a checkpoint were reported before.
            failsAgain = leadingElements > 0
            if failsAgain { passLeading() } else { skippedCount += 1 }
        }
        if failsAgain { return true }
        reportSkipped(issue, isFirst: isFirst)
        return true
    }

    /// Skips a value, and reports its issues.
    func skipValue(_ error: JSONModelError) {
        if let cancellation, cancellation.isSet {
            isStopped = true
            return
        }
        skippedCount += 1
        for (index, issue) in error.issues.enumerated() { reportSkipped(issue, isFirst: index == 0) }
    }

    private func reportSkipped(_ issue: JSONIssue, isFirst: Bool) {
        var issue = issue
        issue.elementIndex = nextIndex - 1
        add(.skipped(rangeOrigin?.located(issue) ?? issue, isFirst: isFirst))
    }

    // MARK: Reports

    /// The numbers and issues that were passed on.
    ///
    /// - Parameter untaken: The number of decoded elements that the consumer has not taken.
    func summary(untaken: Int) -> JSONStreamSummary {
        var summary = passedSummary
        summary.elements = elementCount - untaken
        return summary
    }

    private func add(_ report: ReportQueue.Report) {
        if let reports { reports.add(report, after: elementCount) } else { pass(report) }
    }

    private func pass(_ report: ReportQueue.Report) {
        switch report {
        case .issue(let issue): issueHandler?(issue)
        case .skipped(let issue, let isFirst):
            if isFirst { passedSummary.skipped += 1 }
            passedSummary.add(issue)
            issueHandler?(issue)
        case .progress(let progress): progressHandler?(progress)
        }
    }

    /// Passes on the reports before the next element that the consumer takes.
    ///
    /// - Parameter untaken: The number of decoded elements that the consumer has not taken.
    func passReports(untaken: Int) {
        for report in reports?.remove(upTo: elementCount - untaken) ?? [] { pass(report) }
    }

    /// Ends the stream. Returns an error with the index of the rejected or next element, and with locations in the whole file.
    func stopped(by error: JSONModelError) -> JSONModelError {
        isStopped = true
        var error = error
        for index in error.issues.indices where error.issues[index].elementIndex == nil {
            error.issues[index].elementIndex = rejectedIndex ?? nextIndex
        }
        return rangeOrigin?.located(error) ?? error
    }

    /// Ends the stream. Returns the error of a value whose receiver has thrown an error.
    func stopped(by error: any Error, at path: JSONPath, after origin: LineCount) -> JSONModelError {
        stopped(by: JSONModelError(.thrown, at: path, after: origin, underlying: error))
    }

    // MARK: Progress

    /// Reports the progress.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes of the input so far.
    ///   - length: The number of all bytes, if known.
    func reportProgress(_ bytes: @autoclosure () -> Int, of length: @autoclosure () -> Int?) {
        if progressHandler == nil { return }
        add(
            .progress(
                JSONProgress(
                    bytes: bytes(), totalBytes: length(), elements: (readsRange ? 0 : firstIndex) + elementCount)))
    }
}

extension JSONModelError {
    /// An error at the start of a value.
    init(_ kind: JSONIssue.Kind, at path: JSONPath, after origin: LineCount, underlying: (any Error)? = nil) {
        self.init(issues: [JSONIssue(kind: kind, path: path, location: origin.location, underlying: underlying)])
    }
}
