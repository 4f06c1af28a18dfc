"""mutate.py MINUTES WEEK [NAME…]: makes mutations in this checkout, and expects each to fail the tests that it names.
mutate.py --check: says which mutations no longer apply, and writes nothing.

The first is to be run by run.sh, in a copy. A mutation is a file NAME.mutation, its name a sentence about the broken program:

    breaks: what is no longer true
    measure: first, where `Tests/run.sh` notices it; all, where only `Tests/run.sh --all` does
    test: what `swift test --filter` takes; further lines of this kind are run one after the other until one fails
    file: the source, from the root of the package
    <<<<
    a piece of it
    ====
    what takes its place
    >>>>

There may be several pieces, and several files. A piece must stand in the file exactly once; how it is broken into lines
and indented does not matter, so that a mutation outlives the formatter. Where a source was moved, its mutations are not
made: each is an error that says where its piece stands now.
"""

import hashlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(HERE.parents[1]))
from processes import end, remove_clocks

# A mutation may make a test wait for ever.
LIMIT = 300
# What Tests/packages.sh makes of BUMP_TRAITS. Without the trait of the vault's server its tests are not there.
TRAITS = ["--traits", os.environ["BUMP_TRAITS"]] if os.environ.get("BUMP_TRAITS") else []
# So many are made in 20 minutes on a slow machine, where each takes a minute and a half.
WEEKLY = 12


class Problem(Exception):
    """A mutation that cannot be judged."""


class Change(NamedTuple):
    file: pathlib.Path
    old: str
    new: str

    def places(self, source):
        """Where its piece stands. Runs of white space are all the same to it."""
        pattern = r"\s+".join(re.escape(word) for word in self.old.split())
        return [match.span() for match in re.finditer(pattern, source)]

    def made(self, source):
        """The source with it."""
        places = self.places(source)
        piece = " ".join(self.old.split())
        if not places:
            raise Problem(f"{self.file} does not have this: {piece}\n{self.remedy()}")
        if len(places) > 1:
            raise Problem(f"{self.file} has this {len(places)} times: {piece}\nAdd what stands around the one that is meant.")
        start, end = places[0]
        return source[:start] + self.new.strip() + source[end:]

    def remedy(self):
        """What to do where its file does not have its piece, or is not there."""
        files = sorted(path for path in pathlib.Path("Sources").rglob("*") if path.suffix in (".swift", ".c", ".h"))
        having = [str(path) for path in files if self.places(path.read_text())]
        if len(having) == 1:
            return f"{having[0]} has it. Name that file in the mutation."
        return "Give the mutation what the check says now, or delete it if the check is gone."


class Mutation:
    def __init__(self, path):
        self.path, self.name = path.relative_to(ROOT), path.stem
        text = path.read_text()
        head = re.sub(r"(?ms)^<<<<$.*?^>>>>$", "", text)
        fields = {key: re.findall(rf"^{key}: (.+)$", head, re.M) for key in ("breaks", "measure", "test")}
        self.breaks, self.tests = " ".join(fields["breaks"]), fields["test"]
        self.measure = " ".join(fields["measure"])
        self.environment = {"BUMP_TEST_ALL": "1" if self.measure == "all" else "0"}
        self.changes, file = [], None
        for match in re.finditer(r"(?ms)^file: (\S+)$|^<<<<\n(.*?)^====\n(.*?)^>>>>$", text):
            if match[1]:
                file = pathlib.Path(match[1])
            else:
                self.changes.append(Change(file, match[2], match[3]))
        has_files = self.changes and all(change.file for change in self.changes)
        if not (self.breaks and self.measure in ("first", "all") and self.tests and has_files):
            raise SystemExit(f"{path}: not of the form that mutate.py describes")

    def sources(self):
        """What the files are with it."""
        sources = {}
        for change in self.changes:
            if not change.file.exists():
                raise Problem(f"there is no {change.file}\n{change.remedy()}")
            sources[change.file] = change.made(sources.get(change.file) or change.file.read_text())
        return sources

    def apply(self):
        """Returns what the files were."""
        sources = self.sources()
        before = {file: file.read_text() for file in sources}
        write(sources)
        return before


def write(sources):
    for file, source in sources.items():
        file.write_text(source)


