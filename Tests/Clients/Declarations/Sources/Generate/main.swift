import Foundation

// Writes random declarations and documents: Generate --seed S --count N --output FOLDER --documents FILE
var options = ["--seed": "1", "--count": "24", "--output": ".", "--documents": "documents.txt"]
let arguments = CommandLine.arguments.dropFirst()
for (name, value) in zip(arguments, arguments.dropFirst()) where options[name] != nil { options[name] = value }
let seed = options["--seed"]!

var generator = Generator(seed: UInt64(seed)!)
generator.declare(Int(options["--count"]!)!)

var source = ["// swift-format-ignore-file", "// Seed \(seed).", "import Foundation", "import Sluice", ""]
var list = ["let comparisons: [String: Comparison] = ["]
var documents: [String] = []
for type in generator.declarations {
    source += type.lines(.model, &generator) + [""] + type.lines(.twin, &generator) + [""]
    let form = Form.declared(type, type.isGeneric ? [generator.argument()] : [])
    list.append("    \"\(type.name)\": Comparison(\(form.text(.model)).self, \(form.text(.twin)).self),")
    for index in 0..<60 {
        var document = generator.document(of: form)
        for _ in 0..<(index % 3) { document.change(&generator) }
        documents.append("\(type.name)\t\(document.text)")
    }
}
source += list + ["]", ""]
let folder = URL(fileURLWithPath: options["--output"]!)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
try Data(source.joined(separator: "\n").utf8).write(to: folder.appendingPathComponent("Declarations.swift"))
try Data(documents.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: options["--documents"]!))
