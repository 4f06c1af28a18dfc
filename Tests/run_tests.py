"""run_tests.py NAME [--second-look] [--report FILE] [--filter PATTERN…] [--skip PATTERN…] [OPTION…]: runs the tests that
`swift test` takes these patterns and options for, on what is built, and says at the end which of them failed.

With --second-look each test that failed runs once more, alone, after the others: real processes on a busy machine fail
now and then by chance, a defect fails each time. Passes it then, the run goes on, and the test is called UNSTEADY: in the
last lines, and in FILE. Where the process that ran the tests died there is no second look.

Exits with 1 where a test failed for good, and where none ran.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from processes import end, remove_clocks

# In seconds: where no test has begun or ended for so long, those that run count as hanging.
HANG = 1800 if os.environ.get("BUMP_TEST_ALL") == "1" else 600


class Run:
    """One run of `swift test`: which tests failed, and what each said first."""

    def __init__(self, arguments):
        with tempfile.NamedTemporaryFile(prefix="bump-events-") as events:
            stream = ["--event-stream-output-path", events.name, "--event-stream-version", "0"]
            process = subprocess.Popen(["swift", "test", "--skip-build", *arguments, *stream])
            try:
                self.status = self.wait(process, events.name)
            except BaseException:
                end(process)
                # Ctrl-C reaches the process with the tests too, which then may be no child of `swift test` any more.
                remove_clocks(patience=3)
                raise
            remove_clocks()
            self.read(events)

    @staticmethod
    def wait(process, events):
        """Its exit status; 1 where its tests hang."""
        size, changed = None, time.monotonic()
        while True:
            try:
                return process.wait(10)
            except subprocess.TimeoutExpired:
                before, size = size, os.stat(events).st_size
                if size != before:
                    changed = time.monotonic()
                elif time.monotonic() - changed > HANG:
                    end(process)
                    return 1

    def read(self, events):
        # The last line may be cut in the middle, where the process died.
        self.names, self.issues, self.running, self.done, self.ended, self.lacks = {}, {}, set(), set(), False, []
        self.skips = False
        for line in events:
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue
            payload = record["payload"]
            if record["kind"] == "test":
                self.names[payload["id"]] = payload.get("displayName", payload["name"])
                continue
            kind, test = payload["kind"], payload.get("testID")
            if kind == "runEnded":
                self.ended = True
            elif kind == "testStarted":
                self.running.add(test)
            elif kind == "testEnded":
                self.running.discard(test)
                self.done.add(test)
            elif kind == "testSkipped":
                self.skips = True
                text = " ".join(message["text"] for message in payload["messages"])
                if "this machine lacks" in text:
                    self.lacks.append(text)
            elif kind == "issueRecorded" and not payload["issue"].get("isKnown"):
                text = " ".join(message["text"] for message in payload["messages"])
                self.issues.setdefault(test, []).append(text)

    def name(self, test):
        suite = test.split("/")[0] if test else "a test without a name"
        return f"{suite}: {self.names.get(test, test)}"

    def print_failures(self):
        for test, issues in list(self.issues.items())[:20]:
            print(f"✘ {self.name(test)}")
            for issue in issues[:3]:
                print("    " + issue[:1500].replace("\n", "\n    "))
        if len(self.issues) > 20:
            print(f"✘ and {len(self.issues) - 20} more tests")
        if not self.ended:
            print("✘ The process that ran the tests died, or had to be ended. These were running:")
            for test in sorted(self.running)[:15]:
                print(f"    {self.name(test)}")


def leave(number, _):
    """Exits as a shell says of a signal. One that follows is ignored: the tests are being ended."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--second-look", action="store_true")
    parser.add_argument("--report")
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--skip", action="append", default=[])
    options, others = parser.parse_known_args()
    # Ends the tests with it.
    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGINT, leave)

    selection = [word for pattern in options.filter for word in ("--filter", pattern)]
    selection += [word for pattern in options.skip for word in ("--skip", pattern)]

    run = Run([*others, *selection])
    for text in run.lacks:
        print(f"NOT RUN {text}")
    # Without root all live tests are skipped.
    if run.status == 0 and (run.done or run.skips):
        return 0
    if run.status == 0:
        print(f"None of the {options.name} tests ran: the patterns name no test")
        return 1
    print(f"\nThe {options.name} tests failed:")
    run.print_failures()
    if not (options.second_look and run.ended and run.issues and None not in run.issues):
        return 1

    failed = False
    for test, issues in run.issues.items():
        print(f"\nA second look at {run.name(test)}", flush=True)
        again = Run([*others, "--filter", f"^{re.escape(test.rpartition('/')[0])}/"])
        # A filter that found no test would pass, too.
        if again.status or test not in again.done:
            print(f"✘ It failed again: {run.name(test)}")
            again.print_failures()
            failed = True
            continue
        line = f"UNSTEADY {run.name(test)}: {' '.join(issues[0].split())[:500]}"
        print(line)
        if options.report:
            with open(options.report, "a") as report:
                report.write(line + "\n")
    return 1 if failed else 0


sys.exit(main())
