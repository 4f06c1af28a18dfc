#!/usr/bin/env bash
# A real bump in one command, on one machine: two hosts with a cable between them, a sender on one,
# a receiver on the other. Then a send with nobody near, which ends in a QR code.
#
# Each host is a set of Linux namespaces with a network and a /run of its own, and no daemon: bump finds the other by
# multicast DNS of its own. Nothing of that is seen from outside, and it is gone when the host's first process is:
# nothing is left behind.
# Needs Debian 12, Swift, and root or sudo.
set -euo pipefail
cd "$(dirname "$0")/.."

source Tests/packages.sh
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

# The first process of a host: it tells its process id, then waits until its input, a pipe of ours, ends.
# The kernel ends every other process of the host with it.
host() {
  as_root unshare --mount --net --pid --fork --kill-child sh -ec '
    mount -t tmpfs tmpfs /run
    ip link set lo up
    read -r pid rest </proc/self/stat # our number outside, by which the host is entered
    mount -t proc proc /proc          # its own processes, by their numbers inside
    echo "$pid"
    exec cat >/dev/null'
}

# on NAME COMMAND…: runs a command as a process of that host, without our ends of the hosts' inputs.
on() { as_root nsenter --target "${first[$1]}" --mount --net --pid -- "${@:2}" 3>&- 4>&-; }

# person NAME COMMAND…: runs it on that host, as somebody of that name whose claims lie in the host's /run/bump.
person() {
  on "$1" env HOME=/run XDG_DATA_HOME=/run BUMP_NAME="$1" LC_ALL=C.UTF-8 TERM="${TERM:-xterm}" \
    "${@:2}"
}

# labelled NAME COMMAND…: runs it with NAME before each line it writes.
labelled() { "${@:2}" 2>&1 | sed --unbuffered "s/^/$(printf '%-5s' "$1") │ /"; }

# When their inputs end, the hosts end.
declare -A first=()
hosts=()
end() {
  exec 3>&- 4>&-
  wait "${hosts[@]}"
  rm -rf "$work"
}

need_swift Examples/quickstart.sh
install_missing "${build_packages[@]}" iproute2 util-linux

say "Building bump (debug, which is the quicker build; the first time it takes minutes)"
swift build --product bump
bump="$(swift build --show-bin-path)/bump"

work="$(mktemp -d)"
trap end EXIT

say "Two hosts, alice and bob, and a cable between them"
as_root true # asks for a password once, and not in the background
mkfifo "$work/alice" "$work/bob"
exec 3> >(host >"$work/alice")
hosts+=($!)
read -r "first[alice]" <"$work/alice"
exec 4> >(exec 3>&- && host >"$work/bob")
hosts+=($!)
read -r "first[bob]" <"$work/bob"
on alice ip link add cable type veth peer name plug
as_root nsenter --target "${first[alice]}" --net -- ip link set plug netns "${first[bob]}" name cable
on alice ip address add 10.77.0.1/24 dev cable
on alice ip link set cable up
on bob ip address add 10.77.0.2/24 dev cable
on bob ip link set cable up

say "bump send --amount 1.00 --name alice on one, bump receive --name bob on the other"
{ labelled alice person alice "$bump" send --amount 1.00 --name alice; } 3>&- 4>&- &
sending=$!
labelled bob person bob "$bump" receive --name bob
wait "$sending"

say "The same with nobody near: after 2 s (10 where nothing is said) the claim becomes a QR code"
send=(person alice "$bump" send --amount 1.00 --name alice --discovery-timeout 2)
if [[ ! -t 0 || ! -t 1 || ! -t 2 ]]; then
  # A QR code is for people: bump gets a terminal, even where we have none.
  send=(person alice script --quiet --return --command "stty rows 24 cols 80; ${send[*]:2}" /dev/null)
fi
status=0
"${send[@]}" || status=$?
if ((status != 3)); then
  echo "quickstart.sh: bump send ended with $status where 3, nobody found, was due" >&2
  exit 1
fi
say "Nobody was found: exit status 3. Whoever scans the code has the claim."
