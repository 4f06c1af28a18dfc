#!/usr/bin/env bash
# Tests/Tools/Package/run.sh [--binary FILE]: builds the Debian package, and tries it on a Debian 12 that has nothing else.
#
# That Debian is made by debootstrap in a directory of its own, and has no Swift. There the package is installed with what
# it depends on, two users hand over a claim on a network that is a loopback interface alone, and the package is removed.
# Then Examples/install.sh --binary does the same.
# Ends with 75 where debootstrap does not get a Debian.
# With --binary that program is packaged; it must have been built with --static-swift-stdlib. Needs root and Swift.
set -euo pipefail
umask 022
exec </dev/null

fail() {
  echo "Tests/Tools/Package/run.sh: $*" >&2
  exit 1
}

((EUID == 0)) || fail "needs root, for debootstrap and its mounts"
# What is mounted is mounted for this script alone, and is gone with it.
if [[ "${BUMP_PACKAGE_MOUNTS-}" != private ]]; then
  BUMP_PACKAGE_MOUNTS=private exec unshare --mount --propagation private "$0" "$@"
fi
program=()
if (($# == 2)) && [[ "$1" == --binary && -f "$2" ]]; then
  program=(--binary "$(realpath "$2")")
elif (($#)); then
  fail "usage: Tests/Tools/Package/run.sh [--binary FILE]"
fi

cd "$(dirname "$0")/../../.."
source Tests/packages.sh
need_swift Tests/Tools/Package/run.sh
install_missing "${build_packages[@]}" "${package_packages[@]}" debootstrap iproute2 lintian util-linux

# The test is not about how small the package is.
export DPKG_DEB_COMPRESSOR_LEVEL=1
work="$(mktemp -d "${TMPDIR:-/var/tmp}/bump-package.XXXXXX")"
root="$work/debian"
end() {
  if mountpoint --quiet "$root/proc"; then umount "$root/proc"; fi
  rm -rf --one-file-system "$work"
}
trap end EXIT
trap 'echo "Tests/Tools/Package/run.sh: line $LINENO failed: $BASH_COMMAND" >&2' ERR

# passed SENTENCE: what the lines before it have shown.
passed() { echo "package: $1"; }

# The build of bump for a release compiles these modules of ours, and none of the tests' or the examples'.
if ((${#program[@]} == 0)); then
  modules="$(swift build -c release --show-bin-path)/Modules"
  fresh=true
  if [[ -e "$modules" ]]; then fresh=false; fi
  Examples/package.sh --output "$work"
  program=(--binary "$(dirname "$modules")/bump")
  if "$fresh"; then
    ours="$(find Sources -mindepth 2 -maxdepth 2 -printf '%f\n' | grep --invert-match --line-regexp 'C[A-Z].*' | sort)"
    compiled="$(comm -12 <(echo "$ours") <(cd "$modules" && printf '%s\n' *.swiftmodule | sed 's/\.swiftmodule$//' | sort))"
    [[ "$compiled" == "$(grep --invert-match --line-regexp --extended-regexp 'Bump(ChainVault|Mail|Postgres|Relays|SignIn|Simulator|Testing|Vault(HTTP|Postgres|Server|SQLite)?)|MultipeerConnectivity' <<<"$ours")" ]] ||
      fail "swift build --product bump compiled these modules of ours: ${compiled//$'\n'/ }"
    for module in Lab BumpsInARow SendOne SendWithVault ReceiveAndDecide CryptoExtras NIOHTTP1 NIOSSL NIOWebSocket; do
      [[ ! -e "$modules/$module.swiftmodule" ]] || fail "swift build --product bump compiled $module"
    done
    passed "swift build --product bump compiles only what it needs"
  fi
else
  Examples/package.sh "${program[@]}" --output "$work"
fi

package="$(echo "$work"/bump_*.deb)"
bump="${program[1]}"
version="$("$bump" --version)"

mkdir "$work/again"
Examples/package.sh "${program[@]}" --output "$work/again" >/dev/null
cmp "$package" "$work/again/$(basename "$package")"
passed "the same program makes the same package, byte for byte"

lintian --allow-root --tag-display-limit 0 --fail-on error "$package"
passed "lintian finds no error"

mkdir "$work/unpacked"
dpkg-deb --extract "$package" "$work/unpacked"
shared="$work/unpacked/usr/share"
[[ "$(dpkg-deb --field "$package" Version)" == "$version-1" ]]
# Not through a pipe: zcat would end by SIGPIPE where the reader has found its line.
grep --quiet --line-regexp --fixed-strings ".Os bump $version" <(zcat "$shared/man/man1/bump.1.gz")
head --lines=1 <(zcat "$shared/doc/bump/changelog.Debian.gz") | grep --quiet --fixed-strings "bump ($version-1)"
grep --max-count=1 '^## \[[0-9]' <(zcat "$shared/doc/bump/changelog.gz") | grep --quiet --fixed-strings "[$version]"
passed "the program, the manual page, both changelogs and the package have one version, $version"

# From where this machine has its packages, if it is a Debian 12 itself.
mirror="$(apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
  awk '$1 == "bookworm" && $2 == "main" && !seen++ { print $3 }')"
debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} >"$work/debootstrap.log" 2>&1 || {
  tail --lines=20 "$work/debootstrap.log" >&2
  echo "Tests/Tools/Package/run.sh: debootstrap failed" >&2
  exit 75
}
mount -t proc proc "$root/proc"
for user in alice bob; do chroot "$root" useradd --create-home "$user"; done

# inside COMMAND…: runs it in the Debian, on this machine's network.
inside() { chroot "$root" env --unset=TMPDIR DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
# alone COMMAND…: runs it in the Debian, on a network that is a loopback interface alone.
alone() {
  # shellcheck disable=SC2016 # is expanded by the shell inside
  unshare --mount --net --pid --fork --kill-child sh -ec '
    mount -t proc proc "$1/proc"
    ip link set lo up
    exec chroot "$@"' sh "$root" env --unset=TMPDIR LC_ALL=C.UTF-8 PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
# listing: every file there, but for the records of apt and dpkg.
listing() {
  find "$root" -xdev \( -path "$root/proc" -o -path "$root/tmp" -o -path "$root/var/cache" -o -path "$root/var/log" -o \
    -path "$root/var/lib/apt" -o -path "$root/var/lib/dpkg" \) -prune -o -printf '/%P\n' | sort
}
# hand_over RECEIVE… -- SEND…: alice sends with those options, and bob receives with these, once alice advertises.
hand_over() {
  alone bash -euo pipefail -c '
    receive=()
    while [[ "$1" != -- ]]; do receive+=("$1"); shift; done
    shift
    exec 3< <(runuser --user alice -- env HOME=/home/alice bump send 1.00 --yes --json "$@")
    while read -r event <&3 && [[ "$event" != *\"advertising\"* ]]; do :; done
    runuser --user bob -- env HOME=/home/bob bump receive --yes --json "${receive[@]}" | tail --lines=1
    tail --lines=1 <&3' bash "$@"
}
# delivered RESULTS: whether both ends say so.
delivered() { [[ "$1" == *'"outcome":"received"'*'"outcome":"delivered"'* ]] || fail "no claim was handed over: $1"; }

inside apt-get update --quiet=2
listing >"$work/before"
cp "$package" "$root/tmp/bump.deb"
inside apt-get install --quiet=2 --yes --no-install-recommends /tmp/bump.deb >"$work/apt.log" 2>&1 || {
  tail --lines=20 "$work/apt.log" >&2
  fail "apt-get could not install the package"
}
[[ "$(alone bump --version)" == "$version" ]]
passed "apt-get installs it with what it depends on, and it runs"

delivered "$(hand_over --discovery none --peer 127.0.0.1:4000 -- --discovery none --port 4000)"
passed "two users hand over a claim by an address"
delivered "$(hand_over --discovery embedded -- --discovery embedded)"
passed "two users find each other by multicast DNS and hand over a claim"

inside apt-get purge --quiet=2 --yes --autoremove bump >"$work/apt.log" 2>&1
listing >"$work/after"
left="$(comm -13 "$work/before" "$work/after" | grep --invert-match --extended-regexp \
  '^/home/(alice|bob)/\.local(/share(/bump(/bump\.sqlite(-journal)?)?)?)?$' || true)"
[[ -z "$left" ]] || fail "left behind: $left"
[[ -z "$(comm -23 "$work/before" "$work/after")" ]] || fail "taken away: $(comm -23 "$work/before" "$work/after")"
for user in alice bob; do [[ -s "$root/home/$user/.local/share/bump/bump.sqlite" ]]; done
passed "removed, it leaves the users' claims and nothing else"

# Where there is no Swift, a checkout and a program that was built elsewhere do as well.
mkdir "$root/tmp/checkout"
cp --recursive Docs Examples "$root/tmp/checkout"
install -D Tests/packages.sh "$root/tmp/checkout/Tests/packages.sh"
cp "$bump" "$root/tmp/bump"
inside /tmp/checkout/Examples/install.sh --binary /tmp/bump >"$work/install.log" 2>&1 || {
  tail --lines=20 "$work/install.log" >&2
  fail "Examples/install.sh --binary failed"
}
[[ "$(alone bump --version)" == "$version" ]]
for page in Docs/man/bump.1 Docs/man/bump-send.1; do
  cmp "$page" "$root/usr/local/share/man/man1/$(basename "$page")"
done
[[ "$(alone runuser --user bob -- env HOME=/home/bob bump history | grep --count --fixed-strings '1.00 USDC')" == 2 ]]
passed "Examples/install.sh --binary installs the program, its pages and its libraries without Swift"
inside /tmp/checkout/Examples/install.sh --uninstall >/dev/null
[[ -z "$(find "$root/usr/local" -type f)" ]] || fail "left behind: $(find "$root/usr/local" -type f)"
passed "Examples/install.sh --uninstall takes away what it installed"
