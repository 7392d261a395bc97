#!/bin/sh
# Examines the portable functions in C for undefined behavior: undefined.sh FOLDER. The folder is for the logs. Needs Frama-C.
set -e
out=$1
mkdir -p "$out"
status=0

# Analyzes from a function, and compares the alarms with those that are known to be wrong.
examine() { # function, expected alarms, options
    function=$1 expected=$2
    shift 2
    frama-c -eva -eva-msg-key=-final-states,-initial-state -machdep gcc_x86_64 -main "$function" "$@" \
        -cpp-extra-args='-U__x86_64__ -U__SSE2__ -D_Nonnull= -D_Nullable= -ISources/CKernels/include' \
        Tests/Proofs/undefined.c >"$out/$function.log" 2>&1 || { tail "$out/$function.log" >&2; exit 1; }
    # A message is on the line after the place.
    alarms=$(awk '/^\[eva:alarm\]/ { getline; sub(/^ */, ""); print }' "$out/$function.log")
    if ! grep -q 'ANALYSIS SUMMARY' "$out/$function.log" || [ "$alarms" != "$expected" ]; then
        echo "$function: other alarms than expected, see $out/$function.log" >&2
        echo "$alarms" >&2
        status=1
    else
        echo "$function: no undefined behavior, with $(printf '%s' "$expected" | grep -c '') known alarms"
    fi
}

examine check_line_feeds '' -eva-slevel 300 -eva-min-loop-unroll 260
# Eva does not know that the loop has one step for each bracket, which is not zero. z3 proves both conditions.
examine check_others "signed overflow. assert depth + 1 ≤ 9223372036854775807;
function __builtin_ctzll: precondition 'x_nonzero' got status unknown." -eva-precision 2
exit $status
