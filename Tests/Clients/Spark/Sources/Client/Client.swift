// Aggregates the products of files and of ranges of files. Standard input has a task in each line. Standard output has the
// totals or the error of each task, in the order of the tasks.
import Sluice

/// A file, or a range of a file.
struct FileTask: Decodable {
    let file: String
    /// The path of the products in a document. Nil for a file of lines.
    let path: String?
    /// A range of a document, as printed by `sluice ranges`.
    let range: JSONFileRange?
    /// A range of a file of lines.
    let bytes: Range<Int>?

    private var input: JSONFileInput {
        if let range { return .file(file, range: range) }
        if let bytes { return .file(file, range: bytes) }
        return .file(file)
    }

    /// Decodes, filters and aggregates the products.
    func totals(_ decoder: JSONModelDecoder) throws(JSONModelError) -> Totals {
        let path = try path.map { text throws(JSONModelError) in try JSONPath(parsing: text) }
        var totals = Totals()
        try decoder.forEach(
            Product.self, in: input, at: path ?? JSONPath(), framing: path == nil ? .lines : .document
        ) { product in
            totals.add(product)
        }
        return totals
    }
}

/// The error of a task.
///
/// The error is a result like the totals. After an exit status, Spark would repeat the tasks of the partition.
struct TaskFailure: Encodable {
    let file: String
    /// The descriptions of the issues, without excerpts.
    let error: String
}

@main enum Client {
    static func main() throws {
        let decoder = JSONModelDecoder()
        var tasks = decoder.cursor(of: FileTask.self, in: .standardInput, framing: .lines)
        var output = try JSONModelEncoder().writer(to: .standardOutput, framing: .lines)
        while let task = try tasks.next() {
            let totals: Totals
            do { totals = try task.totals(decoder) } catch {
                let text = error.issues.map(\.description).joined(separator: "\n")
                try output.write(TaskFailure(file: task.file, error: text))
                continue
            }
            try output.write(totals)
        }
        try output.finish()
    }
}
