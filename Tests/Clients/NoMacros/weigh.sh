#!/bin/sh
# Weighs the machine code of a program, whose path is the first argument: prints the compiler and the processor, the bytes of all modules of
# the package, and those of each type with 20,000 bytes or more. With a file of accepted rows, fails if the code of a row has grown: by 2 %
# of all, or by 10 % of a type. The code of another compiler or processor is printed, not compared.
set -eu
program=$1 accepted=${2:-/dev/null}
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
machine="Swift $("${SWIFT:-swift}" --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p' | head -n 1), $(uname -m)"
echo "$machine"
nm -S --radix=d "$program" | awk '$3 ~ /[tTwW]/ { print $2 + 0 "\t" $4 }' | swift demangle | awk -F '\t' '
{
	# The type, or the function, whose code this is: also of its specializations, closures and witnesses.
	name = $2
	gsub(/(generic|function signature) [a-z -]*specialization <[^;]*> of /, "", name)
	if (match(name, /(Sluice[A-Za-z]*|JSONPaths)\.[A-Za-z0-9_]+/)) {
		key = substr(name, RSTART, RLENGTH)
		sub(/.*\./, "", key)
	} else if ($2 ~ /Sluice|JSONPaths/) {
		key = "generic code of other modules"
	} else next
	size[key] += $1
	all += $1
}
END {
	print "all\t" all
	for (key in size) if (size[key] >= 20000) print key "\t" size[key]
}' | sort -t "$(printf '\t')" -k 2,2nr >"$rows"
cat "$rows"
[ "$accepted" != /dev/null ] || exit 0
if [ "$(head -n 1 "$accepted")" != "$machine" ]; then
	echo "The accepted bytes are those of $(head -n 1 "$accepted"), so the code is not compared." >&2
	exit 0
fi
awk -F '\t' '
	NR == FNR { limit[$1] = ($1 == "all" ? 1.02 : 1.1) * $2; next }
	{ most = $1 in limit ? limit[$1] : 22000 }
	$2 > most { printf "%s: %d bytes of code, more than %d\n", $1, $2, most; failed = 1 }
	END {
		if (failed) print "If the bytes are worth it, the output of weigh.sh replaces " accepted ", and the commit says why."
		exit failed
	}' accepted="$accepted" "$accepted" "$rows" >&2
