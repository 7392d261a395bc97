"""Examines every interleaving of a stream and its worker threads, in a model of `Sources/SluiceStreams/Workers`.

Usage: model_workers.py, in the folder of the package. Prints the number of states of each case. Exits with 1 after the first state that
violates a claim, or if a function of the sources is not the one from which the model was written.

A step of the model is a critical section, a wait, or the use of a batch. The names are those of the sources: `BatchPool`, `PendingBatches`,
`BatchThreads`, `TextBatch`, `WorkThread` and `Completion`. The threads belong to one stream, which other streams leave some threads.
"""

import hashlib
import sys
from collections import namedtuple

FOLDER = "Sources/SluiceStreams/Workers/"
# The digests of the functions that the model repeats, without comments and white space.
DIGESTS = {
    ("TextBatch.swift", "deinit"): "19e5ebf7b5cf",
    ("TextBatch.swift", "func removeAll()"): "b97e34c347c7",
    ("TextBatch.swift", "func begin(_ task"): "eab5d2b8b743",
    ("TextBatch.swift", "func start(on"): "cefd89852820",
    ("TextBatch.swift", "func releaseThread()"): "6611a9f5fb4d",
    ("TextBatch.swift", "func perform()"): "41f00431e9aa",
    ("TextBatch.swift", "func wait()"): "f10b934b0099",
    ("BatchPool.swift", "init(_ workers"): "7b3d73d5ecf6",
    ("BatchPool.swift", "deinit"): "1f4cf3c9c9a3",
    ("BatchPool.swift", "func cancel("): "02312fa03d56",
    ("BatchPool.swift", "func makeBatch()"): "c6d352ce2672",
    ("BatchPool.swift", "func recycle("): "4ab574636bce",
    ("BatchPool.swift", "func begin("): "f05e8a070b44",
    ("BatchPool.swift", "var isFull"): "b739a3ac3566",
    ("BatchPool.swift", "func passFirst("): "fced2f72155f",
    ("BatchPool.swift", "final class PendingBatches"): "1585d916b17d",
    ("BatchPool.swift", "final class BatchThreads"): "928721abaca3",
    ("WorkThread.swift", "final class WorkThread"): "61d48fc0a602",
    ("WorkThread.swift", "private final class NextWork"): "a2e14809d7f9",
    ("Completion.swift", "final class Completion"): "d30ead5945d3",
}

# A batch: begun (`isBegun`), ended (the semaphore of `Completion`), thread, user (who uses the text and the elements), decoded, holders
# (the threads whose `performAll` or `perform` refers to the batch), kept (whether the stream refers to the batch).
Batch = namedtuple("Batch", "begun ended thread user decoded holders kept")
# A thread of control: the place in its program, the batch, the thread that `startNext` has taken, the next place after `startNext`, the
# batch that `takeNext` has returned, and the batch of `performAll`.
Control = namedtuple("Control", "place batch taken back following first", defaults=(None,) * 6)
# A worker: its control, and the work that `NextWork` holds. The place is None for a thread that does not exist.
Worker = namedtuple("Worker", "control work isEnded")
State = namedtuple("State", "caller left waiting spare pending running batches idle count users workers")

NEW = Batch(False, 0, None, None, False, frozenset(), True)
NONE = Worker(Control(), None, False)
CALLER = "caller"


class Violation(Exception):
    pass


def claim(condition, text):
    if not condition:
        raise Violation(text)


