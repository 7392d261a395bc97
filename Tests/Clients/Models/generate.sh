#!/bin/sh
# Writes the models of files, each in an enum of its own, and a list of them.
#
#   generate.sh TOOL INPUTS OUTPUT FILE...
#
# TOOL is the tool `sluice`. The folder INPUTS receives a link to each file, and the folder OUTPUT the sources.
set -eu
tool=$1 inputs=$2 output=$3
shift 3
rm -rf "$inputs" "$output"
mkdir -p "$inputs" "$output"
list=$output/GeneratedModels.swift
printf '// swift-format-ignore-file\nlet generatedModels: [Models] = [\n' > "$list"
for file; do
    name=$(basename "$file" .json)
    space=$(echo "Models_$name" | tr -c 'A-Za-z0-9_\n' _)
    ln -s "$(realpath "$file")" "$inputs/$name.json"
    source=$output/$space.swift
    "$tool" model "$file" > "$source.inferred"
    root=$(sed -n 's/^.*decode(\(.*\)\.self, from.*$/\1/p' "$source.inferred" | head -n 1)
    nulls=false
    ! grep -q '^//.*nullStrategy = .write' "$source.inferred" || nulls=true
    {
        echo '// swift-format-ignore-file'
        sed '/^import Sluice$/q' "$source.inferred"
        printf '\nenum %s {\n' "$space"
        sed '1,/^import Sluice$/d' "$source.inferred"
        printf '\n    static let all = Models("%s", %s.self, writesNulls: %s)\n}\n' "$name" "$root" "$nulls"
    } > "$source"
    rm "$source.inferred"
    printf '    %s.all,\n' "$space" >> "$list"
done
echo ']' >> "$list"
