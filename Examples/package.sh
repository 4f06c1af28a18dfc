#!/usr/bin/env bash
# Builds a Debian package of bump: bump_VERSION-1_ARCHITECTURE.deb.
#
#   Examples/package.sh [--binary FILE] [--output DIR]
#
# DIR is the current directory by default. With --binary it packages that bump, and the bump-clip beside it if there is
# one, and builds nothing; they must have been built with --static-swift-stdlib. Swift's runtime is part of the programs,
# so the package depends on Debian's libraries only, in the versions of the build machine: build on the oldest Debian that the package is for.
#
# The maintainer is DEBFULLNAME <DEBEMAIL>, or else the author of the last commit. The dates in the package are
# SOURCE_DATE_EPOCH, or else the date of the last commit: the same program makes the same package, byte for byte.
set -euo pipefail
umask 022

usage() {
  echo "usage: Examples/package.sh [--binary FILE] [--output DIR]" >&2
  exit 64
}

output="$PWD" binary=""
while (($#)); do
  case "$1" in
    --binary)
      [[ -f "${2-}" ]] || usage
      binary="$(realpath "$2")"
      ;;
    --output)
      [[ -d "${2-}" ]] || usage
      output="$(realpath "$2")"
      ;;
    *) usage ;;
  esac
  shift 2
done

cd "$(dirname "$0")/.."
source Tests/packages.sh
need_swift Examples/package.sh
install_missing "${build_packages[@]}" "${package_packages[@]}"

last_commit() { git -c safe.directory="$PWD" log --max-count=1 --format="$1"; }
SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(last_commit %ct)}"
export SOURCE_DATE_EPOCH
maintainer="${DEBFULLNAME:-$(last_commit %an)} <${DEBEMAIL:-$(last_commit %ae)}>"

if [[ -z "$binary" ]]; then
  build=(swift build -c release --static-swift-stdlib)
  for name in bump bump-clip; do "${build[@]}" --product "$name"; done
  binary="$("${build[@]}" --show-bin-path)/bump"
fi
version="$("$binary" --version)-1"
architecture="$(dpkg --print-architecture)"

work="$(mktemp -d)"
trap 'rm -r "$work"' EXIT
tree="$work/debian/bump"
documents="$tree/usr/share/doc/bump"
DESTDIR="$tree" Examples/install.sh --prefix /usr --binary "$binary" >/dev/null
# Debian's zsh has different directories for completions of packages and of administrators.
mkdir "$tree/usr/share/zsh/vendor-completions"
mv "$tree/usr/share/zsh/site-functions/"* "$tree/usr/share/zsh/vendor-completions/"
rmdir "$tree/usr/share/zsh/site-functions"
# A completion is sourced, and needs no interpreter of its own.
sed --in-place '1 { /^#!/d }' "$tree/usr/share/bash-completion/completions/"*
gzip --best --no-name "$tree/usr/share/man/man1/"*

mkdir -p "$documents"
gzip --best --no-name --stdout CHANGELOG.md >"$documents/changelog.gz"
gzip --best --no-name >"$documents/changelog.Debian.gz" <<EOF
bump ($version) unstable; urgency=medium

  * Package version ${version%-*}. changelog.gz says what is new in it.

 -- $maintainer  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
EOF

# The libraries that are linked into the program.
swift package resolve
while read -r -d '' text; do
  printf '\n==== %s\n\n' "${text#.build/checkouts/}"
  cat "$text"
done < <(find .build/checkouts -maxdepth 2 \( -iname 'LICENSE*' -o -iname 'NOTICE*' \) -print0 | sort --zero-terminated) |
  gzip --best --no-name >"$documents/NOTICES.gz"

cat >"$documents/copyright" <<EOF
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: bump
Comment:
 The program contains, linked statically, the Swift packages whose licenses and
 notices are in NOTICES.gz, and the runtime of Swift: Apache-2.0 with its Runtime
 Library Exception. Swift's Foundation contains ICU, under the Unicode License
 (https://www.unicode.org/license.txt).

Files: *
Copyright: 2026 the authors of bump
License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
EOF

# libcurl is loaded with the first request to a vault, which dpkg-shlibdeps does not see.
# dpkg-shlibdeps reads which package it is for from debian/control, and knows the package's tree by its DEBIAN.
mkdir "$tree/DEBIAN"
printf 'Source: bump\n\nPackage: bump\nArchitecture: %s\n' "$architecture" >"$work/debian/control"
depends="$(cd "$work" && dpkg-shlibdeps -O debian/bump/usr/bin/*)"

(cd "$tree" && find usr -type f -print0 | sort --zero-terminated | xargs --null md5sum) >"$tree/DEBIAN/md5sums"
cat >"$tree/DEBIAN/control" <<EOF
Package: bump
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du --summarize --apparent-size --block-size=1024 "$tree/usr" | cut --fields=1)
Depends: ${depends#shlibs:Depends=}, libcurl4
Suggests: avahi-daemon
Section: net
Priority: optional
Description: hand a payment claim to a computer nearby
 bump send on one computer and bump receive on another one on the same network
 hand over a payment claim, once, without an account, a server or the internet.
 .
 The two find each other by multicast DNS, through avahi-daemon or without it,
 and talk over an encrypted session, on request with a code or a shared key.
 Where nobody is near, the same claim becomes a link and a QR code.
 .
 bump-clip follows the links of App Clips and checks their projects.
EOF

package="$output/bump_${version}_$architecture.deb"
dpkg-deb --root-owner-group --build "$tree" "$package" >/dev/null
echo "$package"
