#!/usr/bin/env bash
# Tests/Tools/MultipeerFigures/run.sh [--program FILE]: measures what sessions of MultipeerConnectivity cost between two hosts
# made of namespaces, with a cable between them, in turns with an echo without a session. Prints one figure a line with the
# bound that it must keep, and ends with status 1 where one is missed.
#
# Without --program it builds one for a release. Needs root, what Tests/run.sh installs, and Swift.
set -euo pipefail
cd "$(dirname "$0")/../../.."
exec </dev/null

if [[ "${1-}" == --program ]]; then
  program="$(realpath "$2")"
else
  swift build -c release --product MultipeerFigures
  program="$(swift build -c release --show-bin-path)/MultipeerFigures"
fi

left="mpc-left-$$" right="mpc-right-$$"
started=()
end() {
  for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
  ip netns del "$left" 2>/dev/null || true
  ip netns del "$right" 2>/dev/null || true
}
trap end EXIT
ip netns add "$left"
ip netns add "$right"
ip -n "$left" link add cable type veth peer name cable netns "$right"
number=1
for host in "$left" "$right"; do
  ip -n "$host" link set lo up
  ip -n "$host" address add "192.0.2.$number/24" dev cable
  ip -n "$host" link set cable up
  number=2
done

# on HOST COMMAND…: runs a command there, where no daemon of this machine is seen.
on() {
  local host="$1"
  shift
  ip netns exec "$host" unshare --mount sh -c 'mount -t tmpfs -o mode=755 tmpfs /run && exec "$@"' sh "$@"
}

# begin HOST COMMAND…: starts a command there, whose input does not end, as a process that can be ended by its id.
mkfifo "${hold:=$(mktemp -u)}"
exec 3<>"$hold"
rm "$hold"
begin() {
  local host="$1"
  shift
  (exec ip netns exec "$host" unshare --mount sh -c 'mount -t tmpfs -o mode=755 tmpfs /run && exec "$@"' sh "$@" <&3) &
  started+=("$!")
}
# measure ARGUMENT…: figures from the left host.
status=0
measure() {
  local result=0
  on "$left" "$program" "$@" || result=$?
  ((result <= 1)) || exit "$result"
  ((result == 0)) || status=1
}

port=7000
for encryption in none required; do
  echo "-- encryption $encryption"
  kind=plain
  [[ "$encryption" == none ]] || kind=sealed
  begin "$right" "$program" echo-serve "$port" "$kind"
  until on "$left" bash -c "exec 4<>/dev/tcp/192.0.2.2/$port" 2>/dev/null; do
    sleep 0.1
  done
  begin "$right" "$program" serve "$encryption"
  measure connects "$encryption" 21
  measure throughput "$encryption" 192.0.2.2 "$port" 15
  measure messages "$encryption" 100000
  measure resource "$encryption" $((1 << 30))
  measure mesh "$encryption" 7
  for process in "${started[@]: -2}"; do
    kill "$process"
    wait "$process" 2>/dev/null || true
  done
  port=$((port + 1))
done
echo "-- within one process"
measure streams 200
measure sessions 1000
exit "$status"
