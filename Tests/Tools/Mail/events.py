"""Waiting for what another thread does: a line of a log, a command of SMTP, a message."""

import threading

_changed = threading.Condition()


def happened():
    """Says that something has changed."""
    with _changed:
        _changed.notify_all()


def until(condition, what, seconds=120):
    """Waits for something to become true, and returns it. Nothing takes so long; this keeps a defect from hanging."""
    with _changed:
        value = _changed.wait_for(condition, seconds)
    check(value, f"in vain: {what}")
    return value


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def equal(found, expected):
    check(found == expected, f"{found!r} is not {expected!r}")
