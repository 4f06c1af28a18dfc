"""How the tests of a module are run: each function whose name begins with test_, with a seed for what is random."""

import sys


def run(module, seed, repetitions=1):
    """Runs each test once, and random histories as often as told, each with a seed of its own."""
    title = module.__file__.rpartition("/")[2]
    print(f"{title}: --seed {seed}")
    tests = {name: test for name, test in vars(module).items() if name.startswith("test_")}
    for name, test in tests.items():
        for number in range(repetitions if "random" in name else 1):
            try:
                result = test(seed + number)
            except Exception:
                print(f"{title}: {name} failed, with --seed {seed + number}", file=sys.stderr)
                raise
            if result:
                print(f"{title}: {name[5:].replace('_', ' ')}: {result}")
    assert len(tests) > 30, f"{title} has {len(tests)} tests"
    print(f"{title}: {len(tests)} tests passed")