class Model:
    def __init__(self, rests, texts, batches, threads, limit, capacity, mutation=None):
        # Whether a thread rests until the elements of its batch were passed on, or goes on with the next batch.
        self.rests = rests
        self.texts, self.batch_count, self.threads, self.limit, self.capacity = texts, batches, threads, limit, capacity
        # A fault in the model, to show that the claims find faults.
        self.mutation = mutation

    def start(self):
        workers = (NONE,) * (self.limit + 2)
        return State(Control("choose"), self.texts, (), tuple(range(self.batch_count)), (), 0,
                     (NEW,) * self.batch_count, (), 0, 1, workers)

    # Changes of a state.

    def batch(self, state, index, **values):
        batches = list(state.batches)
        batches[index] = batches[index]._replace(**values)
        return state._replace(batches=tuple(batches))

    def worker(self, state, index, **values):
        workers = list(state.workers)
        workers[index] = workers[index]._replace(**values)
        return state._replace(workers=tuple(workers))

    def control(self, state, who, **values):
        if who == CALLER:
            return state._replace(caller=state.caller._replace(**values))
        return self.worker(state, who, control=state.workers[who].control._replace(**values))

    def use(self, state, index, who):
        claim(state.batches[index].user is None, f"{who} and {state.batches[index].user} use batch {index}")
        return self.batch(state, index, user=who)

    def is_work(self, state, index):
        """Whether `NextWork` refers to a batch, which its thread has not taken yet."""
        return self.mutation != "no reference" and any(worker.work == index for worker in state.workers)

    def end_thread(self, state, index):
        """The object of a thread is released. The thread ends after the work in progress."""
        if state.workers[index].control.place == "take":
            return self.worker(state, index, control=NONE.control, isEnded=False)
        return self.worker(state, index, isEnded=True)

    def give_back(self, state, thread):
        """BatchThreads.giveBack"""
        if state.users > 0:
            claim(thread not in state.idle, f"thread {thread} is given back twice")
            return state._replace(idle=state.idle + (thread,))
        return self.end_thread(state._replace(count=state.count - 1), thread)

    # PendingBatches.startNext, by the stream or a worker.

    def start_next(self, state, who, control):
        if control.place == "startNext":
            place = "takeThread" if state.pending else "startWithout"
            return [self.control(state, who, place=place)]
        if control.place == "takeThread":
            if state.idle:
                return [self.control(state._replace(idle=state.idle[1:]), who, place="startWith", taken=state.idle[0])]
            if state.count >= self.limit:
                return [self.control(state, who, place="startWithout")]
            return [self.control(state._replace(count=state.count + 1), who, place="makeThread")]
        if control.place == "makeThread":
            free = next(index for index, worker in enumerate(state.workers) if worker.control.place is None)
            made = self.worker(state, free, control=Control("take"))
            failed = state._replace(count=state.count - 1)
            return [self.control(made, who, place="startWith", taken=free), self.control(failed, who, place="startWithout")]
        if control.place == "startWithout":
            return [self.control(state._replace(running=state.running - 1), who, place=control.back)]
        if control.place == "startWith":
            if not state.pending:
                return [self.control(state._replace(running=state.running - 1), who, place="giveBack")]
            first = state.pending[0]
            state = state._replace(pending=state.pending[1:])
            if self.mutation == "append twice":
                state = state._replace(pending=state.pending + (first,))
            # TextBatch.start: the batch belongs to this thread of control until the work is handed over.
            state = self.batch(self.use(state, first, who), first, thread=control.taken, user=None)
            worker = state.workers[control.taken]
            claim(worker.work is None and not worker.isEnded, "a thread receives work while it has work")
            state = self.worker(state, control.taken, work=first)
            return [self.control(state, who, place=control.back, taken=None)]
        if control.place == "giveBack":
            return [self.control(self.give_back(state, control.taken), who, place=control.back, taken=None)]
        return None

    # A worker.

    def release(self, state, who, index):
        """Releases the reference of a thread. The last reference gives the thread of the batch back."""
        batch = state.batches[index]
        holders = batch.holders - {who}
        state = self.batch(state, index, holders=holders)
        if batch.kept or holders or self.is_work(state, index) or batch.thread is None:
            return state
        return self.give_back(self.batch(state, index, thread=None), batch.thread)

    def worker_steps(self, state, who):
        worker = state.workers[who]
        control = worker.control
        if control.place is None:
            return []
        started = self.start_next(state, who, control)
        if started is not None:
            return started
        if control.place == "take":
            if worker.work is None:
                return []
            state = self.worker(state, who, work=None)
            state = self.batch(state, worker.work, holders=state.batches[worker.work].holders | {who})
            return [self.control(state, who, place="decode", batch=worker.work, first=worker.work)]
        if control.place == "decode":
            claim(not state.batches[control.batch].decoded, "a text is decoded twice")
            state = self.use(state, control.batch, who)
            return [self.control(self.batch(state, control.batch, decoded=True), who, place="end" if self.rests else "takeNext")]
        if control.place == "takeNext":
            # PendingBatches.takeNext
            if not state.pending:
                return [self.control(state._replace(running=state.running - 1), who, place="end")]
            following = state.pending[0]
            state = state._replace(pending=state.pending[1:])
            state = self.batch(state, following, holders=state.batches[following].holders | {who})
            return [self.control(state, who, place="moveThread", following=following)]
        if control.place == "moveThread":
            # Both batches belong to this thread.
            claim(state.batches[control.batch].user == who, "a thread is moved from a batch in use")
            state = self.use(state, control.following, who)
            state = self.batch(state, control.following, user=None, thread=state.batches[control.batch].thread)
            if self.mutation != "keep thread":
                state = self.batch(state, control.batch, thread=None)
            return [self.control(state, who, place="end")]
        if control.place == "end":
            batch = state.batches[control.batch]
            state = self.batch(state, control.batch, user=None, ended=batch.ended + 1)
            if self.rests:
                return [self.control(state, who, place="startNext", back="release")]
            return [self.control(state, who, place="continue")]
        if control.place == "continue":
            # The reference of `performAll` to the first batch remains.
            if control.batch != control.first:
                state = self.release(state, who, control.batch)
            if control.following is None:
                return [self.control(state, who, place="release")]
            return [self.control(state, who, place="decode", batch=control.following, following=None)]
        if control.place == "release":
            state = self.release(state, who, control.first)
            if state.workers[who].isEnded:
                claim(state.workers[who].work is None, "a thread ends with work")
                return [self.worker(state, who, control=NONE.control, isEnded=False)]
            return [self.control(state, who, place="take", batch=None, first=None, back=None)]
        raise AssertionError(control.place)

    # The stream.

    def caller_steps(self, state):
        control = state.caller
        started = self.start_next(state, CALLER, control)
        if started is not None:
            return started
        if control.place == "choose":
            steps = []
            if state.left > 0 and len(state.waiting) <= self.capacity and state.spare:
                batch = state.spare[-1]
                next_state = state._replace(spare=state.spare[:-1], waiting=state.waiting + (batch,), left=state.left - 1)
                # `removeAll`, and the text.
                next_state = self.batch(self.use(next_state, batch, CALLER), batch, user=None, begun=False, decoded=False)
                steps.append(next_state)
                begun = self.batch(next_state, batch, begun=True)
                claim(state.batches[batch].ended == 0, "a wait is left")
                steps.append(self.control(begun, CALLER, place="append", batch=batch))
            if state.waiting:
                steps.append(self.control(state, CALLER, place="remove", batch=state.waiting[0]))
            # The stream ends, or is cancelled at any time.
            steps.append(self.control(state, CALLER, place="removeAll"))
            return steps
        if control.place == "append":
            state = state._replace(pending=state.pending + (control.batch,))
            if state.running < self.threads:
                state = state._replace(running=state.running + 1)
                return [self.control(state, CALLER, place="startNext", back="choose")]
            return [self.control(state, CALLER, place="choose")]
        if control.place == "remove":
            if control.batch in state.pending:
                state = state._replace(pending=tuple(batch for batch in state.pending if batch != control.batch))
                state = self.batch(state, control.batch, begun=False)
            elif self.mutation == "no wait":
                return [self.control(state, CALLER, place="pass")]
            return [self.control(state, CALLER, place="wait" if state.batches[control.batch].begun else "pass")]
        if control.place == "wait":
            ended = state.batches[control.batch].ended
            if ended == 0:
                return []
            return [self.control(self.batch(state, control.batch, ended=ended - 1), CALLER, place="pass")]
        if control.place == "pass":
            batch = state.batches[control.batch]
            state = self.use(state, control.batch, CALLER)
            claim(batch.decoded == batch.begun, "a text is decoded by its thread, or by the stream")
            return [self.control(state, CALLER, place="recycle")]
        if control.place == "recycle":
            thread = state.batches[control.batch].thread
            state = self.batch(state, control.batch, user=None, thread=None)
            if thread is not None:
                state = self.give_back(state, thread)
            state = state._replace(waiting=state.waiting[1:], spare=state.spare + (control.batch,))
            return [self.control(state, CALLER, place="choose", batch=None)]
        if control.place == "removeAll":
            for batch in state.pending:
                state = self.batch(state, batch, begun=False)
            state = state._replace(pending=())
            # A caller that does not wait leaves the batches of the threads to them.
            return [self.control(state, CALLER, place="waitForAll", batch=None), self.control(state, CALLER, place="leave", batch=0)]
        if control.place == "waitForAll":
            begun = [batch for batch in state.waiting if state.batches[batch].begun]
            if not begun:
                return [self.control(state, CALLER, place="drop", batch=0)]
            first = begun[0]
            if state.batches[first].ended == 0:
                return []
            state = self.batch(state, first, ended=0, begun=False)
            return [state]
        if control.place in ("drop", "leave"):
            # The references of the pool, one batch after another. A batch that a thread has not taken yet is also the work of that thread.
            batch = state.batches[control.batch]
            if control.place == "drop":
                state = self.batch(self.use(state, control.batch, CALLER), control.batch, user=None)
            state = self.batch(state, control.batch, kept=False)
            if not batch.holders and not self.is_work(state, control.batch) and batch.thread is not None:
                state = self.give_back(self.batch(state, control.batch, thread=None), batch.thread)
            if control.batch + 1 < self.batch_count:
                return [self.control(state, CALLER, batch=control.batch + 1)]
            return [self.control(state, CALLER, place="removeUser")]
        if control.place == "removeUser":
            idle = state.idle
            state = state._replace(users=0, idle=(), count=state.count - len(idle))
            for thread in idle:
                state = self.end_thread(state, thread)
            return [self.control(state, CALLER, place="done")]
        if control.place == "done":
            return []
        raise AssertionError(control.place)

    def steps(self, state):
        steps = list(self.caller_steps(state))
        for who in range(len(state.workers)):
            steps += self.worker_steps(state, who)
        return steps

    def check(self, state):
        claim(0 <= state.running <= self.threads, f"{state.running} batches are decoded at the same time")
        claim(0 <= state.count <= self.limit, f"{state.count} threads exist")
        # The thread of the last batch no longer counts as running while it ends the batch.
        busy = ("decode", "end") if self.rests else ("decode", "takeNext", "moveThread")
        busy = sum(worker.control.place in busy for worker in state.workers)
        claim(busy <= self.threads, f"{busy} threads decode")
        claim(len(set(state.pending)) == len(state.pending), "a batch is pending twice")

    def check_end(self, state):
        claim(state.caller.place == "done", f"the stream waits without an end, at {state.caller.place}")
        claim(state.running == 0, f"{state.running} threads count as running at the end")
        claim(state.count == 0 and not state.idle, f"{state.count} threads are left")
        claim(all(worker == NONE for worker in state.workers), "a thread has not ended")

    def explore(self):
        """Examines all states. Returns their number."""
        start = self.start()
        seen, pending = {start}, [start]
        while pending:
            state = pending.pop()
            try:
                self.check(state)
                steps = self.steps(state)
                if not steps:
                    self.check_end(state)
            except Violation as violation:
                raise Violation(f"{violation}\n{state}") from None
            for step in steps:
                if step not in seen:
                    seen.add(step)
                    pending.append(step)
        return len(seen)


