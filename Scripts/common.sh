# The parts that the scripts of this folder share. They read it with `source`, and continue in the root of the package.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

SWIFT=${SWIFT:-swift}
# The testing library keeps the calls before each thrown error for its reports. That takes ten times as long as most of the errors.
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0
# The folder of twitter.json, canada.json and citm_catalog.json: `corpus` in the checkout or next to the checkout.
if [ -z "${SLUICE_CORPUS:-}" ]; then
	for file in corpus/twitter.json ../corpus/twitter.json ../*/corpus/twitter.json; do
		if [ -e "$file" ]; then SLUICE_CORPUS=$(cd "$(dirname "$file")" && pwd) && break; fi
	done
fi
export SLUICE_CORPUS=${SLUICE_CORPUS:-}
[ -n "$SLUICE_CORPUS" ] || unset SLUICE_CORPUS

# On a terminal, the build shows its progress. Otherwise only errors are printed.
quiet=--quiet
[ ! -t 2 ] || quiet=

# The traits of a build without the macros, which needs no swift-syntax, and of a build with all.
plain=(--disable-default-traits --traits Yajl,Foundation,Gzip,Zstd)
all=(--traits Foundation,Macros,Yajl,Gzip,Zstd)
# The tool for users, a package of its own. Its default traits are all except the macros.
tool=(--package-path Tool -c release --scratch-path .build-tool)

libraries() { Scripts/libraries.sh "$@"; }

# SwiftPM 6.2 and 6.3 pass the traits to the compiler in the order of a set. Another order would compile the core again.
build() { SWIFT_DETERMINISTIC_HASHING=1 "$SWIFT" build "$@" $quiet >&2; }

run() { SWIFT_DETERMINISTIC_HASHING=1 "$SWIFT" run "$@"; }

# The folder of the products of a build.
products() { "$SWIFT" build "$@" --show-bin-path; }

# Builds the tests with the array `options`, and runs them with arguments. Sets have random orders in the run.
run_tests() {
	Scripts/samples.sh && build --build-tests "${options[@]}" && "$SWIFT" test --skip-build "${options[@]}" "$@"
}

# A folder with Python and packages for it: the folder, and the packages.
python_packages() {
	local folder=$1
	shift
	libraries python
	if [ ! -e "$folder/complete" ]; then
		echo "Installing into $folder: $*" >&2
		python3 -m venv "$folder"
		"$folder/bin/pip" install --quiet --disable-pip-version-check "$@" >&2
		touch "$folder/complete"
	fi
}

# Prints the usage of a script, which is its first comment, and fails.
usage() {
	sed -n "2,/^[^#]/ s/^# \{0,1\}//p" "Scripts/$(basename "$0")" >&2
	exit 2
}
