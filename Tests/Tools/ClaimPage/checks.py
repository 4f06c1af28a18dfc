"""How the tests of keys.js compare what it gives with what they expect."""

import json


def check(condition, text):
    if not condition:
        raise SystemExit(f"Tests/Tools/ClaimPage/keys.py: {text}")


def compare(page, operation, cases, expected, what):
    """Expects what an operation gives for each case."""
    cases, expected = list(cases), list(expected)
    given = page.run(operation, cases)
    check(len(given) == len(expected) == len(cases) > 0, f"{what}: {len(given)} answers for {len(cases)} cases")
    for case, answer, wanted in zip(cases, given, expected):
        check(answer == wanted, f"{what}: {operation} of {json.dumps(case)[:400]} gives {answer}, not {wanted}")
    print(f"keys: {what}: {len(cases)}")
