"""Runs the executable over ranges of files with PySpark, and compares the results with those of one process.

    python spark_client.py CLIENT SLUICE SIZE

CLIENT is the executable of this package, SLUICE the tool, and SIZE the size of the generated array, such as
64MB.
"""

import functools
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pyspark import SparkConf, SparkContext

# MARK: The part of an application


def array_ranges(sluice, file, path, parts):
    """Returns the ranges of the elements of an array. One pass of the tool validates the file."""
    command = [sluice, "ranges", file, "--at", path, "--parts", str(parts)]
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode != 0:
        raise ValueError(process.stderr)
    return [json.loads(line) for line in process.stdout.splitlines()]


def array_tasks(file, path, ranges):
    """Returns a task for each range of an array."""
    return [{"file": str(file), "path": path, "range": range} for range in ranges]


def line_tasks(files, parts):
    """Returns a task for each of the equal ranges of bytes of each file. No file is read."""
    tasks = []
    for file in files:
        size = file.stat().st_size
        bounds = [size * part // parts for part in range(parts + 1)]
        tasks += [{"file": str(file), "bytes": pair} for pair in zip(bounds, bounds[1:])]
    return tasks


def merge(first, second):
    """Adds two results. An error replaces all totals, and the first error replaces all others."""
    for result in (first, second):
        if "error" in result:
            return result
    return {name: (first[name] + second[name]) % 2**64 for name in first}


def results(spark, command, tasks, partitions):
    """Returns the results of the tasks: each partition runs the command with its tasks as lines."""
    lines = [json.dumps(task) for task in tasks]
    return spark.parallelize(lines, partitions).pipe(command, checkCode=True)


def aggregate(results):
    """Merges results in the order of the tasks."""
    return results.map(json.loads).reduce(merge)


# MARK: Files


def generate(sluice, size, folder):
    """Writes an array inside an object, and a folder with the same products in lines."""
    records = folder / "records.json"
    subprocess.run([f"{sluice}-demo", "generate", "--size", size, "--output", records], check=True)

    array = folder / "array.json"
    with open(records, "rb") as source, open(array, "wb") as target:
        target.write(b'{"source": "sluice-demo generate", "items": ')
        shutil.copyfileobj(source, target)
        target.write(b"}\n")

    # A file with one line, a file without lines, a file, and a file without an end of the last line.
    text = subprocess.run([sluice, "pick", "[*]", records], check=True, stdout=subprocess.PIPE).stdout
    records.unlink()
    first, second = text.index(b"\n") + 1, text.index(b"\n", len(text) // 3) + 1
    contents = [text[:first], b"", text[first:second], text[second:].rstrip(b"\n")]
    files = [folder / f"{index}.jsonl" for index in range(len(contents))]
    for file, content in zip(files, contents):
        file.write_bytes(content)
    return array, files


def break_element(file, value, copy):
    """Copies a file, and replaces a Boolean near the end by a value of the same length."""
    content = bytearray(file.read_bytes())
    start = content.index(b'"active":true', len(content) * 99 // 100) + len(b'"active":')
    content[start : start + len(b"true")] = value
    assert len(content) == file.stat().st_size
    copy.write_bytes(content)
    return copy


# MARK: Checks


class Case:
    """A name, a function that returns the tasks for a number of ranges, and the result of one process."""

    def __init__(self, client, name, tasks, whole_files):
        self.name = name
        self.tasks = tasks
        text = "".join(json.dumps(task) + "\n" for task in whole_files)
        process = subprocess.run([client], input=text, check=True, stdout=subprocess.PIPE, text=True)
        self.expected = functools.reduce(merge, map(json.loads, process.stdout.splitlines()))

    def check(self, result, how):
        if result != self.expected:
            sys.exit(f"{self.name}, {how}: {result}\nOne process: {self.expected}")


def make_cases(client, sluice, size, folder):
    path = "items[*]"

    def array_case(name, file, source):
        # The ranges are those of another file, if a file has changed after the pass.
        tasks = lambda parts: array_tasks(file, path, array_ranges(sluice, source, path, parts))
        return Case(client, name, tasks, [{"file": str(file), "path": path}])

    def line_case(name, files):
        whole_files = [{"file": str(file)} for file in files]
        return Case(client, name, lambda parts: line_tasks(files, parts), whole_files)

    array, files = generate(sluice, size, folder)
    intact, last = files[:-1], files[-1]
    cases = [array_case("array", array, array), line_case("lines", files)]
    assert "error" not in cases[0].expected, cases[0].expected
    cases[1].check(cases[0].expected, "array")

    mismatch = break_element(array, b'"no"', folder / "mismatch.json")
    syntax = break_element(array, b"tru!", folder / "syntax.json")
    try:
        sys.exit(f"{syntax} has ranges: {array_ranges(sluice, syntax, path, 7)}")
    except ValueError as error:
        print(f"sluice ranges: {error}", end="")
    cases += [
        array_case("array, wrong type", mismatch, mismatch),
        array_case("array, syntax error after the pass", syntax, array),
        line_case("lines, wrong type", intact + [break_element(last, b'"no"', folder / "mismatch.jsonl")]),
        line_case("lines, syntax error", intact + [break_element(last, b"tru!", folder / "syntax.jsonl")]),
    ]
    for case in cases:
        print(f"One process, {case.name}: {case.expected.get('error', case.expected)}")
    assert all("error" in case.expected for case in cases[2:])
    return cases


def check_partitions(spark, client, case):
    """Checks that the result does not depend on the number of partitions."""
    times = []
    for partitions in [1, 2, 7, 64]:
        start = time.monotonic()
        tasks = case.tasks(partitions)
        case.check(aggregate(results(spark, client, tasks, partitions)), f"{partitions} partitions")
        times.append(f"{partitions}: {time.monotonic() - start:.1f} s")
    print(f"  {case.name}, partitions: {', '.join(times)}", flush=True)


def parent(process):
    """Returns the identifier and the command of the parent of a process."""
    identifier = subprocess.check_output(["ps", "-o", "ppid=", "-p", str(process)], text=True).strip()
    return int(identifier), subprocess.check_output(["ps", "-o", "args=", "-p", identifier], text=True)


def kill_executor(marker, results):
    """Kills the executor of the first partition that has all of its results, before Spark has the results."""
    results = list(results)
    try:
        os.mkdir(marker)
    except FileExistsError:
        return results
    # The executor has started a daemon, which has forked this process.
    daemon, _ = parent(os.getpid())
    executor, command = parent(daemon)
    assert "CoarseGrainedExecutorBackend" in command, command
    os.kill(executor, signal.SIGKILL)
    time.sleep(60)
    raise AssertionError("the process has outlived the executor")


def check_kill(spark, case, what, results):
    """Checks that a killed process changes nothing, and that one task has failed."""
    group = f"{case.name}, killed {what}"
    spark.setJobGroup(group, group)
    case.check(aggregate(results), f"killed {what}")
    tracker = spark.statusTracker()
    stages = [stage for job in tracker.getJobIdsForGroup(group) for stage in tracker.getJobInfo(job).stageIds]
    failures = sum(tracker.getStageInfo(stage).numFailedTasks for stage in stages)
    assert failures == 1, f"{group}: {failures} failed tasks"
    print(f"  {group}: 1 failed task", flush=True)


def check_kills(spark, client, case, folder):
    tasks = case.tasks(7)
    # Spark logs the failures.
    spark.setLogLevel("OFF")

    # A process of the executable has written all of its results.
    marker = shlex.quote(str(folder / f"{case.name}, executable"))
    script = f"{client} && if mkdir {marker} 2>/dev/null; then kill -9 $$; fi"
    check_kill(spark, case, "executable", results(spark, f"sh -c {shlex.quote(script)}", tasks, 7))

    kill = functools.partial(kill_executor, str(folder / f"{case.name}, executor"))
    check_kill(spark, case, "executor", results(spark, client, tasks, 7).mapPartitions(kill))


def main(client, sluice, size):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # The name of the machine need not have an address.
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    conf = SparkConf().setAppName("Sluice")
    conf.set("spark.ui.enabled", "false").set("spark.ui.showConsoleProgress", "false")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = make_cases(client, sluice, size, folder)
        for master in ["local[2]", "local-cluster[2,1,1024]"]:
            with SparkContext(master, conf=conf) as spark:
                spark.setLogLevel("ERROR")
                print(f"Spark {spark.version}, {master}", flush=True)
                for case in cases:
                    check_partitions(spark, shlex.quote(client), case)
                # On local[2], Spark does not repeat failed tasks.
                if master != "local[2]":
                    for case in cases[:2]:
                        check_kills(spark, shlex.quote(client), case, folder)
    print("All results are those of one process.")


if __name__ == "__main__":
    main(*sys.argv[1:])