def run(*command, environment=None, limit=LIMIT):
    """Its exit status, where it ended in time, and what it said."""
    process = subprocess.Popen(
        command, env=os.environ | (environment or {}), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", start_new_session=True)
    try:
        return process.communicate(timeout=limit)[0], process.returncode
    except subprocess.TimeoutExpired:
        end(process)
        return process.communicate()[0], None
    except BaseException:
        end(process)
        raise
    finally:
        remove_clocks()


def build():
    # Building takes as long as it takes.
    done = subprocess.run(["swift", "build", *TRAITS, "--build-tests"], capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in (done.stdout + done.stderr).splitlines() if "error:" in line]
        raise Problem("does not build: " + "; ".join(errors[:3]))


def failed(mutation, test, limit=LIMIT):
    """The names of the tests that failed, or why there are none."""
    said, status = run(
        "swift", "test", *TRAITS, "--skip-build", "--filter", test, environment=mutation.environment, limit=limit)
    count = re.search(r"Test run with (\d+) tests?", said)
    if count and int(count[1]) == 0:
        raise Problem(f"names no test: {test}")
    names = re.findall(r'^✘ Test (?:"(.+?)"|(\S+\(.*?\))) (?:with \d+ test cases )?failed', said, re.M)
    if status is None:
        return ["a test that hangs"]
    if status == 0:
        return []
    if not names and not count:
        # It ended amid the tests: a crash is noticed too.
        return ["the process that runs the tests, which ended"]
    return [name or other for name, other in names] or ["a test"]


def judge(mutation):
    before = mutation.apply()
    try:
        build()
        for test in mutation.tests:
            names = failed(mutation, test)
            if names:
                return names
        return []
    finally:
        write(before)


def chosen(names, week):
    """Those named; else all of them, in an order that a new one does not change, each week from WEEKLY further on. So each
    has its turn after a number of weeks, whatever there is time for in one."""
    mutations = {path.stem: path for path in sorted(HERE.glob("*.mutation"))}
    for name in names:
        if name not in mutations:
            raise SystemExit(f"there is no mutation {name}")
    if not names:
        order = sorted(mutations, key=lambda name: hashlib.sha256(name.encode()).digest())
        start = week * WEEKLY % len(order)
        names = order[start:] + order[:start]
    return [Mutation(mutations[name]) for name in names]


def check_applying(mutations):
    """Those that apply; it takes a moment, so all are tried, whatever there is time for."""
    good, bad = [], []
    for mutation in mutations:
        try:
            mutation.sources()
            good.append(mutation)
        except Problem as problem:
            print(f"ERROR     {mutation.path} does not apply: {problem}")
            bad.append(mutation.name)
    return good, bad


def check_passing(mutations):
    """Those whose tests pass on whole code: what fails there too notices nothing."""
    good, bad, results = [], [], {}
    # All at once, each once; one by one only where some fail.
    for measure in {mutation.measure for mutation in mutations}:
        mine = [mutation for mutation in mutations if mutation.measure == measure]
        tests = sorted({test for mutation in mine for test in mutation.tests})
        try:
            if not failed(mine[0], "|".join(tests), limit=LIMIT + 60 * len(tests)):
                results |= {(test, measure): [] for test in tests}
        except Problem:
            pass
    for mutation in mutations:
        for test in mutation.tests:
            key = (test, mutation.measure)
            try:
                if key not in results:
                    results[key] = failed(mutation, test)
                if results[key]:
                    raise Problem(f"its tests fail on whole code: {test}: {', '.join(results[key])}")
            except Problem as problem:
                print(f"ERROR     {mutation.name}: {problem}")
                bad.append(mutation.name)
                break
        else:
            good.append(mutation)
    return good, bad


def main():
    # Ends the tests with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # Sources are named from there.
    os.chdir(ROOT)
    if sys.argv[1:] == ["--check"]:
        sys.exit(1 if check_applying(chosen([], 0))[1] else 0)
    minutes, week, names = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    mutations, wrong = check_applying(chosen(names, week))
    build()
    mutations, failing = check_passing(mutations)
    wrong += failing
    begin, noticed = time.monotonic(), 0
    for number, mutation in enumerate(mutations):
        if minutes and time.monotonic() - begin > minutes * 60:
            print(f"{len(mutations) - number} are left for another time")
            break
        started = time.monotonic()
        try:
            names = judge(mutation)
        except Problem as problem:
            names = None
            print(f"ERROR     {mutation.name}: {problem}")
        spent = f"{time.monotonic() - started:.0f} s"
        if names:
            noticed += 1
            print(f"noticed   {mutation.name}: {names[0]} ({spent})")
        elif names is not None:
            print(f"SURVIVED  {mutation.name}: {mutation.breaks} ({spent})")
        if not names:
            wrong.append(mutation.name)
    print(f"{noticed} noticed, {len(wrong)} not")
    sys.exit(1 if wrong else 0)


main()
