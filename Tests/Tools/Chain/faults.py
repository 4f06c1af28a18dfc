"""How the test node lies and fails, as its tests choose."""

import dataclasses
import threading

# What each kind does to the calls that it is for.
KINDS = {
    "status": "answers with an HTTP status, 429 unless `value` is another",
    "garbage": "answers with bytes that are no JSON",
    "truncated": "ends the connection in the middle of the answer",
    "close": "ends the connection without an answer, and does nothing",
    "lost": "does what it is asked, and ends the connection without an answer",
    "hang": "never answers, until the fault is cleared",
    "null": "answers null",
    "result": "answers with `value`",
    "error": "answers with the JSON-RPC error `value`",
    "other id": "answers to another request",
    "swallow": "says that it has a transaction, and has not",
}


@dataclasses.dataclass
class Fault:
    kind: str
    methods: list | None = None
    times: int | None = None
    value: object = None
    cleared: threading.Event = dataclasses.field(default_factory=threading.Event)

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"no fault of kind {self.kind!r}: there are {', '.join(KINDS)}")


class Faults:
    """The faults that are set. The first one that is for a call is done."""

    def __init__(self):
        self.lock = threading.Lock()
        self.faults = []

    def add(self, **fault):
        with self.lock:
            self.faults.append(Fault(**fault))

    def clear(self):
        with self.lock:
            for fault in self.faults:
                fault.cleared.set()
            self.faults.clear()

    def take(self, method):
        """The fault for a call, which counts as done once."""
        with self.lock:
            for fault in self.faults:
                if fault.methods is None or method in fault.methods:
                    if fault.times is not None:
                        fault.times -= 1
                        if fault.times == 0:
                            self.faults.remove(fault)
                    return fault
        return None

    def __iter__(self):
        with self.lock:
            return iter([
                {"kind": each.kind, "methods": each.methods, "times": each.times, "value": each.value}
                for each in self.faults
            ])  # fmt: skip
