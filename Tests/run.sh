#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests and examples. Further arguments go to `swift test`.
#
# The live tests run on hosts of their own, made of Linux namespaces, and for that they must be root.
# Without root they are skipped, and say so; where CI=true they fail instead.
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

packages=(
  # to build
  ca-certificates git pkg-config libavahi-compat-libdnssd-dev libavahi-core-dev libqrencode-dev libsodium-dev libsqlite3-dev
  # to run the tests
  avahi-daemon avahi-utils dbus iproute2 nftables python3 python3-zeroconf tcpdump util-linux zbar-tools
)

as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }

# Without systemd as its first process a machine gets no running daemon by this: Debian's avahi-daemon
# has no other start script.
install_missing() {
  local package missing=()
  for package in "${packages[@]}"; do
    [[ "$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>&1)" == installed ]] ||
      missing+=("$package")
  done
  if ((${#missing[@]})); then
    echo "installing ${missing[*]}"
    as_root apt-get update --quiet=2
    as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}"
  fi
}

command -v swift >/dev/null || {
  echo "Tests/run.sh: no swift in PATH (with sudo: sudo env PATH=\"\$PATH\" Tests/run.sh)" >&2
  exit 1
}
install_missing
swift build --build-tests
swift test --skip-build "$@"
# Hosts as most are: without a daemon.
BUMP_TEST_DISCOVERY=embedded swift test --skip-build --filter 'LoopbackTests|TwoHostTests'

# The example programs, one against the other: one machine, no daemon.
bin="$(swift build --show-bin-path)"
claims="$(mktemp -d)"
trap 'rm -rf "$claims"' EXIT
exec 3< <("$bin/SendOne" "$claims/alice.sqlite" 1.00 0)
read -r listening <&3
received="$("$bin/ReceiveAndDecide" "$claims/bob.sqlite" 5 "127.0.0.1:${listening##* }")"
read -r sent <&3
echo "examples: $sent; $received"
[[ "$sent; $received" == "delivered 1.00 USDC to bob; received 1.00 USDC" ]]

Examples/quickstart.sh
