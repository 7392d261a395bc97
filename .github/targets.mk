# The steps of a release: see RELEASING.md.

.PHONY: sbom release-check

sbom: ## Print the packages and system libraries in use, as a bill of materials in the format CycloneDX
	@$(SWIFT) package resolve >&2
	@python3 .ci/sbom.py

# The notes are the section of the version in the changelog.
release-check: ## Compare the version, the changelog and a tag, and print the notes of a release: VERSION=0.1.0
	@version=$$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/ToolSupport/ToolVersion.swift); \
	[ "$$version" = "$(VERSION)" ] || { echo "The version of the tool is $$version, not $(VERSION)." >&2; exit 1; }
	@! awk '/^## /{ inside = /^## \[Unreleased\]/; next } inside && NF' CHANGELOG.md | grep -q . \
		|| { echo "The section Unreleased of CHANGELOG.md is not empty." >&2; exit 1; }
	@notes=$$(awk '/^## /{ inside = index($$0, "## [$(VERSION)] - ") == 1; next } inside' CHANGELOG.md); \
	[ -n "$$notes" ] || { echo "CHANGELOG.md has no section for $(VERSION)." >&2; exit 1; }; \
	printf '%s\n' "$$notes"
