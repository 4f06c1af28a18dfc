#!/usr/bin/env bash
# Tests/Tools/Threads/run.sh [TARGET…]: runs test targets under ThreadSanitizer, those of the sessions of several peers where
# none is named. They are built apart from all others, with what they need alone, and with CMutex: without that the sanitizer
# would not know of a Mutex that a thread waited for, and would report what it guards. Before them run two races that it must
# report, one of them beside a Mutex, and a number guarded by a Mutex, which it must not report.
#
# Ends with status 1 where a race is reported or a test fails, and shows the reports; with 2 where it could not run, or where
# the three controls did not end as they must. Needs what Tests/run.sh installs, and Swift.
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit 2
exec </dev/null

fail() {
  echo "Tests/Tools/Threads/run.sh: $1" >&2
  exit 2
}

targets=("$@")
((${#targets[@]})) || targets=(MultipeerConnectivityTests BumpSimulatorTests NearbyPlayersTests)
BUMP_TEST_TARGETS="$(IFS=,; echo "${targets[*]}")"
export BUMP_TEST_TARGETS
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4
# All races of a run are reported, not the first one alone.
export TSAN_OPTIONS="halt_on_error=0 exitcode=66"
options=(--sanitize=thread --scratch-path .build/threads --test-product bumpPackageTests)
report='WARNING: ThreadSanitizer'

swift build "${options[@]:0:3}" --product bumpPackageTests || fail "the build failed"
log="$(mktemp)" || fail "no temporary file"
trap 'rm -f "$log"' EXIT

# control SUITE: runs a suite of controls, and is true where a race is reported.
control() {
  swift test "${options[@]}" --skip-build --filter "RaceTests.$1/" >"$log" 2>&1
  grep -q 'Test run with 1 test' "$log" || { cat "$log"; fail "the control $1 did not run"; }
  grep -q "$report" "$log"
}

control UnguardedTests || { cat "$log"; fail "the race without a lock was not reported"; }
control BesideALockTests || { cat "$log"; fail "the race beside a Mutex was not reported"; }
! control LockTests || { cat "$log"; fail "what a Mutex guards was reported: CMutex does not fit this version of Swift"; }
echo "Both races that are there on purpose were reported, and what a Mutex guards was not."

status=0
swift test "${options[@]}" --skip-build --skip RaceTests 2>&1 | tee "$log" || status=1
count="$(grep -c "$report" "$log")"
echo "${targets[*]}: $count reports"
((count == 0 && status == 0))
