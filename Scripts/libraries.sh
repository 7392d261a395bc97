#!/usr/bin/env bash
# Installs the missing ones of some libraries and programs with apt-get or brew, and names them first: Scripts/libraries.sh yajl zlib zstd.
# With SLUICE_INSTALL=no, the command is printed and not run.
set -euo pipefail

missing=
extra=
need() { missing="$missing $1"; }
library() { pkg-config --exists "$1" 2>/dev/null || need "$2"; }
program() { command -v "$1" >/dev/null || need "$2"; }

program pkg-config pkg-config
for name; do
	case $name in
	yajl) library yajl libyajl-dev ;;
	zstd) library libzstd libzstd-dev ;;
	# Apple's systems have these two.
	zlib) [ "$(uname)" = Darwin ] || library zlib zlib1g-dev ;;
	sqlite) [ "$(uname)" = Darwin ] || library sqlite3 libsqlite3-dev ;;
	valgrind) program valgrind valgrind && program strip binutils ;;
	python) python3 -c 'import ensurepip' 2>/dev/null || need python3-venv ;;
	java) program java openjdk-17-jre-headless && program ps procps ;;
	# The demonstration reads excerpts without the tables.
	iso-codes) [ -d /usr/share/iso-codes/json ] || extra=iso-codes ;;
	*) echo "No library or program is named $name." >&2 && exit 2 ;;
	esac
done

if command -v apt-get >/dev/null; then
	[ -n "$missing$extra" ] || exit 0
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	if [ "${SLUICE_INSTALL:-}" = no ] || { [ -n "$sudo" ] && ! command -v sudo >/dev/null; }; then
		echo "Run this command as root first: apt-get install$missing $extra" >&2
		[ -z "$missing" ]
		exit
	fi
	echo "Installing with apt-get:$missing $extra" >&2
	$sudo apt-get -qq update >&2 || true
	install="$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends"
	[ -z "$missing" ] || $install $missing >/dev/null
	[ -z "$extra" ] || $install $extra >/dev/null ||
		echo "iso-codes cannot be installed. The demonstration reads excerpts instead." >&2
elif command -v brew >/dev/null; then
	[ -n "$missing" ] || exit 0
	missing=$(echo "$missing" | sed 's/pkg-config/pkgconf/; s/lib\([a-z]*\)-dev/\1/g')
	if [ "${SLUICE_INSTALL:-}" = no ]; then
		echo "Run this command first: brew install$missing" >&2
		exit 1
	fi
	echo "Installing with brew:$missing" >&2
	brew install --quiet $missing >&2
elif [ -n "$missing" ]; then
	echo "Install these libraries with their header files, and pkg-config, with the package manager of your system:$missing" >&2
	exit 1
fi
