#!/usr/bin/env bash
# Writes the manual pages, Docs/bump.1 and Docs/bump-clip.1, from the programs' own help, Docs/manual.mdoc and
# Docs/manual-clip.mdoc, and the examples of Docs/using.md and Docs/app-clips.md.
#
#   Examples/manual.sh [--check]
#
# With --check it writes nothing, and exits with 1 if a page differs from the help. The pages are in the repository so
# that they can be read and installed without Swift.
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
for product in bump bump-clip generate-manual; do swift build "${traits[@]}" --product "$product"; done
bin="$(swift build "${traits[@]}" --show-bin-path)"
work="$(mktemp -d)"
trap 'rm -r "$work"' EXIT

# Ignores the date.
undated() { grep --invert-match '^\.Dd ' "$1"; }

# page PROGRAM SECTIONS DOCUMENT HEADING [--check]: the examples are the first code block below the document's heading.
page() {
  local name="$1" page="Docs/$1.1"
  "$bin/generate-manual" "$bin/$name" --output-directory "$work"
  {
    cat "$2"
    printf '.Sh EXAMPLES\n.Bl -tag -width Ds\n'
    awk -v heading="## $4" '$0 == heading { inside = 1 }
      inside && /^    / { split($0, part, / +# /); printf ".It Li \"%s\"\n\\&%s\n", substr(part[1], 5), part[2]; any = 1 }
      any && /^$/ { exit }' "$3"
    printf '.El\n'
  } >"$work/more"

  # Adds the version, and the exit status and other sections that the tool does not know.
  awk -v version="$name $("$bin/$name" --version)" -v more="$work/more" '
    /^\.Os/ { $0 = ".Os " version }
    /^\.Sh / { inside = 0 }
    /^\.Sh "?EXIT STATUS/ { inside = 1; while ((getline line <more) > 0) print line }
    !inside' "$work/$name.1" >"$work/page"

  if [[ -e "$page" ]] && cmp --silent <(undated "$page") <(undated "$work/page"); then
    echo "$page says what the help says"
  elif [[ "${5-}" == --check ]]; then
    echo "Examples/manual.sh: $page does not say what the help says. Run Examples/manual.sh and commit the page." >&2
    diff --unified=0 <(undated "$page") <(undated "$work/page") >&2 || true
    return 1
  else
    install --mode 644 "$work/page" "$page"
    echo "wrote $page"
  fi
}
page bump Docs/manual.mdoc Docs/using.md 'Use it' "$@"
page bump-clip Docs/manual-clip.mdoc Docs/app-clips.md 'Use it' "$@"
