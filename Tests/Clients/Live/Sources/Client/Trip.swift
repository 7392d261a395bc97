import Sluice

/// A journey by train.
@JSONModel(.partial)
struct Trip {
    /// The title, in at most five words.
    let title: String
    /// The number of nights.
    let nights: Int
    /// The legs, in their order.
    let legs: [Leg]
}

/// A part of a journey without a change.
@JSONModel(.partial)
struct Leg {
    let from: String
    let to: String
}

/// A piece of the answer, and of the calls that the model writes.
@JSONModel
struct Chunk {
    @JSONKey("choices[*].delta.tool_calls[*]") var calls: [CallPiece] = []
    @JSONKey("error.message") let error: String?
}

/// A piece of the arguments of one call. The pieces of several calls alternate.
@JSONModel
struct CallPiece {
    let index: Int
    @JSONKey("function.arguments") var arguments = ""
}

struct ProviderError: Error { let message: String }
