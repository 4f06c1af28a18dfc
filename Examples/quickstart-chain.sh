# To be sourced by quickstart.sh: the life of a claim whose money a contract holds, on a chain that is made for it.
#
# The chain's node runs on alice's host, beside the vault's server, which carries what the two sign and pays for it. Blocks
# come each second, and are final after three. On a public chain they are final after some minutes.

# rpc METHOD PARAMETERS: calls the chain's node, and prints its answer.
rpc() {
  on alice curl --silent --show-error --fail --header 'Content-Type: application/json' \
    --data "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":$2}" "$node"
}

say "The operator's keys: one pays for transactions, one signs receipts"
operator chain key /run/relayer.key
operator chain key /run/receipt.key
relayer="$(person alice "$bump-vault" chain key /run/relayer.key)"

say "A chain on alice's host with a token of its own, which calls itself USD Coin. Its money is worth nothing"
mkfifo "$work/chain"
on alice "$python" "$PWD/Tests/Tools/Chain/node.py" --token --fund "$relayer" --block-time 1 --safe 2 --finalized 3 \
  >"$work/chain" 2>>"$work/log" 3>&- 4>&- &
read -r made <"$work/chain" || { cat "$work/log" >&2 && exit 1; }
echo "$made"
node="$(sed 's/.*"url": "\([^"]*\)".*/\1/' <<<"$made")"
token="$(sed 's/.*"token": "\([^"]*\)".*/\1/' <<<"$made")"

say "The contract has no owner: whoever deploys it can do no more with it than anybody else"
operator deploy --node "$node" --key /run/relayer.key --chain-id 31337 --token "$token" --write /run/chain.json --yes

say "A vault on the chain. Its server holds no money: it carries what others sign"
vault_options=(--chain /run/chain.json --relayer-key /run/relayer.key --receipt-key /run/receipt.key
  --store /run/chain.sqlite)
serve

say "Each has a wallet, and confirms the vault once. Neither has coins for gas. The token's issuer makes 3.00 for alice"
for name in alice bob; do
  as "$name" wallet new
  as "$name" wallet trust "$url" --yes
done
rpc test_issuer "[\"mint(address,uint256)\", \"$(address alice)\", \"3000000\"]" >/dev/null
as alice wallet balance --vault "$url"

say "bump send 1.00 --vault: the contract locks the amount, then the two bump. Alice waits until it is claimed"
asked alice "$bump" send 1.00 --vault "$url" --until-claimed "${patience[@]}" 3>&- 4>&- &
sending=$!
asked bob "$bump" receive --vault "$url" "${patience[@]}"

say "What bob received is funded. The contract pays it to the address that bob signed for, and the receipt names the block"
id="$(newest bob)"
as bob claim "$id" --vault "$url"
wait "$sending"
as bob show "$id" --json
for name in alice bob; do as "$name" wallet balance --vault "$url"; done

say "What the operator sees: how far the chain is followed, and what the key has left"
operator chain status --chain /run/chain.json --store /run/chain.sqlite --relayer "$relayer"

say "One that nobody claims: its money is locked for a day. Its link was shown, so bump does not take it back unasked"
as alice send 1.00 --vault "$url" --link-only
id="$(newest alice)"
ledger_id="$(person alice "$bump" history --json --limit 1 | field ledgerId)"
as alice refund "$id" || true

# ask_refund: asks for the refund on bob's host, and succeeds once the vault has signed a receipt. Before that the chain's
# time has not come, or the transaction is on its way.
ask_refund() {
  [[ "$(on bob curl --silent --cacert "$SSL_CERT_FILE" --request POST --output "$work/refund" --write-out '%{http_code}' \
    "$url/api/claims/$ledger_id/refund")" == 200 ]]
}

say "A day later. (Nobody waits here: a contract's clock is that of the blocks, and this chain's is moved on by 25 hours.)"
rpc test_time '[null, 90000]' >/dev/null
echo "bob   │ \$ curl --request POST $url/api/claims/$ledger_id/refund"
tries=0
until ask_refund; do
  ((++tries < 60)) || { cat "$work/refund" "$work/log" >&2 && exit 1; }
  sleep 0.5
done
sed 's/^/bob   │ /' "$work/refund" && echo

say "Anybody may ask, and the money goes back to its sender alone. Alice asks too, and has the same receipt"
as alice refund "$id"
as alice history
for name in alice bob; do as "$name" wallet balance --vault "$url"; done
say "Alice has 2.00, bob has 1.00, and the contract nothing: anybody can look it up on the chain."