def source_of(name, declaration):
    """Returns the lines of a declaration in a source, without comments and white space."""
    lines, depth, found = open(FOLDER + name).read().split("\n"), 0, []
    start = next((index for index, line in enumerate(lines) if line.strip().startswith(declaration)), None)
    if start is None:
        return ""
    for line in lines[start:]:
        line = line.split("//")[0]
        depth += line.count("{") - line.count("}")
        found.append("".join(line.split()))
        if depth == 0 and "{" in "".join(found):
            break
    return "\n".join(line for line in found if line)


def check_sources():
    """Returns whether the functions are those that the model repeats."""
    holds = True
    for (name, declaration), digest in DIGESTS.items():
        now = hashlib.sha256(source_of(name, declaration).encode()).hexdigest()[:12]
        if now != digest:
            holds = False
            print(f"{FOLDER}{name}: `{declaration}` has changed. Read the model against the change, and then renew the digest: {now}")
    return holds


def main():
    if not check_sources():
        sys.exit(1)
    # Texts, batches, threads that decode at the same time, threads of the process, and batches that may wait.
    for rests in (True, False):
        print("A thread rests after a batch:" if rests else "A thread goes on with the next batch:")
        for case in [(3, 3, 1, 1, 2), (3, 3, 1, 2, 2), (3, 3, 2, 1, 2), (3, 3, 2, 3, 2), (4, 3, 2, 2, 2), (4, 4, 2, 3, 3)]:
            try:
                count = Model(rests, *case).explore()
            except Violation as violation:
                print(f"{case}: {violation}")
                sys.exit(1)
            print("%d texts in %d batches, %d threads at the same time of %d, up to %d waiting: %d states" % (*case[:4], case[4] + 1, count),
                  flush=True)
        # The claims find these faults.
        for mutation in ("no wait", "append twice", "no reference") if rests else ("no wait", "keep thread", "no reference"):
            try:
                Model(rests, 3, 3, 2, 3, 2, mutation).explore()
            except Violation as violation:
                print(f"found with the fault '{mutation}': {str(violation).splitlines()[0]}")
            else:
                print(f"The claims do not find the fault '{mutation}'.")
                sys.exit(1)


main()
