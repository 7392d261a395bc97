"""Measures the tool `sluice` and other programs that read JSON on the command line, with one generated file.

    tool_speed.py SLUICE FILE

A program that is not installed is left out, which the output says, and so is one that takes longer than the limit. Each figure is the
shortest of several runs: the processor time of all cores, and the peak memory.
"""

import os
import resource
import shutil
import subprocess
import sys

LIMIT = 300
RUNS = 3


def tasks(sluice, file):
    rows = f"FROM read_json('{file}', format = 'array', maximum_object_size = 1000000)"
    duckdb = [sys.executable, "-c", "import duckdb, sys; duckdb.execute(sys.argv[1])"]
    python = [sys.executable, "-m", "json.tool"]
    return [
        (
            "check",
            [
                ("sluice check", [sluice, "check", file]),
                ("jq empty", ["jq", "empty", file]),
                ("python -m json.tool", python + ["--compact", file]),
            ],
        ),
        (
            "an array to lines",
            [
                ("sluice pick '[*]'", [sluice, "pick", "[*]", file]),
                ("jq -c '.[]'", ["jq", "-c", ".[]", file]),
                ("duckdb", duckdb + [f"COPY (SELECT * {rows}) TO '/dev/null' (FORMAT json)"]),
            ],
        ),
        (
            "two columns to CSV",
            [
                ("sluice pick --only --csv", [sluice, "pick", "[*]", file, "--only", "id,name", "--csv"]),
                ("jq -r '… @csv'", ["jq", "-r", ".[] | [.id, .name] | @csv", file]),
                ("duckdb", duckdb + [f"COPY (SELECT id, name {rows}) TO '/dev/null' (FORMAT csv)"]),
            ],
        ),
        (
            "each path with its value",
            [
                ("sluice paths", [sluice, "paths", file]),
                ("gron --no-sort", ["gron", "--no-sort", file]),
            ],
        ),
        (
            "indented",
            [
                ("sluice pick '$' --indent 2", [sluice, "pick", "$", file, "--indent", "2"]),
                ("jq .", ["jq", ".", file]),
                ("python -m json.tool", python + ["--indent", "2", file]),
            ],
        ),
    ]


def is_installed(command):
    if command[0] != sys.executable:
        return shutil.which(command[0]) is not None
    return "duckdb" not in command[2] or subprocess.run([sys.executable, "-c", "import duckdb"], capture_output=True).returncode == 0


def measure(command):
    """Returns the processor time in seconds and the peak memory in bytes, or the reason why there is none."""
    with open(os.devnull, "wb") as nothing:
        process = subprocess.Popen(
            command, stdout=nothing, stderr=nothing,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)),
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode < 0:
        return f"longer than {LIMIT} s"
    if process.returncode > 0:
        return f"failed with status {process.returncode}"
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit


def main(sluice, file):
    size = os.path.getsize(file)
    print("| | processor time | speed | peak memory |\n|---|---|---|---|")
    for title, programs in tasks(sluice, file):
        print(f"| **{title}** | | | |")
        for name, command in programs:
            if not is_installed(command):
                print(f"{name} is not installed.", file=sys.stderr)
                continue
            runs = [measure(command)]
            if not isinstance(runs[0], str):
                runs += [measure(command) for _ in range(RUNS - 1 if runs[0][0] < 20 else 0)]
            failures = [run for run in runs if isinstance(run, str)]
            if failures:
                print(f"| `{name}` | {failures[0]} | | |", flush=True)
                continue
            seconds, memory = min(run[0] for run in runs), min(run[1] for run in runs)
            print(f"| `{name}` | {seconds:.1f} s | {size / seconds / 1e6:,.0f} MB/s | {memory / 1e6:,.0f} MB |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
