#!/usr/bin/env bash
# Writes the manual page, Docs/bump.1, from bump's own help and from Docs/manual.mdoc.
#
#   Examples/manual.sh [--check]
#
# With --check it writes nothing, and exits with 1 if the page differs from the help. The page is in the repository so
# that it can be read and installed without Swift.
set -euo pipefail

if (($# > 1)) || [[ "${1---check}" != --check ]]; then
  echo "usage: Examples/manual.sh [--check]" >&2
  exit 64
fi

cd "$(dirname "$0")/.."
source Tests/packages.sh
need_swift Examples/manual.sh
install_missing "${build_packages[@]}"

# Runs the tool of swift-argument-parser's plugin: the plugin itself would build all products again, with other options.
swift build "${traits[@]}" --product bump
swift build "${traits[@]}" --product generate-manual
bin="$(swift build "${traits[@]}" --show-bin-path)"
work="$(mktemp -d)"
trap 'rm -r "$work"' EXIT
"$bin/generate-manual" "$bin/bump" --output-directory "$work"

# Adds the version, and from Docs/manual.mdoc the exit status and other sections that the tool does not know.
awk -v version="$("$bin/bump" --version)" -v more=Docs/manual.mdoc '
  /^\.Os/ { $0 = ".Os bump " version }
  /^\.Sh / { inside = 0 }
  /^\.Sh "?EXIT STATUS/ { inside = 1; while ((getline line <more) > 0) print line }
  !inside' "$work/bump.1" >"$work/page"

# Ignores the date.
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
