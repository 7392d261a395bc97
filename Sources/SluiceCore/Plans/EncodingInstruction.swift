// A worked example. The model
//
//     struct Repository { let id: Int; let login: String; let city: String?; let second: Int? }
//
// with the keys "id", "owner.login", "owner.address.city" and "list[1]" becomes the instructions
//
//     value    ,"id":          offset 0   int
//     object   ,"owner":                           skipped to its close if no value below is written
//     value    ,"login":       offset 8   string
//     object   ,"address":                         likewise
//     checked  ,"city":        offset 24  string   for nil: skipped, or null
//     close    }
//     close    }
//     array    ,"list":
//     element                                      null, because no field is written to list[0]
//     element
//     checked  ,               offset 40  int
//     close    ]
//     end
//
// The prefix of an instruction begins with the comma, which the first member or element omits.

/// One step in writing a model. Plain data, which avoids reference counting.
struct EncodingInstruction {
    enum Action: UInt8 {
        /// A value that is always present.
        case value
        /// A value that may be nil.
        case checked
        /// A value in a spread array, or in a flattened model that may be nil.
        case placed
        /// An object or array that contains fields, and its end.
        case object, array, closeObject, closeArray
        /// An element of an array that contains fields. Written as `null` if only a later element has a value.
        case element
        /// An array whose elements each contain one element of a field, and the start of the next element.
        case spread, nextElement
        /// The same for the members of an object. The keys are unknown, so only an empty object can be written.
        case spreadMembers
        /// A field that collects the values of the arrays or objects inside of an array's elements. Which of them had which
        /// value is unknown, so a model with the field cannot be written.
        case unwritable
        /// The members of a flattened enum, in the model's own object.
        case flattenedEnum
        /// The pairs of a dictionary, in the model's own object.
        case extra
        /// The end of the model.
        case end
    }

    var action: Action
    var kind = ValueKind.ignored
    /// The offset of the value in the model's memory.
    var offset = 0
    /// The layout of the value.
    var layout: LayoutReference?
    /// The comma, the quoted key and the colon. `OutputBuffer.prefixRoom` bytes can be read.
    var prefix: UnsafePointer<UInt8>
    var prefixCount = 1
    /// The index of the instruction after the end of this value.
    var next = 0
    /// For an element: the index of the instruction that closes its array.
    var last = 0
    /// The index of the field, and that of its flattened model; otherwise −1.
    var field = -1
    var group = -1
    /// The index of this value among those spread over an array; otherwise −1.
    var slot = -1
    /// For an element: its index, for paths in errors.
    var index = 0
}

/// The instructions that write the models of a plan.
struct EncodingProgram: @unchecked Sendable {
    let steps: UnsafePointer<EncodingInstruction>
    /// The keys of the model's own object.
    let keys: Set<String>
    /// The same, and the keys of flattened enums. Extra keys do not replace them.
    let reservedKeys: Set<String>
    let groups: [FieldGroup]
    /// The filter that applies to the extra keys.
    let filter: PathFilter?
    /// The memory of the instructions.
    let memory: PlanMemory
}
