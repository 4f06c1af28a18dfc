#!/usr/bin/env bash
# Tests/Tools/Buckets/run.sh: `bump-clip card` keeps its cards in a bucket of moto of PyPI, which has the protocol of S3 and
# checks signatures.
#
# Ends with 75 where PyPI does not give what it needs.
set -euo pipefail
cd "$(dirname "$0")/../../.."
exec </dev/null

export BUMP_TRAITS=Vault
source Tests/packages.sh
need_swift Tests/Tools/Buckets/run.sh
install_missing "${build_packages[@]}" faketime jq python3-venv

work="$(mktemp -d)"
server=
end() {
  if [[ -n "$server" ]]; then kill "$server" || true; fi
  rm -rf "$work"
}
trap end EXIT
export HOME="$work"

# fail SENTENCE: ends with it.
fail() {
  echo "Tests/Tools/Buckets/run.sh: $1" >&2
  exit 1
}

python3 -m venv "$work/python"
"$work/python/bin/pip" --quiet --disable-pip-version-check install 'moto[s3,server]==5.2.5' boto3==1.44.5 || exit 75
swift build "${traits[@]}" --product bump-clip
clip="$(swift build "${traits[@]}" --show-bin-path)/bump-clip"

# Four requests make a user and a bucket; from the fifth on each is checked.
mkfifo "$work/log"
INITIAL_NO_AUTH_ACTION_COUNT=4 "$work/python/bin/moto_server" -H 127.0.0.1 -p 0 >"$work/log" 2>&1 &
server=$!
exec 3<"$work/log"
AWS_ENDPOINT_URL=
while [[ -z "$AWS_ENDPOINT_URL" ]] && IFS= read -r line <&3; do
  if [[ "$line" =~ Running\ on\ (http://[0-9.:]+) ]]; then AWS_ENDPOINT_URL="${BASH_REMATCH[1]}"; fi
done
if [[ -z "$AWS_ENDPOINT_URL" ]]; then fail "the server did not start"; fi
# What it logs further is read, so that it does not wait for that.
cat <&3 >/dev/null &

read -r AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY < <("$work/python/bin/python" -c 'import json, sys
import boto3
options = dict(endpoint_url=sys.argv[1], region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="b")
iam = boto3.client("iam", **options)
iam.create_user(UserName="bump")
key = iam.create_access_key(UserName="bump")["AccessKey"]
rule = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
policy = json.dumps({"Version": "2012-10-17", "Statement": [rule]})
iam.put_user_policy(UserName="bump", PolicyName="cards", PolicyDocument=policy)
boto3.client("s3", **options).create_bucket(Bucket="cards")
print(key["AccessKeyId"], key["SecretAccessKey"])' "$AWS_ENDPOINT_URL")
export AWS_ENDPOINT_URL AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION=us-east-1

# Lists the objects by another implementation, one key a line.
objects() {
  "$work/python/bin/python" -c 'import sys
import boto3
s3 = boto3.client("s3", endpoint_url=sys.argv[1])
for item in s3.list_objects_v2(Bucket="cards").get("Contents", []):
    print(item["Key"])' "$AWS_ENDPOINT_URL"
}

printf 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann Example\r\nN:Example;Ann;;;\r\nEND:VCARD\r\n' >"$work/ann.vcf"
store=s3://cards/a/day
link="$("$clip" card share "$work/ann.vcf" --store "$store" --quiet)"
"$clip" card fetch - --store "$store" <<<"$link" | cmp - "$work/ann.vcf"
[[ "$(objects)" =~ ^a/day/[0-9A-F-]{36}\.card$ ]] || fail "the bucket has $(objects)"

status=0
AWS_SECRET_ACCESS_KEY=wrong "$clip" card fetch - --store "$store" <<<"$link" 2>"$work/refused" || status=$?
if ((status != 1)) || ! grep --quiet AWS_SECRET_ACCESS_KEY "$work/refused"; then
  fail "exit status $status for a wrong key: $(cat "$work/refused")"
fi
status=0
"$clip" card fetch - --store s3://cards/elsewhere <<<"$link" 2>"$work/absent" || status=$?
if ((status != 1)) || ! grep --quiet "no such card, or it has expired" "$work/absent"; then
  fail "exit status $status for a card that is not there: $(cat "$work/absent")"
fi

# A day later it is not given out, and whoever shares next clears it away, and nothing that is not a card.
"$work/python/bin/python" -c 'import sys
import boto3
boto3.client("s3", endpoint_url=sys.argv[1]).put_object(Bucket="cards", Key="a/day/notes.txt", Body=b"mine")' \
  "$AWS_ENDPOINT_URL"
later() { faketime --exclude-monotonic -f +25h "$@"; }
status=0
later "$clip" card fetch - --store "$store" <<<"$link" 2>"$work/expired" || status=$?
((status == 1)) && cmp "$work/absent" "$work/expired" || fail "a card of yesterday: $(cat "$work/expired")"
later "$clip" card share "$work/ann.vcf" --store "$store" --quiet >"$work/second"
id="${link#*shared/}"
left="$(objects)"
if [[ "$left" == *"${id%%#*}"* ]] || [[ "$left" != *notes.txt* ]] || (($(wc --lines <<<"$left") != 2)); then
  fail "left are $left"
fi
echo "buckets: cards are kept in a store of another implementation, and leave it after a day"
