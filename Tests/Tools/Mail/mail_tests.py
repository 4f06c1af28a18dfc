#!/usr/bin/env python3
"""mail_tests.py --vault FILE [--only WORD]: a vault that signs people in by codes, through a real server of mail on
loopback. One line a scene, and a summary; the exit status is 1 if a scene fails."""

import argparse
import importlib
import logging
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

from stage import SCENES, Stage

# Their scenes, in this order.
for kind in ("encryption", "silence", "addresses", "ends"):
    importlib.import_module(kind)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vault", required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    # aiosmtpd tells of what the scenes do to it.
    logging.getLogger("mail").setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module="aiosmtpd")
    chosen = [(name, body) for name, body in SCENES if options.only in name]
    failed = 0
    for name, body in chosen:
        with tempfile.TemporaryDirectory() as folder:
            try:
                note = body(Stage(options.vault, Path(folder)))
                print(f"mail: {name}{f': {note}' if note else ''}", flush=True)
            except Exception:
                failed += 1
                print(f"mail: FAILED {name}\n{traceback.format_exc()}", flush=True)
    print(f"mail: {len(chosen) - failed} of {len(chosen)} scenes are as they should be")
    return 1 if failed or not chosen else 0


sys.exit(main())
