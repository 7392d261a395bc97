#!/bin/bash -eu
# Builds a program for each file of cases in Fixtures/Fuzz, such as $OUT/decoding_fuzzer, with its cases, its dictionary and its options.
# The programs are one, which finds its entry by its name. Variables of OSS-Fuzz: SRC, OUT and SANITIZER.

cd "$SRC/sluice"
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
export SLUICE_LIBFUZZER=$resources/clang/lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a
export SWIFT_DETERMINISTIC_HASHING=1

# The machines that run the programs have neither the libraries of Swift, of which `Testing` is no static one, nor libyajl.
options=(-c release --product sluice-fuzz --disable-default-traits --traits "Yajl,Gzip,Zstd" --scratch-path .build-oss-fuzz
	--sanitize "$SANITIZER" -Xlinker -rpath -Xlinker "\$ORIGIN/lib")
swift build "${options[@]}"
program=$(swift build "${options[@]}" --show-bin-path)/sluice-fuzz
mkdir -p "$OUT/lib"
ldd "$program" | awk '/libyajl|libzstd|libz\.|\/swift\// { print $3 }' | xargs -I {} cp {} "$OUT/lib"

for cases in Fixtures/Fuzz/*.txt; do
	name=$(basename "$cases" .txt)_fuzzer
	cp "$program" "$OUT/$name"
	cp Tests/FuzzCoverage/json.dict "$OUT/$name.dict"
	printf '[libfuzzer]\nmax_len = 2048\ntimeout = 20\n' >"$OUT/$name.options"
	folder=$(mktemp -d)
	number=0
	while read -r line; do
		number=$((number + 1))
		printf %s "$line" | base64 -d >"$folder/$number"
	done <"$cases"
	(cd "$folder" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
	rm -r "$folder"
done
