#!/usr/bin/env bash
# Writes the manual page, Docs/bump.1, from bump's own help and from Docs/manual.mdoc.
#
#   Examples/manual.sh [--check]
#
# With --check it writes nothing, and exits with 1 where the page does not say what the help does. The page is part of
# the repository so that it can be read and installed where there is no Swift.
set -euo pipefail

if (($# > 1)) || [[ "${1---check}" != --check ]]; then
  echo "usage: Examples/manual.sh [--check]" >&2
  exit 64
fi

cd "$(dirname "$0")/.."
source Tests/packages.sh
need_swift Examples/manual.sh
install_missing "${build_packages[@]}"

# Of swift-argument-parser's plugin we take the tool: the plugin itself builds all products once more, and not as these.
swift build --product bump
swift build --product generate-manual
bin="$(swift build --show-bin-path)"
work="$(mktemp -d)"
trap 'rm -r "$work"' EXIT
"$bin/generate-manual" "$bin/bump" --output-directory "$work"

# The tool knows no version, and what it cannot know of the exit status and the rest is in Docs/manual.mdoc.
awk -v version="$("$bin/bump" --version)" -v more=Docs/manual.mdoc '
  /^\.Os/ { $0 = ".Os bump " version }
  /^\.Sh / { inside = 0 }
  /^\.Sh "?EXIT STATUS/ { inside = 1; while ((getline line <more) > 0) print line }
  !inside' "$work/bump.1" >"$work/page"

# The date alone makes no new page.
undated() { grep --invert-match '^\.Dd ' "$1"; }
if [[ -e Docs/bump.1 ]] && cmp --silent <(undated Docs/bump.1) <(undated "$work/page"); then
  echo "Docs/bump.1 says what the help says"
elif [[ "${1-}" == --check ]]; then
  echo "Examples/manual.sh: Docs/bump.1 does not say what the help says. Run Examples/manual.sh and commit the page." >&2
  diff --unified=0 <(undated Docs/bump.1) <(undated "$work/page") >&2 || true
  exit 1
else
  install --mode 644 "$work/page" Docs/bump.1
  echo "wrote Docs/bump.1"
fi
