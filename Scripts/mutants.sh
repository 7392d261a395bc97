#!/usr/bin/env bash
# Measures which small faults of the sources the tests find: Scripts/mutants.sh --folder Text --sample 500 --seed 1. See Tests/Mutants/README.md.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
libraries yajl zlib zstd
# The program is a package of its own. The copy with the faults, its build and the results are in the same folder.
build --package-path Tests/Mutants --scratch-path .build-mutants/program --product mutants
.build-mutants/program/debug/mutants --scratch .build-mutants --swift "$SWIFT" "$@"
