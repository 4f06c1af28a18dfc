#!/usr/bin/env bash
# A real transfer in one command, on one machine: two hosts with a cable between them, a sender on one,
# a receiver on the other, and a script that answers for their people. Then a send without a receiver, which ends with a
# QR code.
#
# Examples/quickstart.sh --vault shows instead the whole life of a claim with money behind it: test money, a send whose amount
# a vault locks, the bump, the claim, its receipt, the balances, and a claim that expires and is refunded. Where chromium is
# installed, it opens the vault's page with that receipt. It builds the vault's server too, which takes minutes more the
# first time.
#
# Examples/quickstart.sh --chain shows such a life with a contract in place of the vault's books: a chain of its own, which
# py-evm runs, the deployment of the contract, a claim, its receipt, and a claim that expires and is refunded.
#
# Each host is a set of Linux namespaces with its own network and /run, and no daemon: the two find each other by bump's
# own multicast DNS. The hosts cannot be seen from outside, and end with their first process: nothing is left behind.
# Needs Debian 12, Swift, and root or sudo.
set -euo pipefail
cd "$(dirname "$0")/.."

case "$*" in
  '') with= ;;
  --vault | --chain) with="${1#--}" BUMP_TRAITS=Vault ;;
  *) echo "usage: Examples/quickstart.sh [--vault | --chain]" >&2 && exit 64 ;;
esac
source Tests/packages.sh
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

# The first process of a host: prints its process id, and waits until its input, a pipe of this script, ends.
# The kernel then kills all other processes of the host.
host() {
  as_root unshare --mount --net --pid --fork --kill-child sh -ec '
    mount -t tmpfs -o mode=755 tmpfs /run
    mount -t tmpfs tmpfs /dev/shm
    ip link set lo up
    read -r pid rest </proc/self/stat # our number outside, by which the host is entered
    mount -t proc proc /proc          # its own processes, by their numbers inside
    echo "$pid"
    exec cat >/dev/null'
}

# on NAME COMMAND…: runs a command on that host, without this script's ends of the hosts' inputs. In a shell of its own:
# this one would keep copies of what it closes for the time of the command, and a host would not end with Ctrl-C.
on() (
  exec 3>&- 4>&-
  as_root nsenter --target "${first[$1]}" --mount --net --pid -- "${@:2}"
)

# person NAME COMMAND…: runs a command on that host, with that display name and a store in the host's /run/bump.
person() {
  on "$1" env HOME=/run XDG_DATA_HOME=/run BUMP_NAME="$1" LC_ALL=C.UTF-8 TERM="${TERM:-xterm}" \
    "${clock[@]}" "${@:2}"
}
# What is put before the commands, where their clock is not the machine's.
clock=()

# asked NAME COMMAND…: runs a command on a terminal of that host, types y where it asks, and prints NAME before each line
# of its output.
asked() {
  local keys
  mkfifo "$work/$1.keys"
  exec {keys}<>"$work/$1.keys"
  # A dumb terminal has each line stay. What script(1) itself says is of its end by Ctrl-C.
  TERM=dumb person "$1" sh -c 'exec script --quiet --return --command "$*" /dev/null 2>/dev/null' sh "${@:2}" <&"$keys" |
    yes_to "$keys" | sed --unbuffered "s/\r$//; s/^/$(printf '%-5s' "$1") │ /"
}

# yes_to FD: copies its input, and types y to FD where a question ends.
yes_to() {
  local character line=
  while IFS= read -r -N 1 character; do
    printf '%s' "$character"
    line+="$character"
    case "$line" in
      *'[y/n'*']') echo y >&"$1" && line= ;;
      *$'\n') line= ;;
    esac
  done
}

# Closes the hosts' inputs, which ends the hosts and all that runs on them.
declare -A first=()
hosts=()
end() {
  trap '' INT TERM HUP
  exec 3>&- 4>&-
  # Some may be gone already, with this script's Ctrl-C.
  wait "${hosts[@]}" ${sending:+"$sending"} 2>/dev/null || true
  rm -rf "$work"
}

need_swift Examples/quickstart.sh
[[ "$with" != chain ]] || source Tests/Tools/Chain/python.sh
install_missing "${build_packages[@]}" iproute2 util-linux ${with:+curl faketime libpq-dev openssl}

say "Building bump (debug, which is the quicker build; the first time it takes minutes)"
swift build "${traits[@]}" --product bump
[[ -z "$with" ]] || swift build "${traits[@]}" --product bump-vault
bump="$(swift build "${traits[@]}" --show-bin-path)/bump"

work="$(mktemp -d)"
sending=
trap end EXIT
trap 'exit 130' INT TERM HUP

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

# A busy machine may take longer than the ten seconds in which the two otherwise have to meet.
patience=(--discovery-timeout 60)
if [[ -n "$with" ]]; then
  source Examples/quickstart-money.sh
  source "Examples/quickstart-$with.sh"
  exit
fi

say "bump send 1.00 on one, bump receive on the other: both are asked, with the same digits on both screens"
asked alice "$bump" send 1.00 "${patience[@]}" 3>&- 4>&- &
sending=$!
asked bob "$bump" receive "${patience[@]}"
wait "$sending"

say "The same with nobody near: after 2 s (10 where nothing is said) the claim becomes a QR code"
send=(person alice "$bump" send 1.00 --discovery-timeout 2)
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
