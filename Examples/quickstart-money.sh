# To be sourced by quickstart.sh: what is shown of claims with money behind them, whoever holds it.
#
# The vault runs on alice's host, and speaks TLS with a certificate of its own, which both are told to trust.

url=https://10.77.0.1:8642
export SSL_CERT_FILE="$work/certificate.pem"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=vault \
  -addext subjectAltName=IP:10.77.0.1 -keyout "$work/key.pem" -out "$SSL_CERT_FILE" 2>"$work/log"

# serve: starts the vault on alice's host with the options of `vault_options`, and returns once it answers.
serve() {
  person alice sh -c 'echo $$ >/run/vault.pid; exec "$@"' sh "$bump-vault" serve "${vault_options[@]}" \
    --listen 10.77.0.1:8642 --tls-certificate "$SSL_CERT_FILE" --tls-key "$work/key.pem" 2>>"$work/log" 3>&- 4>&- &
  vault=$!
  until on alice curl --silent --fail --cacert "$SSL_CERT_FILE" --output /dev/null "$url/readyz"; do
    kill -0 "$vault" || { cat "$work/log" >&2 && exit 1; }
    sleep 0.1
  done
}

# as NAME COMMAND…: shows a command of bump, and runs it on that host.
as() {
  printf '%-5s │ $ bump %s\n' "$1" "${*:2}"
  person "$1" "$bump" "${@:2}" 2>&1 | sed --unbuffered "s/^/$(printf '%-5s' "$1") │ /"
}

# operator COMMAND…: shows a command of bump-vault, and runs it on alice's host.
operator() {
  printf 'alice │ $ bump-vault %s\n' "$*"
  person alice "$bump-vault" "$@" 2>&1 | sed --unbuffered 's/^/alice │ /'
}

# newest NAME: the id of that person's newest claim.
newest() {
  person "$1" "$bump" history --json --limit 1 | sed 's/.*"claimId":"\([^"]*\)".*/\1/'
}

# field NAME: the value of a string in the JSON that comes in. In the receipt, which is a string, the quotes are escaped.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# address NAME: the address of that person's wallet.
address() { person "$1" "$bump" wallet show --json | field address; }
