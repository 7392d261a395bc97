#!/usr/bin/env bash
# Tests the loops in C: Scripts/kernels.sh WHAT. Tests/Kernels/README.md and Tests/Proofs/README.md describe the tests.
#
#   test [seed]           compares the loops with plain definitions, and NEON under qemu
#   counts                counts the instructions of the loops under qemu, on arm64 and on x86-64
#   prove [functions]     proves that the loops have the results of definitions byte by byte, with z3
#   eva                   examines the portable loops for undefined behavior, with Eva of Frama-C
#   prove-numbers         proves the bounds of the products with powers of ten, with exact integers
#   model-workers         examines every interleaving of a stream and its worker threads, in a model
#   exhaustive            judges all short texts with both sources and an automaton: LENGTH=6 CUTS=4 REJECTED=1 FIRST=0 LAST=9
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
what=${1:-}
[ $# = 0 ] || shift

# The commands for arm64 on other processors.
cross_compiler=${CROSS_CC:-aarch64-linux-gnu-gcc}
cross_runner=${CROSS_RUN:-qemu-aarch64}
has_cross() { command -v "${cross_compiler%% *}" >/dev/null && command -v "${cross_runner%% *}" >/dev/null; }
skipped="On Debian, that needs the packages gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user."
is_arm() { case $(uname -m) in arm64 | aarch64) true ;; *) false ;; esac; }

# Builds and runs the test with vector code, with that of every processor, and without for the parts in C that other processors use.
test_kernels() { # name, compiler, runner, seed
	local variant flags
	mkdir -p .build-kernels
	for variant in vectors baseline portable; do
		case $variant in
		vectors) flags= ;;
		baseline) flags='-D__builtin_cpu_supports(feature)=0' ;;
		portable) flags="-U__SSE2__ -U__ARM_NEON" ;;
		esac
		echo "The loops in C, $1, $variant" >&2
		$2 -O2 -Wall -Wno-unused-const-variable -D_Nonnull= -D_Nullable= $flags -pthread -ISources/CKernels/include \
			-o ".build-kernels/$1-$variant" Tests/Kernels/kernels.c Sources/CKernels/*.c
		$3 ".build-kernels/$1-$variant" "$4"
	done
}

# The compiler of the toolchain, which also compiles the loops for the package.
proofs=.build-proofs
find_clang() {
	clang=$(dirname "$(command -v "$SWIFT")")/clang
	[ -e "$clang" ] || clang=clang
}

# Compares the executor of the proofs with the compiled code of a variant: the variant, the number of inputs, a runner, compiler options.
compare() {
	local variant=$1 inputs=$2 runner=$3
	shift 3
	"$clang" -O2 -D_Nonnull= -D_Nullable= -Wno-everything -ISources/CKernels/include "$@" \
		-o "$proofs/ir/compiled.$variant" Tests/Proofs/compiled.c
	$proofs/bin/python Tests/Proofs/compare_kernels.py $proofs/ir "$variant" "$inputs" $runner
}

case $what in
test)
	test_kernels native "${CC:-cc}" "" "${1:-1}"
	is_arm && exit
	if has_cross; then
		test_kernels arm64 "$cross_compiler -static" "$cross_runner" "${1:-1}"
	else
		echo "The loops for NEON were skipped. $skipped" >&2
	fi
	;;
counts) SWIFTC="${SWIFT}c" Tests/Kernels/counts.sh .build-kernels/counts ;;
prove)
	python_packages $proofs z3-solver==5.4.1.0
	find_clang
	CLANG=$clang Tests/Proofs/compile.sh $proofs/ir
	if is_arm; then
		compare neon 200 ""
	else
		compare sse2 200 ""
		compare portable 10 "" -U__SSE2__
		if has_cross; then
			compare neon 200 "$cross_runner" --target=aarch64-linux-gnu -static -fuse-ld=lld
		else
			echo "The compiled code for NEON was not compared. $skipped" >&2
		fi
	fi
	$proofs/bin/python -u Tests/Proofs/prove_kernels.py $proofs/ir "$@"
	;;
eva) Tests/Proofs/undefined.sh $proofs/eva ;;
prove-numbers) python3 Tests/Proofs/prove_numbers.py ;;
model-workers) python3 Tests/Proofs/model_workers.py ;;
exhaustive)
	libraries yajl
	# The program is built without macros and Foundation's models.
	SLUICE_EXHAUSTIVE=1 build --product sluice-exhaustive -c release --disable-default-traits --traits Yajl \
		--scratch-path .build-exhaustive
	LENGTH=${LENGTH:-7} CUTS=${CUTS:-5} REJECTED=${REJECTED:-20} FIRST=${FIRST:-0} LAST=${LAST:-19} \
		.build-exhaustive/release/sluice-exhaustive
	;;
*) usage ;;
esac
