#!/usr/bin/env bash
# Measures speed, memory and size: Scripts/measure.sh WHAT [arguments]. Benchmarks/README.md describes the measurements.
#
#   floor            compares with bare yajl and Foundation: --json, --memory, --only NAME
#   instructions     counts the instructions with valgrind: --row canada
#   check-counts     fails if a benchmark takes more instructions or allocations than before
#   accept-counts    accepts the instructions and allocations of all benchmarks
#   charts           measures, and draws charts into Benchmarks/Charts, which takes minutes
#   bench            measures Sluice alone, to compare runs
#   peers            compares with other packages for JSON, which are cloned and built: --json
#   live-peers       measures packages of Python that read JSON whose end has not arrived
#   model-cost       compares the compilation of 200 models with that of Codable types
#   tool-speed       compares the tool with jq, gron, DuckDB and Python, with 200 MB
#   debug-speed      compares debug and release builds of a client with each other and with Foundation
#   debug-counts     fails if a debug build of a client takes more instructions than before
#   weight           fails if the machine code of the modules has grown
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ $# -gt 0 ] || usage
what=$1
shift

counts=Benchmarks/Results/instructions.jsonl
build_floor() {
	libraries yajl
	echo "Building the benchmarks. The first build takes minutes, because the macros need swift-syntax." >&2
	build --package-path Benchmarks -c release --product floor
}
floor() { Benchmarks/.build/release/floor "$@"; }

# The speed of a client without macros, whose core is built for the client NoMacros anyway.
client=Tests/Clients/NoMacros
build_speed() {
	libraries yajl zlib zstd
	build --package-path $client --product Speed -c "$1"
}

only_on_linux() {
	if [ "$(uname)" != Linux ]; then
		echo "$1 on Linux only." >&2
		exit 0
	fi
}

case $what in
floor)
	build_floor
	floor "$@"
	;;
instructions)
	libraries valgrind
	build_floor
	floor --instructions "$@"
	;;
check-counts)
	libraries valgrind
	build_floor
	floor --instructions --limits $counts "$@"
	;;
accept-counts)
	libraries valgrind
	build_floor
	floor --instructions --json >$counts.new
	lost=$(awk -F '"' 'NR == FNR { rows[$4]; next } !($4 in rows) { print $4 }' $counts.new $counts)
	if [ -n "$lost" ]; then
		echo "Not measured, perhaps because SLUICE_CORPUS has no files. The other rows are in $counts.new:" >&2
		echo "$lost" >&2
		exit 1
	fi
	mv $counts.new $counts
	;;
charts)
	build_floor
	build --package-path Benchmarks -c release --product charts
	# With --only memory, one kind of measurement. The results that exist are drawn.
	Benchmarks/.build/release/charts measure Benchmarks/.build/release/floor Benchmarks/Results "$@"
	Benchmarks/.build/release/charts draw Benchmarks/Results Benchmarks/Charts
	for chart in decode encode memory streams workers; do
		cp "Benchmarks/Charts/$chart-light.svg" "Sources/Sluice/Sluice.docc/Resources/$chart.svg"
		cp "Benchmarks/Charts/$chart-dark.svg" "Sources/Sluice/Sluice.docc/Resources/$chart~dark.svg"
	done
	;;
bench)
	libraries yajl
	"$SWIFT" package --package-path Benchmarks benchmark ${quiet:+--no-progress} "$@"
	;;
peers)
	libraries yajl
	echo "Building the other packages. The first build takes minutes." >&2
	build --package-path Benchmarks/Peers -c release
	for peer in swift-yyjson ikigajson reerjson; do
		"$(products --package-path Benchmarks/Peers -c release)/peer-$peer" "$@"
	done
	;;
live-peers)
	python_packages .build-live-peers jiter partial-json-parser
	.build-live-peers/bin/python Benchmarks/Peers/live_peers.py
	;;
model-cost) Benchmarks/model_cost.sh "$@" ;;
tool-speed)
	# DuckDB is a package of Python. jq and gron are left out unless they are installed.
	libraries yajl zlib zstd
	python_packages .build-tool-peers duckdb || true
	build --product sluice "${tool[@]}"
	build --product sluice-demo "${tool[@]}"
	folder=$(products "${tool[@]}")
	file=Fixtures/generated/records-200MB.json
	mkdir -p Fixtures/generated
	[ -e $file ] || "$folder/sluice-demo" generate --size 200MB --output $file
	.build-tool-peers/bin/python Benchmarks/Peers/tool_speed.py "$folder/sluice" $file
	;;
debug-speed)
	for mode in debug release; do
		build_speed $mode
		$client/.build/$mode/Speed >$client/.build/$mode.txt
	done
	paste $client/.build/debug.txt $client/.build/release.txt | awk -F '\t' '
		BEGIN { printf "%-24s %10s %12s %10s %12s %16s\n", "MB/s", "debug", "Foundation", "release", "Foundation", "debug/release" }
		{ printf "%-24s %10.0f %11.1fx %10.0f %11.1fx %16.2f\n", $1, $2, $3, $5, $6, $2 / $5 }'
	;;
debug-counts)
	# Valgrind does not run on the processors of new Macs.
	only_on_linux "The instructions of debug builds are counted"
	libraries valgrind
	build_speed debug
	$client/count.sh $client/.build/debug/Speed $client/counts.txt >&2
	;;
weight)
	# The code of a debug build is optimized, and is built for the counts.
	only_on_linux "The machine code is weighed"
	build_speed debug
	$client/weigh.sh $client/.build/debug/Speed $client/weight.txt >&2
	;;
*) usage ;;
esac
