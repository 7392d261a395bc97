import Hummingbird
import Sluice

/// The response to a body with an error: the status 422, and the location of the error as JSON.
struct Rejection: HTTPResponseError, Codable {
    let message: String
    let path: String
    let line: Int
    let column: Int
    /// The number of products before the error, which are in the database.
    let stored: Int

    init(_ error: JSONModelError, stored: Int = 0) {
        let issue = error.issues[0]
        message = issue.description
        path = "\(issue.path)"
        line = issue.location.line
        column = issue.location.column
        self.stored = stored
    }

    var status: HTTPResponse.Status { .unprocessableContent }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try context.responseEncoder.encode(self, from: request, context: context)
        response.status = status
        return response
    }
}
