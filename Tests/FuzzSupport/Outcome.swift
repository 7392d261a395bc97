import Sluice

/// What comes of a text: a value, or an error with all that it tells.
enum Outcome: Hashable, CustomStringConvertible {
    struct Facts: Hashable {
        let kind: JSONIssue.Kind
        let path: JSONPath
        let property: String?
        let model: String?
        let offset: Int
        let line: Int
        let column: Int
        let excerpt: String
        let hint: String?
        let underlying: String?

        init(_ issue: JSONIssue) {
            kind = issue.kind
            path = issue.path
            property = issue.property
            model = issue.model
            offset = issue.location.offset
            line = issue.location.line
            column = issue.location.column
            excerpt = issue.excerpt
            hint = issue.hint
            underlying = issue.underlying.map { "\($0)" }
        }
    }

    case value(AnyHashable)
    case failure([Facts])

    init(_ read: () throws -> AnyHashable) {
        do { self = .value(try read()) } catch let error as JSONModelError {
            self = .failure(error.issues.map(Facts.init))
        } catch {
            self = .value("another error: \(error)")
        }
    }

    var issues: [Facts] { if case .failure(let issues) = self { issues } else { [] } }

    var description: String {
        switch self {
        case .value(let value): "\(value)".prefix(300).description
        case .failure(let facts): facts.map { "\($0)" }.joined(separator: "; ")
        }
    }
}
