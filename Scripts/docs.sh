#!/usr/bin/env bash
# Writes the documentation of all modules together to .build/docs.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
libraries yajl
targets=
for target in Sluice SluiceCore SluiceCodable SluiceSchemas SluiceStreams JSONPaths; do targets="$targets --target $target"; done
SLUICE_DOCS=1 SWIFT_DETERMINISTIC_HASHING=1 "$SWIFT" package --allow-writing-to-directory .build/docs generate-documentation $targets \
	--enable-experimental-combined-documentation --warnings-as-errors --output-path .build/docs
