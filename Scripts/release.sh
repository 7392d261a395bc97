#!/usr/bin/env bash
# The steps of a release: Scripts/release.sh WHAT. See .github/RELEASING.md.
#
#   sbom            prints the packages and system libraries in use, as a bill of materials in the format CycloneDX
#   check VERSION   compares the version, the changelog and a tag, and prints the notes of the release
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
case ${1:-} in
sbom)
	"$SWIFT" package resolve >&2
	python3 .ci/sbom.py
	;;
check)
	version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Tool/Sources/ToolSupport/ToolVersion.swift)
	if [ "$version" != "${2:-}" ]; then
		echo "The version of the tool is $version, not ${2:-}." >&2
		exit 1
	fi
	if awk '/^## /{ inside = /^## \[Unreleased\]/; next } inside && NF' CHANGELOG.md | grep -q .; then
		echo "The section Unreleased of CHANGELOG.md is not empty." >&2
		exit 1
	fi
	# The notes are the section of the version in the changelog.
	notes=$(awk -v version="$2" '/^## /{ inside = index($0, "## [" version "] - ") == 1; next } inside' CHANGELOG.md)
	if [ -z "$notes" ]; then
		echo "CHANGELOG.md has no section for $2." >&2
		exit 1
	fi
	printf '%s\n' "$notes"
	;;
*) usage ;;
esac
