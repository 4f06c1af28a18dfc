#!/usr/bin/env bash
# Tests/Tools/ClaimPage/page.sh [--all [--pictures DIR]] [--bump FILE --vault FILE] [--sources] [--only WORD] [--seed N]
#
# Opens links of real claims in a headless Chromium, on the page of a real vault with a faucet, on loopback. It takes
# some seconds. Without the two programs it builds them.
#
# --all adds every screen with axe, in light and dark and at every width, answers that lie or are lost, a vault on a chain
# that reorganizes, and the figure of how long an offer takes; and faults that it plants in the page one by one, each of
# which a test must catch: a quarter of an hour. With --pictures it writes each screen into that folder. --only chooses the tests with that word in
# their names. --sources tests the page's files as they are here, in place of those in the vault's program.
#
# Ends with 75 where PyPI does not give what it needs. That is kept in .build/claim-page and .build/chain.
set -euo pipefail
exec </dev/null

here="$(realpath "$(dirname "$0")")"
all=false bump= vault= arguments=()
usage() {
  sed --quiet '2s/^# /usage: /p' "$here/page.sh" >&2
  exit 64
}
while (($#)); do
  case "$1" in
    --all) all=true && shift ;;
    --bump) bump="$(realpath "${2:?}")" && shift 2 ;;
    --vault) vault="$(realpath "${2:?}")" && shift 2 ;;
    --pictures) arguments+=(--pictures "$(realpath --canonicalize-missing "${2:?}")") && shift 2 ;;
    --sources) arguments+=(--sources) && shift ;;
    --only | --seed) arguments+=("$1" "${2:?}") && shift 2 ;;
    *) usage ;;
  esac
done
[[ -n "$bump" ]] && [[ -n "$vault" ]] || [[ -z "$bump$vault" ]] || usage
cd "$here/../../.."
export BUMP_TRAITS=Vault
source Tests/packages.sh
install_missing chromium chromium-driver openssl python3-venv zbar-tools
if [[ -z "$bump" ]]; then
  need_swift Tests/Tools/ClaimPage/page.sh
  install_missing "${build_packages[@]}" libpq-dev
  for product in bump bump-vault; do swift build "${traits[@]}" --product "$product"; done
  bin="$(swift build "${traits[@]}" --show-bin-path)"
  bump="$bin/bump" vault="$bin/bump-vault"
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work" HOME="$work" PYTHONDONTWRITEBYTECODE=1

pinned_python "$PWD/.build/claim-page" "$here/requirements.txt"

if "$all"; then
  # The wheel has axe.min.js; what it would depend on is not needed.
  axe="$PWD/.build/claim-page/axe-0.1.8.min.js"
  if [[ ! -f "$axe" ]]; then
    "$python" -m pip --quiet --disable-pip-version-check download --no-deps --only-binary :all: --dest "$work/wheel" \
      axe-playwright-python==0.1.8 || exit 75
    "$python" -m zipfile --extract "$work"/wheel/*.whl "$work/wheel"
    cp "$work/wheel/axe_playwright_python/axe.min.js" "$axe"
  fi
  # The test node has a Python of its own.
  chain_python="$(source Tests/Tools/Chain/python.sh >&2 && echo "$python")"
  arguments+=(--all --axe "$axe" --chain-python "$chain_python")
fi
"$python" "$here/page.py" --bump "$bump" --vault "$vault" "${arguments[@]}"
