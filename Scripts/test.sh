#!/usr/bin/env bash
# Builds and runs tests: Scripts/test.sh SET [arguments of `swift test`, such as --filter Paths]. The sets:
#
#   test              without the macros, with all other traits
#   check             the fast ones of them: the inner loop
#   macros            with the macros, which need swift-syntax: the tests of the macros, and those of models that they expand
#   bare              without traits: no macros, no system library, FoundationEssentials; a selection
#   tool              the tool without the macros; with full rounds, the models that it infers are compiled with them, too
#   memory            the memory of streams, whose peak must not depend on the length of the input
#   coverage          the executed lines by folder; the other lines are listed in .build-coverage
#   sanitize          without macros, with the address, leak and undefined behavior sanitizers
#   sanitize-threads  the tests of threads with the thread sanitizer, up to the first race
#   sanitize-all      all tests with all traits and a sanitizer, which takes long: Scripts/test.sh sanitize-all address
#   expansions        rewrites the expected expansions and diagnostics of the macro tests
#   surface           rewrites the list of the public declarations
#
# With SLUICE_ROUNDS=full, the long tests run all of their rounds, and the sets have all test targets.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ $# -gt 0 ] || usage
set=$1
shift
libraries yajl zlib zstd

# Compiles only some test targets, except with full rounds. The package reads the variable.
targets() { [ "${SLUICE_ROUNDS:-}" = full ] || export SLUICE_TESTS="$*"; }

# With macros, SwiftPM builds the tests for the host.
run_with_macros() {
	Scripts/samples.sh
	build --product sluicePackageTests "${all[@]}"
	"$SWIFT" test --skip-build "${all[@]}" "$@"
}
macro_targets="MacroTests ModelTests MainActorTests SurfaceTests SluiceTests"

# The C code, also the inline functions that are a part of Swift code, traps on undefined behavior. Swift has traps of its own.
undefined=(-Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined)
checked=(--disable-xctest --disable-default-traits --traits Yajl,Gzip,Zstd)
export LSAN_OPTIONS=suppressions=$PWD/Tests/leaks.txt

options=(--disable-xctest "${plain[@]}" --scratch-path .build-check)
case $set in
test)
	targets SluiceCoreTests SluiceTests ConformanceTests SluiceCodableTests
	echo "Building the tests. The first build takes minutes." >&2
	run_tests "$@"
	;;
check)
	targets SluiceCoreTests SluiceTests ConformanceTests SluiceCodableTests
	run_tests --filter SluiceCoreTests --skip 'Random|Fuzz|Depth|Deep' "$@"
	;;
macros)
	targets $macro_targets
	echo "Building the tests with macros. The first build takes minutes more, because the macros need swift-syntax." >&2
	run_with_macros "$@"
	;;
bare)
	targets SluiceTests SluiceCodableTests
	echo "Building tests without system libraries and macros, with the scanner as the only source." >&2
	options=(--disable-default-traits --scratch-path .build-bare)
	run_tests "$@"
	;;
tool)
	options=(--package-path Tool --disable-xctest --scratch-path .build-tool-tests)
	build --build-tests "${options[@]}"
	"$SWIFT" test --skip-build "${options[@]}" "$@"
	# The inferred models need the macros, and so a second build of swift-syntax. With macros, the tool and its copy of the core would be
	# built for the target, too.
	if [ "${SLUICE_ROUNDS:-}" = full ]; then
		options=(--package-path Tool --traits Macros,Yajl,Gzip,Zstd --scratch-path .build-tool-macros)
		build --product sluice-toolPackageTests "${options[@]}"
		"$SWIFT" test --skip-build "${options[@]}" "$@"
	fi
	;;
memory)
	targets SluiceCoreTests SluiceTests ConformanceTests SluiceCodableTests
	SLUICE_MEMORY=1 run_tests --filter MemoryPeakTests "$@"
	;;
coverage)
	options=(--disable-xctest "${plain[@]}" --scratch-path .build-coverage --enable-code-coverage)
	run_tests "$@" >&2
	# The program of LLVM for reports is part of the toolchain.
	llvm_cov=$(dirname "$(command -v "$SWIFT")")/llvm-cov
	[ -e "$llvm_cov" ] || llvm_cov=llvm-cov
	folder=$(products "${options[@]}")
	covered=("$folder/sluicePackageTests.xctest" -instr-profile "$folder/codecov/default.profdata")
	sources=(Sources/Sluice[CSY]*/ Sources/JSONPaths/)
	"$llvm_cov" export -format=lcov "${covered[@]}" "${sources[@]}" | awk -f Tests/Coverage/uncovered.awk >.build-coverage/uncovered.txt
	"$llvm_cov" report "${covered[@]}" "${sources[@]}" | awk -f Tests/Coverage/folders.awk
	;;
sanitize)
	options=("${checked[@]}" --sanitize=address "${undefined[@]}" --scratch-path .build-sanitize)
	ASAN_OPTIONS=detect_leaks=1 run_tests "$@"
	;;
sanitize-threads)
	options=("${checked[@]}" --sanitize=thread --scratch-path .build-sanitize-threads)
	TSAN_OPTIONS=halt_on_error=1 run_tests --filter 'PlanLock|[Tt]hread|tasks|Worker|BlockingFile|KeptTests' "$@"
	;;
sanitize-all)
	sanitizer=${1:-}
	case $sanitizer in
	address)
		all+=(--disable-xctest --sanitize=address "${undefined[@]}" --scratch-path .build-asan)
		export ASAN_OPTIONS=detect_leaks=1
		;;
	thread)
		all+=(--disable-xctest --sanitize=thread --scratch-path .build-tsan)
		export TSAN_OPTIONS=halt_on_error=1
		;;
	*) usage ;;
	esac
	shift
	run_with_macros "$@"
	;;
expansions)
	targets $macro_targets
	SLUICE_WRITE_EXPANSIONS=1 run_with_macros --filter "GoldenTests|DiagnosticTests"
	git --no-pager diff --stat -- Tests/MacroTests
	;;
surface)
	targets $macro_targets
	SLUICE_WRITE_SURFACE=1 run_with_macros --filter PublicSurfaceTests
	git --no-pager diff --stat -- Tests/SurfaceTests
	;;
*) usage ;;
esac
