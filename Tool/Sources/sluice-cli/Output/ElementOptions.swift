import ArgumentParser
import Sluice
import ToolSupport

/// The option of commands that write a file.
struct OutputOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The output file, which is replaced at the end of a command that succeeds, and may be an input; - is standard output.",
            valueName: "file"),
        completion: .file())
    private var output = "-"

    /// The path of the file; nil for standard output.
    var path: String? { output == "-" ? nil : output }
}

/// The form in which elements are printed.
struct ElementOptions: ParsableArguments {
    enum Form: String, EnumerableFlag {
        case raw, csv, tsv, array, count, verbatim

        static func name(for form: Form) -> NameSpecification {
            form == .raw ? [.short, .customLong("raw")] : .long
        }

        static func help(for form: Form) -> ArgumentHelp? {
            switch form {
            case .raw: "Print strings without quotes and escapes."
            case .csv:
                "Print a header and rows with commas; the columns are those of --only, or of the first element."
            case .tsv: "Print a header and rows with tabs."
            case .array: "Print the elements as one array."
            case .count: "Print the number of elements instead of the elements."
            case .verbatim: "Print each element exactly as in the file, with white space and line breaks."
            }
        }
    }

    enum Color: String, ExpressibleByArgument, CaseIterable {
        case auto, always, never
    }

    /// Paths that commas separate.
    struct Paths: ExpressibleByArgument {
        let paths: [JSONPath]

        init?(argument: String) {
            var paths: [JSONPath] = []
            var text = ""
            for piece in argument.split(separator: ",", omittingEmptySubsequences: false) {
                text += piece
                // The empty path would be the whole element.
                if text.isEmpty { return nil }
                if let path = try? JSONPath(parsing: text) {
                    paths.append(path)
                    text = ""
                } else {
                    // A comma in a quoted key is part of the path.
                    text += ","
                }
            }
            guard text.isEmpty else { return nil }
            self.paths = paths
        }
    }

    @Flag(exclusivity: .exclusive)
    var form: Form?

    @Option(
        name: .customLong("only"),
        help: ArgumentHelp("The members to print, such as id,owner.login; may be repeated.", valueName: "paths"))
    private var selected: [Paths] = []

    @Option(
        name: .customLong("except"),
        help: ArgumentHelp("The members to leave out; may be repeated.", valueName: "paths"))
    private var excepted: [Paths] = []

    @Option(
        help: ArgumentHelp("Print one line for each value, and indent by a number of spaces.", valueName: "spaces"))
    private var indent: Int?

    @Flag(name: [.short, .long], help: "Print each element on one line, which is the default.")
    private var compact = false

    @Option(
        help: "Whether keys and values have colors. By default they have on a terminal, unless NO_COLOR is set.")
    var color = Color.auto

    var only: [JSONPath]? { selected.isEmpty ? nil : selected.flatMap(\.paths) }
    var except: [JSONPath] { excepted.flatMap(\.paths) }
    /// The number of spaces for each level; nil for one line.
    var indentation: Int? { compact ? nil : indent }

    func validate() throws {
        if let indent, !(0...16).contains(indent) { throw ValidationError("--indent must be 0 to 16.") }
        let isRow = form == .csv || form == .tsv
        if isRow, only?.contains(where: \.selectsSeveral) == true {
            throw ValidationError("The path of a column has no wildcard.")
        }
        if form == .verbatim, only != nil || !except.isEmpty || indent != nil {
            throw ValidationError("--verbatim changes nothing in an element.")
        }
        if isRow, indent != nil { throw ValidationError("Rows have no indentation.") }
    }
}
