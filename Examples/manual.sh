#!/usr/bin/env bash
# Writes the manual page, Docs/bump.1, from bump's own help, Docs/manual.mdoc, and the examples of README.
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

# The examples are those of README's "Use it".
{
  cat Docs/manual.mdoc
  printf '.Sh EXAMPLES\n.Bl -tag -width Ds\n'
  awk '/^## Use it/ { inside = 1 }
    inside && /^    / { split($0, part, / +# /); printf ".It Li \"%s\"\n\\&%s\n", substr(part[1], 5), part[2]; any = 1 }
    any && /^$/ { exit }' README.md
  printf '.El\n'
} >"$work/more"

# Adds the version, and the exit status and other sections that the tool does not know.
awk -v version="$("$bin/bump" --version)" -v more="$work/more" '
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
