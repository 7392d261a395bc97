#!/usr/bin/env bash
# Builds the tool and the demonstration: Scripts/tool.sh ACTION.
#
#   build                builds the tool with compression, and prints its path
#   static               builds the tool with its Swift libraries inside, strips it, and packs it for this system
#   install              installs the tool, its completions and its manual page below PREFIX, with DESTDIR in front
#   demo [arguments]     decodes real tables and a large generated file, and measures the decoding
#   fixtures 1MB 16MB    generates files of records into Fixtures/generated
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The demonstration needs neither macros nor compression. Without swift-syntax, its first build takes minutes less.
build_demo() {
	libraries yajl iso-codes
	echo "Building the demonstration. The first build takes minutes." >&2
	build --product sluice-demo --package-path Tool -c release --traits Yajl --scratch-path .build-demo
}

build_tool() {
	libraries yajl zlib zstd
	build --product sluice "${tool[@]}"
	folder=$(products "${tool[@]}")
}

action=${1:-}
[ $# = 0 ] || shift
case $action in
build)
	build_tool
	echo "The tool is $folder/sluice" >&2
	;;
static)
	# The tool reads with the scanner, so libyajl is left out. The C library, zlib and libzstd are those of the system.
	libraries zlib zstd
	static=(--package-path Tool -c release --scratch-path .build-tool-static --static-swift-stdlib)
	static+=(--disable-default-traits --traits Gzip,Zstd)
	build --product sluice "${static[@]}"
	folder=$(products "${static[@]}")
	packed=.build-tool-static/sluice-$("$folder/sluice" --version)-linux-$(uname -m).tar.gz
	strip -o .build-tool-static/sluice "$folder/sluice"
	tar -C .build-tool-static -czf "$packed" sluice
	wc -c .build-tool-static/sluice "$packed" >&2
	;;
install)
	build_tool
	build --product generate-manual "${tool[@]}"
	manual=.build-tool/manual
	prefix=${DESTDIR:-}${PREFIX:-/usr/local}
	bash=$prefix/share/bash-completion/completions
	zsh=$prefix/share/zsh/site-functions
	fish=$prefix/share/fish/vendor_completions.d
	mkdir -p "$manual"
	"$folder/generate-manual" "$folder/sluice" --output-directory "$manual" >&2
	install -d "$prefix/bin" "$bash" "$zsh" "$fish" "$prefix/share/man/man1"
	install -m 755 "$folder/sluice" "$prefix/bin/sluice"
	install -m 644 "$manual/sluice.1" "$prefix/share/man/man1/sluice.1"
	"$folder/sluice" --generate-completion-script bash >"$bash/sluice"
	"$folder/sluice" --generate-completion-script zsh >"$zsh/_sluice"
	"$folder/sluice" --generate-completion-script fish >"$fish/sluice.fish"
	echo "The tool is $prefix/bin/sluice" >&2
	;;
demo)
	build_demo
	.build-demo/release/sluice-demo "$@"
	;;
fixtures)
	build_demo
	mkdir -p Fixtures/generated
	for size in "${@:-1MB 16MB 256MB}"; do
		for size in $size; do
			.build-demo/release/sluice-demo generate --size "$size" --output "Fixtures/generated/records-$size.json"
		done
	done
	;;
*) usage ;;
esac
