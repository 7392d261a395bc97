import Sluice

/// A request for chat completions with one tool, whose parameters have the schema of the model.
@JSONModel
struct Request {
    var model = "example-1"
    var stream = true
    let messages: [Message]
    let tools: [JSONValue]

    @JSONModel
    struct Message {
        let role: String
        let content: String
    }

    static func plan(_ wish: String) throws -> Request {
        let tool: JSONValue = [
            "type": "function",
            "function": [
                "name": "plan_trip", "description": "Shows a journey to the user.", "strict": true,
                "parameters": try Trip.jsonSchema(.strict),
            ],
        ]
        return Request(messages: [Message(role: "user", content: wish)], tools: [tool])
    }

    private init(messages: [Message], tools: [JSONValue]) { (self.messages, self.tools) = (messages, tools) }
}
