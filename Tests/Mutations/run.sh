#!/usr/bin/env bash
# Tests/Mutations/run.sh [--minutes N] [--seed N] [NAME…]: breaks the code in one way after the other, and expects that the
# tests which each mutation names fail.
#
# A mutation is a file NAME.mutation beside this script, as mutate.py describes it. Those named are made, or all, in an
# order that the seed decides (by default the week of the year), and no new one is begun once N minutes are over.
#
# All happens in a copy of this folder, its build included, which is mounted over it for this script alone: paths stay the
# same, so the copy's build is as warm as this one's, and each mutation costs what it changes. Needs root, Swift, and
# what Tests/run.sh installs. Exits with 1 where a mutation survives, or no longer applies; with 2 where it could not run.
set -uo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
exec </dev/null

fail() {
  echo "Tests/Mutations/run.sh: $1" >&2
  exit 2
}

minutes=0 seed="$(date +%G%V)" names=()
while (($#)); do
  case "$1" in
    --minutes | --seed)
      [[ "${2-}" =~ ^[1-9][0-9]*$ ]] || fail "$1 takes a number"
      [[ "$1" == --minutes ]] && minutes="$2" || seed="$2"
      shift
      ;;
    -*) fail "usage: Tests/Mutations/run.sh [--minutes N] [--seed N] [NAME…]" ;;
    *) names+=("$1") ;;
  esac
  shift
done
((EUID == 0)) || fail "needs root, for the mount and for the live tests"
source "$root/Tests/packages.sh"
need_swift Tests/Mutations/run.sh
install_missing "${build_packages[@]}" "${test_packages[@]}" >&2 || fail "packages are missing"

# First all is built here, so that the copy and those to come begin warm.
(cd "$root" && swift build --build-tests) >&2 || fail "the build failed"
copy="$(mktemp -d "${TMPDIR:-/var/tmp}/bump-mutations.XXXXXX")" || fail "no temporary directory"
trap 'rm -rf "$copy"' EXIT
cp -a --reflink=auto "$root/." "$copy" || fail "no room for a copy of $root"
unshare --mount --propagation private sh -ec '
  mount --bind "$1" "$2"
  cd "$2"
  shift 2
  exec python3 -u Tests/Mutations/mutate.py "$@"
' sh "$copy" "$root" "$minutes" "$seed" "${names[@]}"
