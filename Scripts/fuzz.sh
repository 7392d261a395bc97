#!/usr/bin/env bash
# Fuzzes: Scripts/fuzz.sh WHAT [seconds, by default 3600] [arguments]. Tests/FuzzCoverage/README.md describes the cases.
#
#   sources       random input with every source, whole and in chunks
#   coders        random calls to coders, compared with Foundation
#   models        random documents with models that use every feature
#   models-asan   the same with the address and leak sanitizers
#   numbers       random numbers, compared with the standard library: a number of numbers in place of the seconds
#   declarations  random declarations with the macro, compared with Codable types
#   floats        writes and reads every float, and the numbers halfway between floats, which takes long
#   guided        one entry with libFuzzer, which follows the covered code: ENTRY=writing
#   corpus        keeps the smallest of the cases that cover the same code in Fixtures/Fuzz: ENTRY=writing
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ $# -gt 0 ] || usage
what=$1
shift
limit=${1:-}
[ $# = 0 ] || shift
libraries yajl zlib zstd

checked=(--disable-xctest --disable-default-traits --traits Yajl,Gzip,Zstd)
# `swift build` compiles a release without access for tests.
options=("${checked[@]}" -c release -Xswiftc -enable-testing --scratch-path .build-fuzz)
fuzz() {
	export SLUICE_FUZZ_SECONDS=${limit:-3600} SLUICE_FUZZ_SEED=${SLUICE_FUZZ_SEED:-$(date +%s)000}
	run_tests --filter "$@"
}

# A case that crashes or does not terminate remains in the journal.
fuzz_models() {
	export SLUICE_FUZZ_JOURNAL=$PWD/$1/fuzz-models-case
	shift
	fuzz ModelFuzzTests "$@" && return
	if [ -s "$SLUICE_FUZZ_JOURNAL" ]; then
		echo "The process crashed or did not end with this case:" >&2
		cat "$SLUICE_FUZZ_JOURNAL" >&2
	fi
	return 1
}

# libFuzzer is part of the toolchains for Linux. The entries are those of FuzzEntry. A run begins with the kept cases, of which a file has
# one on each line in Base64, and keeps its cases in the folder of the build.
guided=.build-guided
entry=${ENTRY:-decoding}
cases=$guided/cases/$entry
build_guided() {
	local resources number=0 line
	resources=$("${SWIFT}c" -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
	SLUICE_LIBFUZZER=$resources/clang/lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a \
		build --product sluice-fuzz -c release --disable-default-traits --traits Yajl,Gzip,Zstd --scratch-path $guided
	mkdir -p "$cases"
	while read -r line; do
		number=$((number + 1))
		printf %s "$line" | base64 -d >"$cases/kept-$number"
	done <"Fixtures/Fuzz/$entry.txt"
}
# libFuzzer keeps the bytes of a crash only if Swift does not handle the signal.
run_guided() {
	SWIFT_BACKTRACE=enable=no SLUICE_FUZZ_ENTRY=$entry $guided/release/sluice-fuzz -max_len=2048 -timeout=20 \
		"-artifact_prefix=$guided/$entry-" "$@"
}

# Each seed is a program. A difference and an error of the compiler end the loop, and the declarations of the seed remain.
fuzz_declarations() {
	local client=Tests/Clients/Declarations end=$((SECONDS + ${limit:-3600})) seed=${SLUICE_FUZZ_SEED:-$(date +%s)}
	while [ $SECONDS -lt $end ]; do
		echo "Declarations of the seed $seed" >&2
		run --package-path $client $quiet Generate --seed "$seed" --output $client/Sources/Client/Generated \
			--documents $client/.build/documents.txt "$@" >&2
		build --package-path $client --product Client
		"$(products --package-path $client)/Client" $client/.build/documents.txt
		seed=$((seed + 1))
	done
}

case $what in
sources) fuzz 'SourceFuzzTests|StreamFuzzTests' "$@" ;;
coders) fuzz 'DecodingProgramTests|EncodingProgramTests|RandomTextTests' "$@" ;;
models) fuzz_models .build-fuzz "$@" ;;
models-asan)
	options=("${checked[@]}" --sanitize=address -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined
		--scratch-path .build-sanitize)
	export ASAN_OPTIONS=detect_leaks=1
	fuzz_models .build-sanitize "$@"
	;;
numbers)
	export SLUICE_NUMBER_CASES=${limit:-20000000} SLUICE_NUMBER_SEED=${SLUICE_NUMBER_SEED:-$(date +%s)}
	run_tests --filter 'Float|Integer' "$@"
	;;
declarations) fuzz_declarations "$@" ;;
floats) SLUICE_EVERY_FLOAT=1 run_tests --filter EveryFloatTests "$@" ;;
guided)
	build_guided
	run_guided -dict=Tests/FuzzCoverage/json.dict "-max_total_time=${limit:-3600}" -print_final_stats=1 "$@" "$cases"
	;;
corpus)
	build_guided
	# The merge keeps few and small cases that execute the same edges, however often.
	rm -rf $guided/merged
	mkdir $guided/merged
	run_guided -merge=1 -set_cover_merge=1 -use_counters=0 "$@" $guided/merged "$cases" 2>&1 | tail -1
	for file in $guided/merged/*; do
		base64 -w 0 "$file"
		echo
	done | LC_ALL=C sort >"Fixtures/Fuzz/$entry.txt"
	wc -lc "Fixtures/Fuzz/$entry.txt"
	;;
*) usage ;;
esac
