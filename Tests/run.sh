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

export BUMP_TRAITS=Vault
# How many tests run at once. All tests of a run share two threads or so, and with hundreds at once one of them waits a
# minute for its turn: a server within a test would not answer its client in time.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=10
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
  swift test "${traits[@]}" --skip-build "$@" 2>&1 | tee "$work/log" || status=$?
  ((status == 0)) && return
  echo
  echo "Tests/run.sh: swift test $* failed:"
  awk -f Tests/failures.awk "$work/log"
  exit "$status"
}

install_missing "${build_packages[@]}" "${test_packages[@]}"
install_postgresql
# Each mutation still finds its place: that needs no build.
python3 Tests/Tools/Mutations/mutate.py --check
swift build "${traits[@]}" --build-tests
# First what takes seconds: the manual page says what the help says, and the reference of the libraries has no warning.
Examples/manual.sh --check
Examples/documentation.sh
unpack_resolved "$work/resolved"
export BUMP_TEST_RESOLVED="$work/resolved"
if (($#)); then
  run_tests "$@"
else
  # Tests of one run share few threads. Those that compute a minute long would keep others past their limits of time, and from
  # seeing in time what real processes do: so each of these has a run of its own.
  computing='BumpVaultTests|BumpVaultSQLiteTests'
  # Of these six at once: vaults within the tests' own process answer programs that wait for two seconds.
  processes='BumpCLITests|BumpDiscoveryTests|BumpDoctorTests'
  servers='BumpVaultServerTests'
  # Its requests have a minute on real connections, and among a thousand tests a thread is waited for longer.
  clients='BumpVaultClientTests'
  # Sessions over real sockets, with run loops that must hear of bytes at once.
  peers='MultipeerConnectivityTests'
  run_tests --filter "$computing"
  run_tests --skip "$computing|$processes|$servers|$clients|$peers|LoopbackTests|TwoHostTests|HostileTests|BumpPostgresTests"
  SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=6 run_tests --filter "$processes"
  run_tests --filter "$clients"
  run_tests --filter "$peers"
  run_tests --filter "$servers"
  run_tests --filter 'LoopbackTests|TwoHostTests|HostileTests'
  # Each makes a server of PostgreSQL, which would take the promptness of the others. The vault on it computes long, too.
  run_tests --filter BumpPostgresTests --skip PostgresTests/Vault
  run_tests --filter PostgresTests/Vault
fi
# Hosts as most are: without a daemon.
BUMP_TEST_DISCOVERY=embedded run_tests --filter 'LoopbackTests|TwoHostTests'

# The example programs, one against the other: one machine, no daemon.
bin="$(swift build "${traits[@]}" --show-bin-path)"
claims="$work/claims"
mkdir "$claims"
exec 3< <("$bin/SendOne" "$claims/alice.sqlite" 1.00 0)
read -r listening <&3
received="$("$bin/ReceiveAndDecide" "$claims/bob.sqlite" 5 "127.0.0.1:${listening##* }")"
read -r sent <&3
echo "examples: $sent; $received"
[[ "$sent; $received" == "delivered 1.00 USDC to bob; received 1.00 USDC" ]]

Examples/quickstart.sh
Examples/quickstart.sh --vault

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
