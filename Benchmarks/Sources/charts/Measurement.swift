import Sluice

/// A line of a result of `floor --json`: the machine, or a row of one of its modes.
@JSONModel
struct Measurement {
    // The rows.
    var corpus: String?
    var feature: String?
    var source: String?
    var document: String?
    var way: String?
    var order: String?
    var decoder: String?
    var bytes: Int?
    var furtherConformances: Int?

    // Speeds in megabytes per second.
    @JSONKey("floor_mbps") var bareYajl: Double?
    @JSONKey("sluice_mbps") var sluice: Double?
    @JSONKey("foundation_mbps") var foundation: Double?
    @JSONKey("encode_mbps") var encoding: Double?
    @JSONKey("foundation_encode_mbps") var foundationEncoding: Double?
    @JSONKey("validate_mbps") var validation: Double?

    // Times and memory.
    @JSONKey("ns_per_call") var nanoseconds: Double?
    @JSONKey("first_call_us") var firstCall: Double?
    @JSONKey("first_call_of_model_us") var firstCallOfModel: Double?
    @JSONKey("peak_bytes") var peak: Int?

    // The compilation of models.
    var mode: String?
    var type: String?
    var seconds: Double?
    @JSONKey("code_bytes_per_model") var code: Int?

    // Multiples.
    var ofPlain: Double?
    var encodeOfPlain: Double?
    @JSONKey("over_for_each") var overForEach: Double?
    @JSONKey("all_cores_over_one") var allCoresOverOne: Double?
    @JSONKey("over_declared") var overDeclared: Double?
}

/// The conditions of a measurement: the first line of a file of results.
@JSONModel
struct Conditions {
    let machine: String
    let command: String
    let date: String

    /// The conditions on one line.
    var text: String { "\(machine) · \(command) · \(date)" }
}

/// The results of a mode of `floor`.
struct Results {
    let conditions: Conditions
    let measurements: [Measurement]

    /// Reads a file of JSON lines, whose first line states the conditions.
    init(file: String) throws {
        var lines = JSONModelDecoder().cursor(of: JSONRaw.self, in: .file(file), framing: .lines)
        guard let first = try lines.next() else { throw ChartsError("\(file) is empty.") }
        conditions = try JSONModelDecoder().decode(Conditions.self, from: first.bytes)
        var decoder = JSONModelDecoder()
        decoder.keyStrategy = .snakeCase
        var measurements: [Measurement] = []
        while let line = try lines.next() {
            measurements.append(try decoder.decode(Measurement.self, from: line.bytes))
        }
        self.measurements = measurements
    }
}

/// An error with a message.
struct ChartsError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
