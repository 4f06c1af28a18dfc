#!/usr/bin/env bash
# Tests/Tools/Mutations/run.sh [--minutes N] [--week N] [NAME…]: breaks the code in one way after the other, and expects that the
# tests which each mutation names fail.
#
# A mutation is a file NAME.mutation beside this script, as mutate.py describes it. Those named are made, or all, and no
# new one is begun once N minutes are over. Each week begins twelve further on than the one before, and so 20 minutes a
# week come round to each within some seventeen weeks. The week is counted from 1970, and by default it is this one.
#
# All happens in a copy of this folder, its build included, which is mounted over it for this script alone: paths stay the
# same, so the copy's build is as warm as this one's, and each mutation costs what it changes. Needs root, Swift, and
# what Tests/run.sh installs. Exits with 1 where a mutation survives, or no longer applies; with 2 where it could not run.
set -uo pipefail
root="$(cd "$(dirname "$0")/../../.." && pwd)"
exec </dev/null

fail() {
  echo "Tests/Tools/Mutations/run.sh: $1" >&2
  exit 2
}

minutes=0 week="$(($(date +%s) / 604800))" names=()
while (($#)); do
  case "$1" in
    --minutes | --week)
      [[ "${2-}" =~ ^[1-9][0-9]*$ ]] || fail "$1 takes a number"
      [[ "$1" == --minutes ]] && minutes="$2" || week="$2"
      shift
      ;;
    -*) fail "usage: Tests/Tools/Mutations/run.sh [--minutes N] [--week N] [NAME…]" ;;
    *) names+=("$1") ;;
  esac
  shift
done
((EUID == 0)) || fail "needs root, for the mount and for the live tests"
export BUMP_TRAITS=Vault
source "$root/Tests/packages.sh"
need_swift Tests/Tools/Mutations/run.sh
install_missing "${build_packages[@]}" "${test_packages[@]}" >&2 || fail "packages are missing"
install_postgresql >&2 || fail "PostgreSQL is missing"

# First all is built here, so that the copy and those to come begin warm.
(cd "$root" && swift build "${traits[@]}" --build-tests) >&2 || fail "the build failed"
copy="$(mktemp -d "${TMPDIR:-/var/tmp}/bump-mutations.XXXXXX")" || fail "no temporary directory"
trap 'rm -rf "$copy"' EXIT
cp -a --reflink=auto "$root/." "$copy" || fail "no room for a copy of $root"
unshare --mount --propagation private sh -ec '
  mount --bind "$1" "$2"
  cd "$2"
  shift 2
  exec python3 -u Tests/Tools/Mutations/mutate.py "$@"
' sh "$copy" "$root" "$minutes" "$week" "${names[@]}"
