#!/usr/bin/env bash
# Tests/Tools/Relay/run.sh: `bump-clip profile` asks a real relay, nostr-relay of PyPI, for profiles that another
# implementation has signed and published.
#
# Ends with 75 where PyPI does not give what it needs.
set -euo pipefail
cd "$(dirname "$0")/../../.."
exec </dev/null

export BUMP_TRAITS=Vault
source Tests/packages.sh
need_swift Tests/Tools/Relay/run.sh
install_missing "${build_packages[@]}" python3-venv jq

work="$(mktemp -d)"
relay=
end() {
  if [[ -n "$relay" ]]; then kill "$relay" || true; fi
  rm -rf "$work"
}
trap end EXIT
# The relay keeps a socket of its own there, and bump-clip its store.
export HOME="$work"

python3 -m venv "$work/python"
"$work/python/bin/pip" --quiet --disable-pip-version-check install nostr-relay==1.14 aionostr==0.20.0 || exit 75
swift build "${traits[@]}" --product bump-clip
clip="$(swift build "${traits[@]}" --show-bin-path)/bump-clip"

cat >"$work/config.yaml" <<END
storage:
  sqlalchemy.url: sqlite+aiosqlite:///$work/events.sqlite3
  validators: [nostr_relay.validators.is_signed]
verification: {nip05_verification: disabled}
gunicorn: {bind: "127.0.0.1:0", workers: 1, loglevel: info}
authentication: {enabled: false}
END
mkfifo "$work/log"
"$work/python/bin/nostr-relay" -c "$work/config.yaml" serve >"$work/log" 2>&1 &
relay=$!
exec 3<"$work/log"
url= ready=
while [[ -z "$url" || -z "$ready" ]] && IFS= read -r line <&3; do
  if [[ "$line" =~ Listening\ at:\ http://([0-9.:]+) ]]; then url="ws://${BASH_REMATCH[1]}"; fi
  if [[ "$line" == *"Connected to sqlite"* ]]; then ready=1; fi
done
if [[ -z "$url" || -z "$ready" ]]; then
  echo "Tests/Tools/Relay/run.sh: the relay did not start" >&2
  exit 1
fi
# What it logs further is read, so that it does not wait for that.
cat <&3 >/dev/null &

# publish CREATED CONTENT: as the owner of the private key 3.
publish() {
  "$work/python/bin/python" -c 'import asyncio, sys
from aionostr import add_event
relay, created, content = sys.argv[1:]
asyncio.run(add_event([relay], kind=0, created_at=int(created), content=content, private_key="%064x" % 3))' \
    "$url" "$@"
}
npub=npub1lycg5qvjtrp3qjf5f7zl382j9x6nrjz9sdhenvyxq8c3808qxmus6gq266
nobody=npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg

publish 1700000000 '{"name":"old"}'
publish 1700000001 '{"display_name":"Ann 🚗 \"é/\"","car_color":"red","car_make":"Volvo","about":"a\nb"}'
shown="$("$clip" profile "$npub" --relay "$url" --json | jq -c 'del(.ms)')"
expected="$(jq -cn --arg npub "$npub" \
  '{createdAt: 1700000001, event: "profile", name: "Ann 🚗 \"é/\"", npub: $npub, vehicle: "red Volvo"}')"
if [[ "$(grep '"event":"profile"' <<<"$shown")" != "$expected" ]]; then
  echo "Tests/Tools/Relay/run.sh: not the profile that was published: $shown" >&2
  exit 1
fi
status=0
"$clip" profile "$nobody" --relay "$url" --json >"$work/none" || status=$?
if [[ "$status" != 3 ]] || ! grep --quiet '"ending":"complete"' "$work/none"; then
  echo "Tests/Tools/Relay/run.sh: exit status $status for a profile that nobody published: $(cat "$work/none")" >&2
  exit 1
fi
echo "relay: profiles of another implementation are shown, and nobody's are not"
