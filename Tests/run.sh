#!/usr/bin/env bash
# Tests/run.sh [--all] [--strict] [ARGUMENT…]: installs what is missing, builds, and runs the tests and examples.
#
# What a change must pass is what runs without an option. --all adds what is slow by design or leans on the outside: many
# kills and power cuts, attacks for their full time, every network of the doctor, all live tests with and without a daemon,
# other implementations from PyPI, fuzzing, the Debian package, and mutations.
#
# A test of real processes that fails has a second look, alone, at the end of its run: where it passes then, it is called
# UNSTEADY in the last lines and in .build/unsteady. With --strict there is no second look.
#
# With further arguments only the tests run that `swift test` takes them for.
#
# The live tests run on hosts of their own, made of Linux namespaces, and for that they must be root. Without root they
# are skipped, and say so; where CI=true they fail instead.
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

export BUMP_TRAITS=Vault
source Tests/packages.sh
need_swift Tests/run.sh

all=false look=(--second-look)
while (($#)); do
  case "$1" in
    --all) all=true ;;
    --strict) look=() ;;
    *) break ;;
  esac
  shift
done
if "$all"; then export BUMP_TEST_ALL=1; fi

# All that tests write lies here, so that nothing is left however they end.
work="$(mktemp -d)"
export TMPDIR="$work"
# And here what needs no disk.
memory="$(mktemp -d /dev/shm/bump-tests-XXXXXX)"
export BUMP_TEST_MEMORY="$memory"
trap 'rm -rf --one-file-system "$work" "$memory"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# What fails without a word of its own is named.
trap 'echo "Tests/run.sh: line $LINENO failed: $BASH_COMMAND" >&2' ERR

unsteady=.build/unsteady
# run_tests WIDTH NAME ARGUMENT…: runs those tests, so many at once.
run_tests() {
  local width="$1"
  shift
  python3 Tests/run_tests.py "$@" "${traits[@]}" --experimental-maximum-parallelization-width "$width"
}

# forget_changed_build: has all targets of this package built anew if a source has changed since the last time.
#
# SwiftPM (6.3) builds a target anew where a module that it imports has another interface, but not where a type within that
# interface is of a third module, which has changed the type's layout. What is left then reads the type in the old one.
forget_changed_build() {
  local now target
  now="$(find Sources Tests Examples Package.swift -type f -name '*.swift' -print0 | sort --zero-terminated \
    | xargs --null sha256sum | sha256sum)"
  if [[ -d .build/debug && "$now" != "$(cat .build/sources 2>/dev/null || true)" ]]; then
    tr '\n' ' ' <Package.swift | grep --only-matching --extended-regexp '(module|program|suite|target)\( *(name: )?"[A-Za-z/-]+"' \
      | cut --delimiter='"' --fields=2 | sed 's|.*/||' | while read -r target; do
        rm -rf ".build/debug/${target//-/_}.build"
      done
  fi
  mkdir -p .build
  echo "$now" >.build/sources
}

