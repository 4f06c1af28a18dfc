#!/usr/bin/env bash
# Tests/Tools/Adoption/run.sh: builds an app's package that uses MultipeerConnectivity, outside of this one's tree, and runs it.
#
# Its Package.swift is that of Docs/multipeer.md, and its source has nothing that is for Linux. Needs what Tests/run.sh
# installs, and Swift.
set -euo pipefail
cd "$(dirname "$0")"
exec </dev/null

work="$(mktemp -d "${TMPDIR:-/var/tmp}/bump-adoption.XXXXXX")"
trap 'rm -rf "$work"' EXIT
cp -r Package.swift Sources "$work"
ln -s "$(cd ../../.. && pwd)" "$work/bump"
cd "$work"
swift build
said="$(swift run --skip-build Nearby)"
[[ "$said" == "alice is ready to play" ]] || {
  echo "Tests/Tools/Adoption/run.sh: the app said: $said" >&2
  exit 1
}
echo "adoption: a package that depends on MultipeerConnectivity on Linux builds and runs"
