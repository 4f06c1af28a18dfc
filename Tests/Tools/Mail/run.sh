#!/usr/bin/env bash
# Tests/Tools/Mail/run.sh [--vault FILE] [--only WORD]: signs people in at a real vault by codes, which it sends through
# aiosmtpd of PyPI, a real server of mail, on loopback: with and without TLS, and to servers that hang, refuse, are slow or
# end. It takes some two minutes, most of them for a server that takes a message and never answers.
#
# Without the program it builds it. --only chooses the scenes with that word in their names. One of them needs root, and is
# left out without.
#
# Ends with 75 where PyPI does not give what it needs. That is kept in .build/mail.
set -euo pipefail
exec </dev/null

vault= arguments=()
while (($#)); do
  case "$1" in
    --vault) vault="$(realpath "${2:?}")" && shift 2 ;;
    --only) arguments+=(--only "${2:?}") && shift 2 ;;
    *) echo "usage: Tests/Tools/Mail/run.sh [--vault FILE] [--only WORD]" >&2 && exit 64 ;;
  esac
done
cd "$(dirname "$0")/../../.."
export BUMP_TRAITS=Vault
source Tests/packages.sh
install_missing openssl python3-venv
if [[ -z "$vault" ]]; then
  need_swift Tests/Tools/Mail/run.sh
  install_missing "${build_packages[@]}" libpq-dev
  swift build "${traits[@]}" --product bump-vault
  vault="$(swift build "${traits[@]}" --show-bin-path)/bump-vault"
fi

here=Tests/Tools/Mail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work" HOME="$work" PYTHONDONTWRITEBYTECODE=1

pinned_python "$PWD/.build/mail" "$here/requirements.txt"
"$python" "$here/mail_tests.py" --vault "$vault" "${arguments[@]}"
