"""keys.py [--all] [--binary FILE] [--wycheproof FILE] [--seed NUMBER]: tests keys.js of the claim page in a headless
Chromium. keys.sh runs it, with what it needs.

Without --all it takes some seconds. Each test says what it has compared.
"""

import argparse
import pathlib
import random
import secrets

import chromium
import keys_faults
import keys_random_tests
import keys_tests
import seal_tests


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--binary", type=pathlib.Path)
    parser.add_argument("--wycheproof", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    options = parser.parse_args()
    with chromium.page() as page:
        page.open()
        for name, test in (vars(keys_tests) | vars(seal_tests)).items():
            if name.startswith("test_"):
                test(page)
        if options.all:
            print(f"keys: --seed {options.seed}")
            keys_faults.test_planted_faults(page)
            source = random.Random(options.seed)
            keys_random_tests.test_random_claims(page, source)
            keys_random_tests.test_random_keys(page, source)
            keys_random_tests.test_random_signatures(page, source)
            keys_random_tests.test_random_messages(page, source)
            keys_random_tests.test_random_amounts(page, source)
            keys_random_tests.test_random_addresses(page, source)
            if options.wycheproof:
                keys_random_tests.test_cases_of_wycheproof(page, options.wycheproof)
            else:
                print("keys: NOT RUN without --wycheproof: its cases")
            print(f"keys: a proof takes {page.run('milliseconds', [None])[0]:.1f} ms")
        if options.binary:
            keys_random_tests.test_links_by_the_program(page, random.Random(options.seed), options.binary)
        elif options.all:
            print("keys: NOT RUN without --binary: links as bump reads them")
    print("keys: passed")


if __name__ == "__main__":
    main()
