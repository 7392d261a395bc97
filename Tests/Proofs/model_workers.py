"""Examines every interleaving of a stream and its worker threads, in a model of `Sources/SluiceStreams/Workers`.

Usage: model_workers.py. Prints the number of states of each case. Exits with 1 after the first state that violates a claim.

A step of the model is a critical section, a wait, or the use of a batch. The names are those of the sources: `BatchPool`, `PendingBatches`,
`BatchThreads`, `TextBatch`, `WorkThread` and `Completion`. The threads belong to one stream, which other streams leave some threads.
"""

import sys
from collections import namedtuple

# A batch: begun (`isBegun`), ended (the semaphore of `Completion`), thread, user (who uses the text and the elements), decoded, holder
# (the thread whose `perform` refers to the batch), kept (whether the stream refers to the batch).
Batch = namedtuple("Batch", "begun ended thread user decoded holder kept")
# A thread of control: the place in its program, the batch, the thread that `startNext` has taken, and the next place after `startNext`.
Control = namedtuple("Control", "place batch taken back")
# A worker: its control, and the work that `NextWork` holds. The place is None for a thread that does not exist.
Worker = namedtuple("Worker", "control work isEnded")
State = namedtuple("State", "caller left waiting spare pending running batches idle count users workers")

NEW = Batch(False, 0, None, None, False, None, True)
NONE = Worker(Control(None, None, None, None), None, False)
CALLER = "caller"


class Violation(Exception):
    pass


def claim(condition, text):
    if not condition:
        raise Violation(text)


class Model:
    def __init__(self, texts, batches, threads, limit, capacity, mutation=None):
        self.texts, self.batch_count, self.threads, self.limit, self.capacity = texts, batches, threads, limit, capacity
        # A fault in the model, to show that the claims find faults.
        self.mutation = mutation

    def start(self):
        workers = (NONE,) * (self.limit + 2)
        return State(Control("choose", None, None, None), self.texts, (), tuple(range(self.batch_count)), (), 0,
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
            made = self.worker(state, free, control=Control("take", None, None, None))
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
            state = self.batch(state, worker.work, holder=who)
            return [self.control(state, who, place="decode", batch=worker.work)]
        if control.place == "decode":
            claim(not state.batches[control.batch].decoded, "a text is decoded twice")
            state = self.use(state, control.batch, who)
            return [self.control(self.batch(state, control.batch, decoded=True), who, place="end")]
        if control.place == "end":
            batch = state.batches[control.batch]
            state = self.batch(state, control.batch, user=None, ended=batch.ended + 1)
            return [self.control(state, who, place="startNext", back="release")]
        if control.place == "release":
            # The reference of `perform`. The last reference gives the thread of the batch back.
            batch = state.batches[control.batch]
            state = self.batch(state, control.batch, holder=None if batch.holder == who else batch.holder)
            thread = None if batch.kept else batch.thread
            if thread is not None:
                state = self.give_back(self.batch(state, control.batch, thread=None), thread)
            if state.workers[who].isEnded:
                claim(state.workers[who].work is None, "a thread ends with work")
                return [self.worker(state, who, control=NONE.control, isEnded=False)]
            return [self.control(state, who, place="take", batch=None)]
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
            return [self.control(state._replace(pending=()), CALLER, place="waitForAll", batch=None)]
        if control.place == "waitForAll":
            begun = [batch for batch in state.waiting if state.batches[batch].begun]
            if not begun:
                return [self.control(state, CALLER, place="drop", batch=0)]
            first = begun[0]
            if state.batches[first].ended == 0:
                return []
            state = self.batch(state, first, ended=0, begun=False)
            return [state]
        if control.place == "drop":
            # The references of the pool, one batch after another.
            batch = state.batches[control.batch]
            state = self.batch(self.use(state, control.batch, CALLER), control.batch, user=None, kept=False)
            if batch.holder is None and batch.thread is not None:
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
        busy = sum(worker.control.place in ("decode", "end") for worker in state.workers)
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


def main():
    # Texts, batches, threads that decode at the same time, threads of the process, and batches that may wait.
    for case in [(3, 3, 1, 1, 2), (3, 3, 1, 2, 2), (3, 3, 2, 1, 2), (3, 3, 2, 3, 2), (4, 3, 2, 2, 2), (4, 4, 2, 3, 3)]:
        try:
            count = Model(*case).explore()
        except Violation as violation:
            print(f"{case}: {violation}")
            sys.exit(1)
        print("%d texts in %d batches, %d threads at the same time of %d, up to %d waiting: %d states" % (*case[:4], case[4] + 1, count))
    # The claims find these faults.
    for mutation in ("no wait", "append twice"):
        try:
            Model(3, 3, 2, 3, 2, mutation).explore()
        except Violation as violation:
            print(f"found with the fault '{mutation}': {str(violation).splitlines()[0]}")
        else:
            print(f"The claims do not find the fault '{mutation}'.")
            sys.exit(1)


main()
