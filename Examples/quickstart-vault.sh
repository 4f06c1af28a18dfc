# To be sourced by quickstart.sh: the whole life of a claim whose money a vault holds.

# browse URL TEXT: shows what a browser on alice's host makes of a page of the vault's: its title and its receipt, in which
# the text must be. The browser trusts the vault's certificate for this alone.
browse() {
  local key page
  key="$(openssl x509 -in "$SSL_CERT_FILE" -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary |
    base64)"
  # As root it has no sandbox. It opens this page alone.
  page="$(on alice env HOME=/run timeout 120 chromium --headless --no-sandbox --user-data-dir=/run/chromium \
    --ignore-certificate-errors-spki-list="$key" --virtual-time-budget=30000 --dump-dom "$1" 2>"$work/log" ||
    cat "$work/log" >&2)"
  { grep --only-matching '<h1 id="head".*</h1>\|<p id="sentence".*</p>\|<dl id="receipt".*</dl>' <<<"$page" || true; } |
    sed 's|</dt>|: |g; s|</dd>|\n|g; s|<[^>]*>||g' | sed '/^$/d; s/^/alice │ /'
  if [[ "$page" != *"$2"* ]]; then
    echo "quickstart.sh: the page $1 has no receipt of transaction $2" >&2
    exit 1
  fi
}

say "A vault on alice's host: it makes test money, so what it holds is worth nothing"
vault_options=(--store /run/vault.sqlite --faucet)
serve

say "Each has a wallet, and confirms the vault once. Alice asks it for 3.00 of its test money"
for name in alice bob; do
  as "$name" wallet new
  as "$name" wallet trust "$url" --yes
done
on alice curl --silent --show-error --fail --cacert "$SSL_CERT_FILE" --header 'Content-Type: application/json' \
  --data "{\"address\":\"$(address alice)\",\"amount\":\"3.00\",\"id\":\"0x$(openssl rand -hex 32)\"}" "$url/api/faucet"
echo
as alice wallet balance --vault "$url"

say "bump send 1.00 --vault: the vault locks the amount, then the two bump. Alice waits until it is claimed"
asked alice "$bump" send 1.00 --vault "$url" --until-claimed "${patience[@]}" 3>&- 4>&- &
sending=$!
asked bob "$bump" receive --vault "$url" "${patience[@]}"

say "What bob received is funded, and no money yet. The vault pays it into his wallet, and signs a receipt"
id="$(newest bob)"
as bob claim "$id" --vault "$url"
wait "$sending"
as bob show "$id" --json
for name in alice bob; do as "$name" wallet balance --vault "$url"; done
claim="$(person bob "$bump" show "$id" --json)"

say "One that nobody claims: its money is locked for a day. Its link was shown, so it is not taken back before unasked"
as alice send 1.00 --vault "$url" --link-only
id="$(newest alice)"
as alice refund "$id" || true

say "A day later. (Nobody waits here: vault and bump start again with a clock that is 25 hours ahead, by faketime.)"
clock=(faketime --exclude-monotonic -f +25h)
on alice sh -c 'kill "$(cat /run/vault.pid)"'
wait "$vault"
say "A clock that is far ahead is not believed, so that nobody has a refund early: the vault's operator confirms it"
now="$("${clock[@]}" date -u +%Y-%m-%dT%H:%M)"
operator clock --store /run/vault.sqlite --confirm "$now"
serve
as alice history
as alice refund "$id"
for name in alice bob; do as "$name" wallet balance --vault "$url"; done
say "Alice has 2.00, bob has 1.00: what the vault was given is all there."

sent="$url/sent/$(field ledgerId <<<"$claim")"
say "The sender's page in a browser, which has checked the signature of bob's receipt: $sent"
if command -v chromium >/dev/null; then
  browse "$sent" "$(field txHash <<<"$claim")"
else
  echo "This machine has no chromium. To see the page here: apt-get install chromium, and run this again."
fi
