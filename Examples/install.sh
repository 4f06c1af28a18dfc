#!/usr/bin/env bash
# Builds bump and bump-clip and installs them, their manual pages and their completions; or removes exactly these.
#
#   Examples/install.sh [--prefix DIR] [--binary FILE]
#   Examples/install.sh --uninstall [--prefix DIR]
#
# DIR is /usr/local by default. If it cannot be written, the script uses sudo: the build itself needs no root.
# With --binary it installs that bump, and the bump-clip beside it if there is one, and builds nothing: the machine needs
# no Swift, only the libraries of bump, which apt-get installs where there is one. Build such programs with
# --static-swift-stdlib.
# The server of a vault, bump-vault, is not installed: Docs/vault.md says how to build it.
# DESTDIR, for those who make packages, comes before every path. Claims are never touched.
set -euo pipefail

usage() {
  echo "usage: Examples/install.sh [--uninstall] [--prefix DIR] [--binary FILE]" >&2
  exit 64
}

prefix=/usr/local binary="" uninstall=false
while (($#)); do
  case "$1" in
    --prefix)
      [[ -n "${2-}" ]] || usage
      prefix="$2"
      shift
      ;;
    --binary)
      [[ -f "${2-}" ]] || usage
      binary="$(realpath "$2")"
      shift
      ;;
    --uninstall) uninstall=true ;;
    *) usage ;;
  esac
  shift
done
root="$(realpath --canonicalize-missing "${DESTDIR-}$prefix")"

cd "$(dirname "$0")/.."
source Tests/packages.sh

programs=(bump bump-clip)

# files PROGRAM: where its files go.
files() {
  program="$root/bin/$1"
  manuals="$root/share/man/man1"
  bash_completion="$root/share/bash-completion/completions/$1"
  zsh_completion="$root/share/zsh/site-functions/_$1"
  fish_completion="$root/share/fish/vendor_completions.d/$1.fish"
}

# pages_of PROGRAM DIRECTORY: the manual pages of a program and its commands there.
pages_of() {
  for page in "$2/$1.1" "$2/$1"-*.1; do
    if [[ ! -f "$page" || ("$1" == bump && "$page" == "$2/bump-clip"[.-]*) ]]; then continue; fi
    echo "$page"
  done
}

# Chooses who writes there: this user, or root.
nearest="$root"
until [[ -e "$nearest" ]]; do nearest="$(dirname "$nearest")"; done
as_owner() { if [[ -w "$nearest" ]]; then "$@"; else as_root "$@"; fi; }

if "$uninstall"; then
  for name in "${programs[@]}"; do
    files "$name"
    mapfile -t pages < <(pages_of "$name" "$manuals")
    for file in "$program" "${pages[@]}" "$bash_completion" "$zsh_completion" "$fish_completion"; do
      if [[ -e "$file" || -L "$file" ]]; then
        as_owner rm "$file"
        echo "removed $file"
      else
        echo "not there: $file"
      fi
    done
  done
  exit
fi

if [[ -z "$binary" ]]; then
  need_swift Examples/install.sh
  install_missing "${build_packages[@]}"
  build=(swift build -c release --static-swift-stdlib)
  for name in "${programs[@]}"; do "${build[@]}" --product "$name"; done
  binary="$("${build[@]}" --show-bin-path)/bump"
fi
clip="$(dirname "$binary")/bump-clip"
work="$(mktemp -d)"
trap 'rm -r "$work"' EXIT

# Checks that the program runs here, before it is installed.
runs() { "$binary" --version >/dev/null 2>"$work/why"; }
if ! runs && command -v apt-get >/dev/null; then install_missing "${run_packages[@]}"; fi
if ! runs; then
  cat "$work/why" >&2
  echo "Examples/install.sh: $binary does not run on this machine, and is not installed." >&2
  echo "It needs what ${run_packages[*]} are on Debian, and must be built with --static-swift-stdlib." >&2
  exit 1
fi

# Removes debug symbols if binutils are installed.
strip=()
if command -v strip >/dev/null; then strip=(--strip); fi

# put FILE TO OPTION…: replaces a file atomically.
put() {
  as_owner install -D "${@:3}" "$1" "$2.new"
  as_owner mv --no-target-directory "$2.new" "$2"
  echo "installed $2"
}
for name in "${programs[@]}"; do
  files "$name"
  built="$binary"
  if [[ "$name" == bump-clip ]]; then
    [[ -f "$clip" ]] || continue
    built="$clip"
  fi
  for shell in bash zsh fish; do "$built" --generate-completion-script "$shell" >"$work/$shell"; done
  put "$built" "$program" "${strip[@]}" --mode 755
  while read -r page; do put "$page" "$manuals/$(basename "$page")" --mode 644; done < <(pages_of "$name" Docs/man)
  put "$work/bash" "$bash_completion" --mode 644
  put "$work/zsh" "$zsh_completion" --mode 644
  put "$work/fish" "$fish_completion" --mode 644
done
