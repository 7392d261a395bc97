#if Macros
import Sluice
import TestSupport
import Testing

/// Reads a text into a model by its macro and into one with a plan by hand: the same values, or the same errors.
func expectSame<ByMacro: JSONConvertible, ByHand: JSONConvertible>(
    _ byMacro: ByMacro.Type, _ byHand: ByHand.Type, from texts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for text in texts {
        let one = outcome(byMacro, text)
        let other = outcome(byHand, text)
        #expect(one == other, "\(text)", sourceLocation: sourceLocation)
        #expect(!one.contains("invalidPlan"), sourceLocation: sourceLocation)
    }
}

/// What reading a text leads to, so that models of different types can be compared.
private func outcome<T: JSONConvertible>(_ type: T.Type, _ text: String) -> String {
    do {
        return contents(of: try JSONModelDecoder().decode(type, from: text))
    } catch {
        let issues = error.issues.map { issue in
            "\(issue.kind) at \(issue.path) for \(issue.property ?? "-"), \(issue.location.offset), \(issue.hint ?? "-")"
        }
        return issues.joined(separator: "; ")
    }
}
#endif
