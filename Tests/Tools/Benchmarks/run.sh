#!/usr/bin/env bash
# Tests/Tools/Benchmarks/run.sh [--quick] [--binary FILE] [--before FILE]: measures bump and what is compared with it, on
# hosts made of namespaces, and prints the figures of Docs/performance.md and more to stdout.
#
# Installs what is missing, builds the release (or takes FILE), and does 20 runs of everything in about 25 minutes; with
# --quick one of each in two, with few claims and few pairs, to see that it works. With --before the bump of that file runs
# in turn with it. Needs root; the machine should have nothing else to do. The stores of the claims lie in TMPDIR, whose
# file system must be on a disk: on a tmpfs an fsync costs nothing.
set -euo pipefail
exec </dev/null

usage() {
  echo "usage: Tests/Tools/Benchmarks/run.sh [--quick] [--binary FILE] [--before FILE]" >&2
  exit 64
}

runs=20 binary="" built="a binary that was there" before=()
while (($#)); do
  case "$1" in
    --quick) runs=1 ;;
    --binary)
      [[ -f "${2-}" ]] || usage
      binary="$(realpath "$2")"
      shift
      ;;
    --before)
      [[ -f "${2-}" ]] || usage
      before=("$(realpath "$2")")
      shift
      ;;
    *) usage ;;
  esac
  shift
done
cd "$(dirname "$0")/../../.."

source Tests/packages.sh
packages=(
  avahi-daemon avahi-utils dbus iproute2 python3 strace tcpdump time util-linux
  # what bump is compared with
  magic-wormhole python3-magic-wormhole-mailbox-server python3-zeroconf
)
if [[ -z "$binary" ]]; then
  need_swift Tests/Tools/Benchmarks/run.sh
  packages+=("${build_packages[@]}")
fi
{
  install_missing "${packages[@]}"
  if [[ -z "$binary" ]]; then
    build=(swift build -c release --static-swift-stdlib --product bump)
    "${build[@]}"
    binary="$("${build[@]}" --show-bin-path)/bump"
    built="commit $(git describe --always --dirty)"
  fi
} >&2

# Debian's own Python, which sees Debian's packages. The processes of a run that hangs end with it.
exec timeout --kill-after 10 3600 /usr/bin/python3 Tests/Tools/Benchmarks/main.py "$binary" "$runs" "$built" "${before[@]}"
