// The elements of a stream, and the errors of failed ones.
extension ElementStream {
    /// The index of the next element.
    var nextIndex: Int { firstIndex + summary.elements + summary.skipped }

    func pass(_ element: UnsafeMutableRawPointer) throws -> Bool {
        positions?.set(element, index: nextIndex, isEnclosed: selectsSeveral && splitter != nil)
        if leadingElements > 0 {
            leadingElements -= 1
            layout.destroy(element)
            return true
        }
        summary.elements += 1
        let goesOn = try receive(element)
        if !goesOn { isStopped = true }
        return goesOn
    }

    /// Passes the only element of a value.
    func complete(_ outcome: ParseOutcome, after origin: LineCount) throws(JSONModelError) {
        guard !selectsSeveral, outcome.isPresent else { return }
        positions?.locateValue()
        do { _ = try pass(target) } catch { throw stopped(by: error, at: origin) }
    }

    // MARK: Errors

    /// Ends the stream with an error that was thrown by the receiver of a value.
    func stopped(by error: any Error, at origin: LineCount) -> JSONModelError {
        isStopped = true
        return located(.thrown, at: origin, underlying: error)
    }

    /// Ends the stream with an error of reading the input.
    ///
    /// - Throws: The error with the position of the element that was being read, unless the elements before the error end the stream.
    func interrupt(by error: JSONModelError) throws(JSONModelError) {
        try distributor?.flush()
        if isStopped { return }
        closeDocument()
        isStopped = true
        throw located(error)
    }

    private func located(_ error: JSONModelError) -> JSONModelError {
        var error = error
        for index in error.issues.indices where error.issues[index].elementIndex == nil {
            error.issues[index].elementIndex = nextIndex
        }
        return error
    }

    /// Reports an issue of an element that is skipped. Returns false for an issue outside of all elements.
    func report(_ issue: JSONIssue) -> Bool {
        guard issue.path.components.count >= missing.components.count else { return false }
        // The issues of elements before a checkpoint were reported before.
        if leadingElements > 0 { return true }
        let element = issue.path.components.prefix(missing.components.count)
        if failedPath != element {
            failedPath = element
            summary.skipped += 1
        }
        reportSkipped(issue)
        return true
    }

    private func reportSkipped(_ issue: JSONIssue) {
        var issue = issue
        issue.elementIndex = nextIndex - 1
        summary.add(issue)
        decoder.issueHandler?(issue)
    }

    /// Skips the current value, or ends the stream with an error.
    func fail(_ error: JSONModelError) throws(JSONModelError) {
        closeDocument()
        if skipsElements, splitter != nil {
            summary.skipped += 1
            for issue in error.issues { reportSkipped(issue) }
            return
        }
        isStopped = true
        throw located(error)
    }

    func located(
        _ kind: JSONIssue.Kind, at origin: LineCount, underlying: (any Error)? = nil
    ) -> JSONModelError {
        JSONModelError(issues: [
            JSONIssue(kind: kind, path: missing, location: origin.location, underlying: underlying)
        ])
    }
}
