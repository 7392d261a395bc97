#!/bin/sh
# Compiles the loops in C to LLVM IR without inlining, so that each function remains: compile.sh FOLDER. Needs clang of a toolchain.
set -e
out=$1
sources=Sources/CKernels
mkdir -p "$out/include"
# No header of a C library is needed: memcpy has its declaration.
echo 'void *memcpy(void *, const void *, __SIZE_TYPE__);' > "$out/include/string.h"
printf '#include "kernels.h"\n#include "digits.h"\n#include "writing.h"\n' > "$out/kernels.c"
# `used` keeps functions that nothing calls.
flags="-O1 -fno-inline -ffreestanding -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm -I$out/include -I$sources/include"
for variant in sse2 neon portable; do
	case $variant in
		sse2) target=--target=x86_64-linux-gnu ;;
		neon) target=--target=aarch64-linux-gnu ;;
		portable) target="--target=x86_64-linux-gnu -U__SSE2__" ;;
	esac
	"${CLANG:-clang}" $target $flags "-Dinline=__attribute__((used))" -Wno-everything -o "$out/kernels.$variant.ll" "$out/kernels.c"
	for part in structure utf8 lines; do
		"${CLANG:-clang}" $target $flags -Wno-everything -o "$out/$part.$variant.ll" $sources/$part.c
	done
done
