#!/bin/sh
# Prints a table of the instructions that the functions of CKernels take, per byte or per call, on arm64 and on x86-64.
#
# Usage: counts.sh FOLDER, in the root of the package. The folder is for the programs and logs. The compilers are those of Swift's
# toolchain: `portable.swift` has the loops over eight bytes, as Embedded Swift. qemu executes one instruction after another, and
# logs each of them. x86-64 has all instructions that qemu knows, such as AVX2.
set -e
folder=$1
swiftc=${SWIFTC:-swiftc}
tools=$(dirname "$(realpath "$(command -v "$swiftc")")")
core=Sources/SluiceCore
mkdir -p "$folder"

# Builds a program with the options of the C compiler, and writes the counts of its calls.
count() { # architecture, name, options
    architecture=$1 name=$2
    shift 2
    "$tools/clang" --target="$architecture-linux-gnu" -O2 -Wall -Wno-unused-const-variable -D_Nonnull= -ISources/CKernels/include -fuse-ld=lld -static \
        -o "$folder/$name" Tests/Kernels/counts.c Sources/CKernels/utf8.c "$@"
    qemu=qemu-$architecture
    # Before version 8.1 of qemu, the option had another name.
    single=-one-insn-per-tb
    "$qemu" -h | grep -q -e "$single" || single=-singlestep
    "$qemu" -cpu max "$single" -d exec,nochain -D "$folder/$name.log" "$folder/$name" >"$folder/$name.calls"
    awk '
        $NF == "count_start" { count = 0; counting = 1; next }
        $NF == "count_stop" && counting { print count; counting = 0 }
        counting { count++ }
    ' "$folder/$name.log" >"$folder/$name.counts"
    rm "$folder/$name.log"
    # The empty function is the first one. Its instructions are part of each count.
    paste -d '|' "$folder/$name.calls" "$folder/$name.counts" | awk -F '|' -v OFS='|' '
        NR == 1 { empty = $4; next }
        { $4 -= empty; print $1 "|" $2, $3 == 0 ? $4 : sprintf("%.2f", $4 / $3), $3 == 0 ? "call" : "byte" }
    ' >"$folder/$name.rows"
}

for architecture in aarch64 x86_64; do
    target=$architecture-none-none-elf
    [ $architecture = aarch64 ] || target=x86_64-unknown-linux-gnu
    "$swiftc" -target $target -enable-experimental-feature Embedded -wmo -parse-as-library -O -module-name Portable -package-name sluice \
        -I Sources/CKernels/include -c -o "$folder/portable-$architecture.o" Tests/Kernels/portable.swift \
        $core/Text/Kernels.swift $core/Text/DecimalWord.swift $core/Text/Encoding.swift \
        $core/Numbers/Kernels+Digits.swift $core/Numbers/NumberScan.swift $core/Numbers/NumberToken.swift
    count $architecture $architecture-vectors
    count $architecture $architecture-portable -DPORTABLE -U__SSE2__ -U__ARM_NEON "$folder/portable-$architecture.o"
done

# The functions without a portable or vector version have an empty cell.
echo "| function | input | per | arm64, portable | arm64, NEON | x86-64, portable | x86-64, SSE2 |"
echo "|---|---|---|---|---|---|---|"
for name in x86_64-vectors aarch64-portable aarch64-vectors x86_64-portable x86_64-vectors; do
    sed "s/^/$name|/" "$folder/$name.rows"
done | awk -F '|' '
    { key = $2 "|" $3 }
    !(key in per) { order[++rows] = key; per[key] = $5 }
    { counts[key, $1] = $4 }
    END {
        for (row = 1; row <= rows; row++) {
            key = order[row]; split(key, parts, "|")
            print "| " parts[1] " | " parts[2] " | " per[key] " | " counts[key, "aarch64-portable"] " | " \
                counts[key, "aarch64-vectors"] " | " counts[key, "x86_64-portable"] " | " counts[key, "x86_64-vectors"] " |"
        }
    }'
