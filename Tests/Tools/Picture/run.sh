#!/usr/bin/env bash
# Tests/Tools/Picture/run.sh [--binary FILE]: draws Docs/bump.svg, the moving picture of README.
#
# It records a real bump between two hosts made of namespaces, on two terminals, and draws what they showed. It builds the
# program, or takes FILE. Needs root, and PyPI for a terminal emulator, which goes into a folder that is removed at the end.
#
# Ends with 75 where PyPI does not give what it needs.
set -euo pipefail
exec </dev/null

bump=
case "$#${1-}" in
  0) ;;
  2--binary) bump="$(realpath "$2")" ;;
  *) echo "usage: Tests/Tools/Picture/run.sh [--binary FILE]" >&2 && exit 64 ;;
esac
cd "$(dirname "$0")/../../.."
source Tests/packages.sh
install_missing iproute2 python3-venv util-linux
if [[ -z "$bump" ]]; then
  need_swift Tests/Tools/Picture/run.sh
  install_missing "${build_packages[@]}"
  swift build "${traits[@]}" --product bump
  bump="$(swift build "${traits[@]}" --show-bin-path)/bump"
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/python"
"$work/python/bin/pip" --quiet --disable-pip-version-check install pyte==0.8.2 wcwidth==0.2.13 || exit 75
PYTHONPATH=Tests/Tools/Benchmarks PYTHONDONTWRITEBYTECODE=1 \
  timeout 120 "$work/python/bin/python" Tests/Tools/Picture/record.py "$bump" >"$work/recording.json"
PYTHONDONTWRITEBYTECODE=1 \
  "$work/python/bin/python" Tests/Tools/Picture/draw.py "$work/recording.json" >"$work/bump.svg"
install --mode 644 "$work/bump.svg" Docs/bump.svg
echo "wrote Docs/bump.svg, $(stat --format %s Docs/bump.svg) bytes"
