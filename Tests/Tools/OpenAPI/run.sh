#!/usr/bin/env bash
# Tests/Tools/OpenAPI/run.sh SECONDS: holds a running `bump-vault` against the OpenAPI document that it serves, with
# requests that schemathesis draws from it for so long. It prints the seed of its requests.
#
# Streams of events are left out: they do not end.
#
# Ends with 75 where PyPI does not give what it needs.
set -euo pipefail
cd "$(dirname "$0")/../../.."
exec </dev/null

seconds="${1:-}"
if (($# != 1)) || [[ ! "$seconds" =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: Tests/Tools/OpenAPI/run.sh SECONDS" >&2
  exit 64
fi
export BUMP_TRAITS=Vault
source Tests/packages.sh
need_swift Tests/Tools/OpenAPI/run.sh
install_missing "${build_packages[@]}" libpq-dev python3-venv

work="$(mktemp -d)"
server=
end() {
  if [[ -n "$server" ]]; then kill "$server" || true; fi
  rm -rf "$work"
}
trap end EXIT

python3 -m venv "$work/python"
"$work/python/bin/pip" --quiet --disable-pip-version-check install schemathesis==4.32.5 || exit 75
swift build "${traits[@]}" --product bump-vault
bin="$(swift build "${traits[@]}" --show-bin-path)"

mkfifo "$work/log"
"$bin/bump-vault" serve --store "$work/vault/vault.sqlite" --listen 127.0.0.1:0 --faucet \
  --requests-per-minute 1000000 --sign-in "maildir:$work/codes" --sign-ins-per-minute 1000000 2>"$work/log" &
server=$!
exec 3<"$work/log"
url=
while [[ -z "$url" ]] && IFS= read -r line <&3; do
  if [[ "$line" =~ \"url\":\"([^\"]+)\" ]]; then url="${BASH_REMATCH[1]}"; fi
done
if [[ -z "$url" ]]; then
  echo "Tests/Tools/OpenAPI/run.sh: the server did not start" >&2
  exit 1
fi
# What it logs further is read, so that it does not wait for that.
cat <&3 >/dev/null &

checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance
checks+=,response_schema_conformance,negative_data_rejection,unsupported_method
# It leaves a folder where it runs.
cd "$work"
python/bin/schemathesis run "$url/openapi.json" --checks "$checks" --exclude-operation-id events \
  --max-time "$seconds" --request-timeout 30 --no-color --header "Sec-Fetch-Site: same-origin"
