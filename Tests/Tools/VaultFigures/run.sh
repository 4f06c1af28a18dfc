#!/usr/bin/env bash
# Tests/Tools/VaultFigures/run.sh [--scratch FOLDER] [PART…]: measures a vault's server beside the bare transaction, and
# prints the figures of Docs/vault.md and more. Parts are costs (with postgres), sqlite, postgres, start and watch; without the builds
# all of them take some five minutes. The part sign-ins, which runs only where it is named, has claims beside a thousand
# people a minute who sign in, as a ratio to claims alone. Exits with 1 where there are less than 0.3 claims per bare transaction with 32
# clients, 10,000 clients that wait for events take 400 MiB or more, or a start takes 150 ms to the first answer.
#
# Installs what is missing, and builds the release. Needs root, since PostgreSQL runs as the user postgres; the machine
# should have nothing else to do. Stores and databases lie in TMPDIR, which that user must be able to reach, and whose file
# system must be on a disk: on a tmpfs an fsync costs nothing.
set -euo pipefail
cd "$(dirname "$0")/../../.."
exec </dev/null

scratch=.build
if [[ "${1-}" == --scratch && -n "${2-}" ]]; then
  scratch="$2"
  shift 2
fi
export BUMP_TRAITS=Vault
source Tests/packages.sh
need_swift Tests/Tools/VaultFigures/run.sh
install_missing "${build_packages[@]}" libpq-dev python3 util-linux
install_postgresql

build=(swift build -c release "${traits[@]}" --scratch-path "$scratch")
"${build[@]}" --product bump-vault >&2
"${build[@]}" --product VaultLoad >&2
bin="$("${build[@]}" --show-bin-path)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
# Some tools make /dev/null inaccessible to other users when root lets them write to it. initdb needs it.
mknod -m 666 "$work/null" c 1 3
TMPDIR="$work" unshare --mount --propagation private bash -c \
  'mount --bind "$TMPDIR/null" /dev/null && exec python3 "$@"' \
  figures Tests/Tools/VaultFigures/figures.py "$bin/bump-vault" "$bin/VaultLoad" 500 10000 "$@"
