#!/usr/bin/env bash
# Writes the Swift blocks of the README and the articles, and the source files of the tutorial, to a folder that git ignores, where they are
# compiled with the tests: a suite for each document. Compiler errors name the line of the document.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=Tests/SluiceTests/Documentation/Samples
mkdir -p "$folder"
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

for document in README.md Sources/Sluice/Sluice.docc/*.md Sources/Sluice/Sluice.docc/Resources/*.swift; do
	name=$(basename "${document%.*}")
	awk -v path="$document" -v suite="${name}Samples" '
		function fail(message) {
			print path ":" FNR ": " message > "/dev/stderr"
			failed = 1
			exit 1
		}
		# A directive precedes each line that does not follow the line before.
		function add(code) {
			if (FNR != expected) body = body "#sourceLocation(file: \"" path "\", line: " FNR ")\n"
			body = body code "\n"
			expected = FNR + 1
			if (code ~ /@JSON/) macros = 1
		}
		function sample(line) {
			if (line ~ /^import /) {
				module = substr(line, 8)
				if (module !~ /^(Foundation|Sluice|Testing)$/ && !(module in known)) imports = imports "\n" line
				known[module]
				line = ""
			}
			add(line)
		}
		BEGIN { isSource = path ~ /\.swift$/ }
		isSource { sample($0); next }
		block != "" { if ($0 == "```") block = ""; else if (block == "sample") sample($0); next }
		/^```/ { block = $0 == "```swift" && next_block == "" ? "sample" : "other"; next_block = ""; next }
		/<!-- swift/ {
			if ($0 !~ /^<!-- swift: .* -->$/) fail("not one line like <!-- swift: code -->")
			add(substr($0, 13, length($0) - 16))
		}
		/^<!-- (not compiled|in): / { next_block = "other" }
		END {
			if (failed) exit 1
			if (block != "") fail("the last block has no end")
			if (body == "") exit
			print "// swift-format-ignore-file"
			print "// Made from " path " by Scripts/samples.sh: change the document, not this file."
			# Without the macros, the plans by hand are compiled all the same.
			if (macros) print "#if Macros"
			print "import Foundation\nimport Sluice\nimport Testing" imports
			printf "\n@Suite struct %s {\n%s#sourceLocation()\n}\n", suite, body
			if (macros) print "#endif"
		}' "$document" >"$new/${name}Samples.swift"
done

# The tests of the tutorial, which name its suites. Without the samples, the other tests are complete.
tests=Tests/SluiceTests/Documentation/Tutorial/TutorialTests.swift
printf '// swift-format-ignore-file\n#sourceLocation(file: "%s", line: 1)\n' "$tests" | cat - "$tests" >"$new/TutorialSamples.swift"

# A file that is the same keeps its date, so that it is not compiled again.
find "$new" -empty -delete
for file in "$folder"/*.swift; do
	[ -e "$new/$(basename "$file")" ] || rm -f "$file"
done
for file in "$new"/*.swift; do
	cmp -s "$file" "$folder/$(basename "$file")" || cp "$file" "$folder/"
done
