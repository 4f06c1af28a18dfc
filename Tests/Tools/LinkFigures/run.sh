#!/usr/bin/env bash
# Tests/Tools/LinkFigures/run.sh [RUNS]: measures routing beside Foundation, `bump-clip lint` of 2,000 files, and a card between
# two hosts made of namespaces beside a claim. Prints the figures of Docs/performance.md and more, and exits with 1 where a bound is
# missed.
#
# Installs what is missing, and builds the release. Needs root. What is measured runs before all else on the machine, by a
# real-time priority. Stores lie in TMPDIR, whose file system must be on a disk.
set -euo pipefail
cd "$(dirname "$0")/../../.."
exec </dev/null

runs="${1:-20}"
if (($# > 1)) || [[ ! "$runs" =~ ^[1-9][0-9]*$ ]]; then
  echo "usage: Tests/Tools/LinkFigures/run.sh [RUNS]" >&2
  exit 64
fi
source Tests/packages.sh
need_swift Tests/Tools/LinkFigures/run.sh
install_missing "${build_packages[@]}" binutils iproute2 python3 util-linux valgrind

build=(swift build -c release --static-swift-stdlib)
"${build[@]}" --product bump >&2
"${build[@]}" --product LinkFigures >&2
bin="$("${build[@]}" --show-bin-path)"
chrt --fifo 5 python3 -B Tests/Tools/LinkFigures/figures.py "$bin/bump" "$bin/LinkFigures" "$runs"
