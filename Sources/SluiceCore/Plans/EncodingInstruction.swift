// A worked example. The model
//
//     struct Repository { let id: Int; let login: String; let city: String?; let second: Int? }
//
// with the keys "id", "owner.login", "owner.address.city" and "list[1]" becomes the steps
//
//     value    ,"id":          offset 0   int
//     object   ,"owner":                           to its end if nothing in it has a value
//     value    ,"login":       offset 8   string
//     object   ,"address":                         likewise
//     checked  ,"city":        offset 24  string   nil: nothing, or null
//     close    }
//     close    }
//     array    ,"list":
//     element                                      null, for nothing is written to list[0]
//     element
//     checked  ,               offset 40  int
//     close    ]
//     end
//
// A step's text begins with the comma, which is left out where nothing is before it.

/// One step of writing a model: plain data, so that no reference is counted.
struct EncodingInstruction {
    enum Action: UInt8 {
        /// A value that is always there.
        case value
        /// A value that may be nil, or lie in a part of the model that may be.
        case checked
        /// An object or array that leads to fields, and its end.
        case object, array, closeObject, closeArray
        /// An element of an array that leads to fields: `null` if nothing of it is written but something behind it.
        case element
        /// An array of which each element leads to one of a field's, and where the next of them begins.
        case spread, nextElement
        /// The same for the members of an object, which has no keys for them: nothing can be written but an empty object.
        case spreadMembers
        /// The members of a flattened enum, in the model's own object.
        case flattenedEnum
        /// The pairs of a dictionary, in the model's own object.
        case extra
        /// The model's end.
        case end
    }

    var action: Action
    var kind = ValueKind.skip
    /// Where the value lies in the model.
    var offset = 0
    /// What is to be written.
    var record: UnsafePointer<TypeLayout>?
    /// The comma, the key in quotes and the colon; readable to `OutputBuffer.prefixRoom`.
    var prefix: UnsafePointer<UInt8>
    var prefixCount = 1
    /// The step behind the one that ends this.
    var next = 0
    /// For an element: the step that ends its array.
    var last = 0
    /// The field's number, and that of the flattened model that it is of; else −1.
    var field = -1
    var group = -1
    /// Which of the values that are spread over an array this is; else −1.
    var slot = -1
    /// For an element: its index. (For people.)
    var index = 0
}

/// The steps in which a plan's models are written.
struct EncodingProgram: @unchecked Sendable {
    let steps: UnsafePointer<EncodingInstruction>
    /// The keys of the model's own object.
    let keys: Set<String>
    let groups: [FieldGroup]
    /// What `extra` is limited to.
    let filter: PathFilter?
    /// Its memory.
    let memory: PlanMemory
}
