#!/usr/bin/env bash
# Writes the manual pages in Docs/man, one for each command, from the programs' own help, Docs/manual.mdoc and
# Docs/manual-clip.mdoc, and the examples of Docs/using.md and Docs/app-clips.md.
#
#   Examples/manual.sh [--check]
#
# With --check it writes nothing, and exits with 1 if a page differs from the help. The pages are in the repository so
# that they can be read and installed without Swift.
set -euo pipefail
shopt -s nullglob

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
mkdir "$work/pages"

# examples COMMAND DOCUMENT HEADING: those of a command, from the first code block below the document's heading.
examples() {
  awk -v command="$1 " -v heading="## $3" '$0 == heading { inside = 1 }
    inside && /^    / {
      any = 1
      split(substr($0, 5), part, / +# /)
      call = part[1]
      sub(/^.*\| */, "", call)
      if (index(call " ", command) != 1) next
      if (!count++) print ".Sh EXAMPLES\n.Bl -tag -width Ds"
      printf ".It Li \"%s\"\n\\&%s\n", part[1], part[2]
    }
    any && /^$/ { exit }
    END { if (count) print ".El" }' "$2"
}

# commands FILE…: the pages of subcommands, each with its purpose.
commands() {
  local file
  (($#)) || return 0
  printf '.Sh COMMANDS\n.Bl -tag -width Ds\n'
  for file in "$@"; do
    printf '.It Xr %s 1\n' "$(basename "$file" .1 | tr . -)"
    sed --quiet 's/^\.Nd "\(.*\)"$/\1/p' "$file"
  done
  printf '.El\n'
}

# page PROGRAM SECTIONS DOCUMENT HEADING: writes the program's pages into the work directory.
page() {
  local program="$1" version base end file other
  version="$program $("$bin/$program" --version)"
  mkdir "$work/$program"
  "$bin/generate-manual" "$bin/$program" --multi-page --output-directory "$work/$program"
  rm --force "$work/$program"/*.help.1
  for file in "$work/$program"/*.1; do
    base="$(basename "$file" .1)"
    examples "${base//./ }" "$3" "$4" >"$work/examples"
    # Its subcommands' pages, not those below them.
    local below=()
    for other in "$work/$program/$base".*.1; do
      [[ "$(basename "$other" .1)" == "$base".*.* ]] || below+=("$other")
    done
    end="$work/end"
    {
      commands "${below[@]}"
      if [[ "$base" == "$program" ]]; then
        cat "$2"
      else
        printf '.Sh ENVIRONMENT , FILES AND EXIT STATUS\nSee\n.Xr %s 1 .\n' "$program"
      fi
    } >"$end"
    # Examples come first. The tool does not know the version, the exit status and other sections.
    awk -v version="$version" -v examples="$work/examples" -v end="$end" '
      /^\.Os/ { $0 = ".Os " version }
      /^\.Dt / { gsub(/\./, "-", $2); $0 = ".Dt " $2 " " $3 }
      # In NAME a page has one word, by which man finds it.
      /^\.Nm "/ { call = $0; gsub(/"/, ""); gsub(/ /, "-"); sub(/-/, " ") }
      /^\.Nm$/ && call { $0 = call }
      /^\.Sh SYNOPSIS/ { while ((getline line <examples) > 0) print line }
      /^\.Sh / { inside = 0 }
      /^\.Sh "?(EXIT STATUS|SEE ALSO)/ { inside = 1 }
      !inside
      END { while ((getline line <end) > 0) print line }' "$file" >"$work/pages/${base//./-}.1"
  done
}
page bump Docs/manual.mdoc Docs/using.md 'Use it'
page bump-clip Docs/manual-clip.mdoc Docs/app-clips.md 'Use it'

# Ignores the date.
undated() { grep --invert-match '^\.Dd ' "$1"; }

status=0
mkdir --parents Docs/man
for file in "$work/pages"/*.1; do
  page="Docs/man/$(basename "$file")"
  if [[ -e "$page" ]] && cmp --silent <(undated "$page") <(undated "$file"); then
    continue
  elif [[ "${1-}" == --check ]]; then
    echo "Examples/manual.sh: $page does not say what the help says. Run Examples/manual.sh and commit the page." >&2
    if [[ -e "$page" ]]; then diff --unified=0 <(undated "$page") <(undated "$file") >&2 || true; fi
    status=1
  else
    install --mode 644 "$file" "$page"
    echo "wrote $page"
  fi
done
for page in Docs/man/*.1; do
  if [[ -e "$work/pages/$(basename "$page")" ]]; then continue; fi
  if [[ "${1-}" == --check ]]; then
    echo "Examples/manual.sh: $page is of no command. Run Examples/manual.sh." >&2
    status=1
  else
    rm "$page"
    echo "removed $page"
  fi
done
if ((!status)); then echo "The manual pages say what the help says."; fi
exit "$status"
