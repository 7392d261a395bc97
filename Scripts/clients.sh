#!/usr/bin/env bash
# Builds and runs packages of Tests/Clients, which use Sluice as a dependency: Scripts/clients.sh NAME...
#
#   NoMacros NoYajl Loops          small packages that need neither swift-syntax nor other packages
#   Default OldestSyntax           with swift-syntax, and with the first version that the manifest allows
#   Live                           fills forms in the terminal while a server replays the answer of a language model
#   SQLite                         imports 256 MB with GRDB, kills the import and continues it
#   Network                        the samples of AsyncHTTPClient and SwiftNIO, which take minutes
#   NIO                            sends rows as buffers of SwiftNIO to a reader that waits
#   Server                         uploads JSON to a server, and downloads it in flat memory: UPLOAD=1GB
#   Spark                          aggregates ranges of files with PySpark, which takes minutes: SIZE=64MB
#   Schema                         compares schemas with the verdicts of jsonschema on random documents: SEED=7
#   Models                         infers the models of real files, compiles them, and compares the encoded values
#
# Variables with the name of a client: UNLINKED_Name is a pattern for libraries that must not be linked, UNCLONED_Name a package that must
# not be cloned.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ $# -gt 0 ] || usage

UNCLONED_NoMacros=swift-syntax
UNLINKED_NoMacros=libzstd
UNLINKED_NoYajl='libyajl|libz\.so|libzstd|libFoundation\.so'

# Builds and runs the executable Client of a package, and examines the libraries of the program.
client() {
	local name=$1
	shift
	local options=(--package-path "Tests/Clients/$name" "$@")
	echo "The client package $name" >&2
	run "${options[@]}" $quiet Client ${arguments:-} >&2
	local folder uncloned=UNCLONED_$name unlinked=UNLINKED_$name
	folder=$(products "${options[@]}")
	if [ -n "${!uncloned:-}" ] && [ -e "$folder/../../checkouts/${!uncloned}" ]; then
		echo "The client $name has cloned ${!uncloned}." >&2
		exit 1
	fi
	if [ -n "${!unlinked:-}" ] && command -v ldd >/dev/null && ldd "$folder/Client" | grep -E "${!unlinked}"; then
		echo "The client $name is linked with a library of a trait that it does not have." >&2
		exit 1
	fi
}

# The client is not started by `swift run`: the memory of its child processes, which it measures, would include the compilers.
models() {
	local models=Tests/Clients/Models files file
	build --product sluice "${tool[@]}"
	build --product sluice-demo "${tool[@]}"
	files="$(ls /usr/share/iso-codes/json/iso_*.json 2>/dev/null || ls Fixtures/iso_*.json) $(ls Fixtures/Models/*.json)"
	if [ -n "${SLUICE_CORPUS:-}" ]; then
		for file in twitter.json canada.json citm_catalog.json github_events.json; do
			[ -e "$SLUICE_CORPUS/$file" ] || { echo "$SLUICE_CORPUS lacks $file." >&2 && exit 1; }
			files="$files $SLUICE_CORPUS/$file"
		done
	else
		echo "SLUICE_CORPUS is not set: its files are skipped." >&2
	fi
	local folder
	folder=$(products "${tool[@]}")
	mkdir -p $models/.build
	"$folder/sluice-demo" generate --size 4MB --output $models/.build/records.json
	$models/generate.sh "$folder/sluice" "$PWD/$models/.build/inputs" $models/Sources/Client/Generated \
		$files "$PWD/$models/.build/records.json"
	build --package-path $models
	"$(products --package-path $models)/Client" "$PWD/$models/.build/inputs" "$folder/sluice"
}

spark() {
	local spark=Tests/Clients/Spark folder
	libraries java
	python_packages $spark/.build/pyspark 'pyspark>=4,<5'
	build --package-path $spark -c release
	folder=$(products --package-path $spark -c release)
	$spark/.build/pyspark/bin/python $spark/spark_client.py "$folder/Client" "$folder/sluice" ${SIZE:-256MB}
}

schema() {
	local options=(--package-path Tests/Clients/Schema --scratch-path "$PWD/.build-bare")
	# hypothesis-jsonschema does not work with later versions of hypothesis.
	python_packages .build-schema 'jsonschema>=4,<5' 'hypothesis-jsonschema==0.23.1' 'hypothesis==6.100.0'
	build "${options[@]}"
	.build-schema/bin/python Tests/Clients/Schema/schema_tests.py "$(products "${options[@]}")/Client" \
		--seed "${SEED:-1}" ${FLAGS:-}
}

libraries yajl zlib zstd
for name; do
	case $name in
	NoMacros | Default | OldestSyntax | Live | Network | NIO) client "$name" ;;
	# The traits of this client are those of NoMacros. Without traits, the core is that of the tests without traits.
	Loops) client Loops --scratch-path "$PWD/Tests/Clients/NoMacros/.build" ;;
	NoYajl) client NoYajl --scratch-path "$PWD/.build-bare" ;;
	SQLite) libraries sqlite && client SQLite -c release ;;
	Server) libraries sqlite && arguments=${UPLOAD:-} client Server -c release ;;
	Spark) spark ;;
	Schema) schema ;;
	Models) models ;;
	*) usage ;;
	esac
done
