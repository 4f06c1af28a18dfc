#!/usr/bin/env bash
# Tests/Tools/Fuzz/run.sh SECONDS [TARGET…]: builds the fuzzer, and runs the targets named, or all, for that long each.
#
# Every run begins with the target's corpus and leaves it as it is. Exits with 1 where something was found, and keeps the
# input that shows it, and the log, in .build/findings of the project; with 2 where it could not run. Needs what
# Tests/run.sh installs, and Swift.
set -uo pipefail
cd "$(dirname "$0")" || exit 2
exec </dev/null

# The longest input: room for what the protocol allows, and some more.
declare -A max_len=(
  [Associations]=2048 [DNSMessages]=9001 [Duet]=512 [Frames]=4096 [Handshake]=128 [Links]=1100 [Messages]=1200 [Multicast]=2048
  [MultipeerFrames]=1024 [MultipeerLink]=512 [Names]=256
  [Nostr]=4096 [PropertyLists]=2048 [Session]=1024 [TXTRecords]=2048 [URLs]=2100 [VCards]=4096 [Wallet]=200
)
memory_mb=1024

fail() {
  echo "Tests/Tools/Fuzz/run.sh: $1" >&2
  exit 2
}

[[ "${1-}" =~ ^[1-9][0-9]*$ ]] || fail "usage: Tests/Tools/Fuzz/run.sh SECONDS [TARGET…]; targets: $(cd Corpus && echo *)"
seconds="$1"
shift
targets=("$@")
((${#targets[@]})) || targets=($(cd Corpus && echo *))
for target in "${targets[@]}"; do
  [[ -n "${max_len[$target]-}" ]] || fail "no target $target; there are $(cd Corpus && echo *)"
done

# The sanitizer's flag is for BumpKit's modules too, or the fuzzer would be blind in them. Only lld can link it: SwiftPM
# defines main as well. With Swift's own backtraces a crash hangs.
export SWIFT_BACKTRACE=enable=no
export BUMP_FUZZ=1
build=(swift build --configuration release
  -Xswiftc -sanitize=fuzzer -Xswiftc -enable-testing -Xswiftc -use-ld=lld)
"${build[@]}" >&2 || fail "the build failed"
bin="$("${build[@]}" --show-bin-path)" || fail "the build failed"

work="$(realpath ../../..)/.build/findings"
rm -rf "$work"
mkdir -p "$work" || fail "no room in $work"
trap 'rm -r "$work"; exit 130' INT TERM
found=0
ulimit -c 0

figure() { sed -n "s/^stat::$1: *//p" "$work/$target/log"; }

for target in "${targets[@]}"; do
  mkdir "$work/$target" && cp -r "Corpus/$target" "$work/$target/corpus" || fail "no room for the corpus of $target"
  FUZZ_TARGET="$target" "$bin/Fuzz" -max_total_time="$seconds" -max_len="${max_len[$target]}" -rss_limit_mb="$memory_mb" -timeout=10 \
    -print_final_stats=1 -artifact_prefix="$work/$target/" "$work/$target/corpus" >"$work/$target/log" 2>&1
  status=$?
  edges="$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$work/$target/log" | tail -n 1)"
  did="$(figure number_of_executed_units) runs, ${edges:-0} edges, $(figure peak_rss_mb) MB"
  if ((status == 0)); then
    echo "$target: nothing found in $seconds s ($did)"
    rm -r "${work:?}/$target"
  else
    found=1
    input="$(find "$work/$target" -maxdepth 1 -type f ! -name log | head -n 1)"
    why="$(grep -m 1 -E 'Fatal error|ERROR: libFuzzer' "$work/$target/log")"
    echo "$target: FOUND ${why:-exit status $status} ($did)"
    echo "  input: ${input:-none}; log: $work/$target/log; again: SWIFT_BACKTRACE=enable=no FUZZ_TARGET=$target $bin/Fuzz ${input:-}"
  fi
done
((found)) || rm -r "$work"
exit "$found"
