import Sluice

/// Fills forms while a language model writes the calls of a tool.
func plan(
    _ wish: String, on server: Server, show: ([Int: JSONSnapshot<Trip.Partial>]) throws -> Void
) async throws -> [Trip] {
    let decoder = JSONModelDecoder()
    let body = try server.post(JSONModelEncoder().encode(Request.plan(wish)))
    var calls = decoder.feeds(of: Trip.Partial.self, by: Int.self)
    var arguments: [Int: String] = [:]
    for try await chunk in decoder.elements(of: Chunk.self, in: body, framing: .serverSentEvents) {
        if let message = chunk.error { throw ProviderError(message: message) }
        for piece in chunk.calls {
            _ = try calls[piece.index].push(piece.arguments.utf8)
            arguments[piece.index, default: ""] += piece.arguments
        }
        if chunk.calls.isEmpty { continue }
        var forms: [Int: JSONSnapshot<Trip.Partial>] = [:]
        for index in calls.keys { forms[index] = calls[index].snapshot() }
        try show(forms)
    }
    // The complete values have the checks, the defaults and the errors of the model.
    return try arguments.sorted { $0.key < $1.key }.map { try decoder.decode(Trip.self, from: $0.value) }
}
