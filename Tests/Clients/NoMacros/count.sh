#!/bin/sh
# Counts the instructions of each row of Speed, whose path is the first argument, and compares the counts with the file of the second
# argument. A row may take half as much again: the counts of processors differ, and without specialization a row takes ten times as much.
set -eu
program=$1 accepted=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Some versions of valgrind do not read the debug information of Swift.
strip -S -o "$folder/Speed" "$program"
SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --quiet --callgrind-out-file="$folder/counts" \
	--dump-before='*countBoundary*' "$folder/Speed" --count >"$folder/rows"
index=0
while IFS="$(printf '\t')" read -r name bytes; do
	# Files with odd numbers have the counts of the preparations before a call.
	index=$((index + 2))
	printf '%s\t%s\n' "$name" "$(awk -v bytes="$bytes" '/^totals:/ { printf "%.1f", $2 / bytes }' "$folder/counts.$index")"
done <"$folder/rows" >"$folder/result"
cat "$folder/result"
awk -F '\t' '
	NR == FNR { limit[$1] = 1.5 * $2; next }
	!($1 in limit) { print "No accepted count: " $1; failed = 1 }
	$1 in limit && $2 > limit[$1] { print $1 " takes " $2 " instructions for a byte, more than " limit[$1]; failed = 1 }
	{ delete limit[$1] }
	END { for (name in limit) { print "The row is missing: " name; failed = 1 }; exit failed }' "$accepted" "$folder/result" >&2