install_missing "${build_packages[@]}" "${test_packages[@]}"
install_postgresql
# Tests that need a chain's node are left out without it, and say so. The last lines say so, too.
(source Tests/Tools/Chain/python.sh) || (($? == 75))
# Each mutation still finds its place: that needs no build.
python3 Tests/Tools/Mutations/mutate.py --check
[[ "${CI-}" != true ]] || forget_changed_build
# A module that is not declared as a dependency is not imported: so `BumpSession` stays without sockets, clock and store.
swift build "${traits[@]}" --build-tests --explicit-target-dependency-import-check error
: >"$unsteady"
if (($#)); then
  run_tests 10 chosen "${look[@]}" --report "$unsteady" "$@"
  exit
fi

# First what takes seconds: the manual pages say what the help says, and the reference of the libraries has no warning.
Examples/manual.sh --check
Examples/documentation.sh
if "$all"; then
  unpack_resolved "$work/resolved"
  export BUMP_TEST_RESOLVED="$work/resolved"
fi

# What computes runs apart from what waits for processes: it would keep that from the processors. Ten at once, since a
# test that has begun among a thousand others would wait for its turn again and again.
live='^(Bump(CLI|ClipCLI|DNSSD|Doctor|Relays|Simulator|Terminal|VaultClient|VaultServer)|MultipeerConnectivity|Loopback|TwoHost|Hostile)Tests\.'
database='^BumpPostgresTests\.'
run_tests 10 computing --skip "$live" --skip "$database"
# How many of these run at once is decided by what they start: `ProcessSlots` of Lab.
run_tests 10000 live "${look[@]}" --report "$unsteady" --filter "$live"
run_tests 6 database "${look[@]}" --report "$unsteady" --filter "$database"
# Hosts as most are: without a daemon.
without='^(LoopbackTests\.(Code|Delivery|Keep|Nobody|Question)Tests/|TwoHostTests\.(Backend|Card|DeadNetworks|Delivery'
without+='|DiscoveryInterface|Forged|Grinding|Guess|Interface|LateCable|Outage|Renumbering|Senders|Turns|Twin)Tests/)'
if "$all"; then without='^(Loopback|TwoHost)Tests\.'; fi
BUMP_TEST_DISCOVERY=embedded run_tests 10000 embedded "${look[@]}" --report "$unsteady" --filter "$without"

# The example programs, one against the other: one machine, no daemon.
bin="$(swift build "${traits[@]}" --show-bin-path)"
claims="$work/claims"
mkdir "$claims"
exec 3< <(timeout 180 "$bin/SendOne" "$claims/alice.sqlite" 1.00 0)
read -r told <&3
read -r listening <&3
received="$(timeout 180 "$bin/ReceiveAndDecide" "$claims/bob.sqlite" 5 "${told##* }" "127.0.0.1:${listening##* }")"
read -r sent <&3
echo "examples: $sent; $received"
[[ "$sent; $received" == "delivered 1.00 USDC to bob; received 1.00 USDC" ]]

# The program against an end that was written from Docs/protocol.md alone, in Python.
Tests/Tools/OtherEnd/check.py "$bin/bump"

Examples/quickstart.sh
# Without chromium it would leave the page out, and say so.
install_missing chromium
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

# outside COMMAND…: runs a test that needs what a mirror of packages gives. With the status 75 it did not get that, and is
# named in the last lines. No other test may lack something from outside.
missing=()
outside() {
  local status=0
  "$@" || status=$?
  if ((status == 75)); then
    missing+=("NOT RUN $1: what it needs from outside is not to be had")
    echo "${missing[-1]}"
    return
  fi
  return "$status"
}
# The claim page in a browser: its keys by vectors, and one claim from its link to the receipt. --all has every screen, as
# pictures in .build/claim-page/pictures, which are to be looked at.
page=(--bump "$bin/bump" --vault "$bin/bump-vault")
if "$all"; then
  outside Tests/Tools/ClaimPage/keys.sh --all --binary "$bin/bump"
  outside Tests/Tools/ClaimPage/page.sh --all --pictures .build/claim-page/pictures "${page[@]}"
  outside Tests/Tools/Chain/contract.sh --all
  outside Tests/Tools/Chain/node_tests.sh
  outside Tests/Tools/OpenAPI/run.sh 60
  outside Tests/Tools/Mail/run.sh --vault "$bin/bump-vault"
  outside Tests/Tools/Relay/run.sh
  outside Tests/Tools/Buckets/run.sh
  Tests/Tools/Adoption/run.sh
  Tests/Tools/Fuzz/run.sh 20
  outside Tests/Tools/Package/run.sh
  Tests/Tools/Mutations/run.sh --minutes 20
else
  outside Tests/Tools/ClaimPage/keys.sh
  outside Tests/Tools/ClaimPage/page.sh "${page[@]}"
  outside Tests/Tools/Chain/contract.sh
fi

((!${#missing[@]})) || printf '%s\n' "${missing[@]}"
if [[ -s "$unsteady" ]]; then
  echo "Passed, but for a second look:"
  cat "$unsteady"
else
  echo "Passed. No test was unsteady."
fi
