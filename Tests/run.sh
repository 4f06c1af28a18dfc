#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests and examples. Further arguments go to `swift test`.
#
# The live tests run on hosts of their own, made of Linux namespaces, and for that they must be root.
# Without root they are skipped, and say so; where CI=true they fail instead.
#
# Where a test fails, the last lines name it with its issues, and the summary of the run stands below them.
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

source Tests/packages.sh
need_swift Tests/run.sh
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# What fails without a word of its own is named.
trap 'echo "Tests/run.sh: line $LINENO failed: $BASH_COMMAND" >&2' ERR

# run_tests ARGUMENT…: runs `swift test`. Its log is long, and often only the end of a log is kept: so what failed is
# printed once more at its end.
run_tests() {
  local status=0
  swift test --skip-build "$@" 2>&1 | tee "$work/log" || status=$?
  ((status == 0)) && return
  echo
  echo "Tests/run.sh: swift test $* failed:"
  awk -f Tests/failures.awk "$work/log"
  exit "$status"
}

install_missing "${build_packages[@]}" "${test_packages[@]}"
swift build --build-tests
# First what takes seconds: the manual page says what the help says, and the reference of the libraries has no warning.
Examples/manual.sh --check
Examples/documentation.sh
unpack_resolved "$work/resolved"
export BUMP_TEST_RESOLVED="$work/resolved"
if (($#)); then
  run_tests "$@"
else
  # Tests of one run share few threads, and those that compute a minute long would keep the others from seeing in time what
  # real processes do.
  run_tests --skip 'LoopbackTests|TwoHostTests|HostileTests'
  run_tests --filter 'LoopbackTests|TwoHostTests|HostileTests'
fi
# Hosts as most are: without a daemon.
BUMP_TEST_DISCOVERY=embedded run_tests --filter 'LoopbackTests|TwoHostTests'

# The example programs, one against the other: one machine, no daemon.
bin="$(swift build --show-bin-path)"
claims="$work/claims"
mkdir "$claims"
exec 3< <("$bin/SendOne" "$claims/alice.sqlite" 1.00 0)
read -r listening <&3
received="$("$bin/ReceiveAndDecide" "$claims/bob.sqlite" 5 "127.0.0.1:${listening##* }")"
read -r sent <&3
echo "examples: $sent; $received"
[[ "$sent; $received" == "delivered 1.00 USDC to bob; received 1.00 USDC" ]]

Examples/quickstart.sh

# An installation, and what is left when it is taken back.
root="$claims/root"
DESTDIR="$root" Examples/install.sh --binary "$bin/bump"
[[ "$("$root/usr/local/bin/bump" --version)" == "$("$bin/bump" --version)" ]]
manual="$root/usr/local/share/man/man1/bump.1"
for section in NAME SYNOPSIS ENVIRONMENT FILES '"\?EXIT STATUS' EXAMPLES; do
  [[ "$(grep --count "^\.Sh $section" "$manual")" == 1 ]]
done
bash -n "$root/usr/local/share/bash-completion/completions/bump"
DESTDIR="$root" Examples/install.sh --uninstall
left="$(find "$root" -type f)"
if [[ -n "$left" ]]; then
  echo "Tests/run.sh: left behind: $left" >&2
  exit 1
fi
