#!/usr/bin/env bash
# Builds the reference of the libraries BumpKit, BumpMDNS and BumpTesting with DocC, and fails on its warnings.
#
#   Examples/documentation.sh [--output DIR]
#
# DIR gets an archive for each library, such as BumpKit.doccarchive, which a web server serves as it is. Without it
# nothing is kept: the documentation is only checked. DocC and the tool that reads the modules are part of Swift, so the
# package needs no plugin, and packages that depend on it resolve none.
set -euo pipefail

usage() {
  echo "usage: Examples/documentation.sh [--output DIR]" >&2
  exit 64
}

output=""
if (($#)); then
  [[ $# == 2 && "$1" == --output && -d "$2" ]] || usage
  output="$(realpath "$2")"
fi
cd "$(dirname "$0")/.."
source Tests/packages.sh
need_swift Examples/documentation.sh
install_missing "${build_packages[@]}"
work="$(mktemp -d)"
trap 'rm -r "$work"' EXIT

# BumpKit re-exports the modules below it, so they are documented with it.
declare -A modules=(
  [BumpKit]="BumpKit BumpClaims BumpDNSSD BumpDiscovery BumpNet BumpNoise BumpSession BumpStore BumpText BumpWire"
  [BumpMDNS]=BumpMDNS
  [BumpTesting]="BumpTesting"
)
for library in "${!modules[@]}"; do swift build "${traits[@]}" --target "$library"; done
bin="$(swift build "${traits[@]}" --show-bin-path)"

# The headers of the imported C modules, and the module maps that SwiftPM made for those without one.
options=(-target "$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)",/\1/p' | head -n 1)" -I "$bin/Modules")
while read -r map; do options+=(-I "$(dirname "$map")"); done < <(find Sources .build/checkouts/*/Sources -name module.modulemap)
for headers in .build/checkouts/*/Sources/*/include; do options+=(-I "$headers"); done
for map in "$bin"/{CNIO*,CSystemCalls}.build/module.modulemap; do options+=(-Xcc "-fmodule-map-file=$map"); done

found=0
for library in "${!modules[@]}"; do
  graphs="$work/$library"
  mkdir "$graphs"
  for module in ${modules[$library]}; do
    swift symbolgraph-extract -module-name "$module" "${options[@]}" -minimum-access-level public -output-dir "$graphs"
  done
  docc convert Sources/*/"$library/$library.docc" --additional-symbol-graph-dir "$graphs" --ide-console-output \
    --fallback-display-name "$library" --fallback-bundle-identifier "bump.$library" \
    --output-dir "${output:-$work}/$library.doccarchive" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  # A parameter whose name says all needs no words, though DocC asks for some where another parameter has them.
  if grep --extended-regexp ': (warning|error): ' "$work/log" | grep --invert-match 'is missing documentation' >&2; then
    found=1
  else
    echo "$library: documented without a warning"
  fi
done
exit "$found"
