# To be sourced. What bump is built and run with on Debian 12, and how it gets there.

build_packages=(
  ca-certificates git pkg-config
  libavahi-compat-libdnssd-dev libqrencode-dev libsodium-dev libsqlite3-dev
)

# What a program that is already built is run with.
run_packages=(libavahi-client3 libavahi-compat-libdnssd1 libqrencode4 libsodium23 libsqlite3-0 libstdc++6)

# What a Debian package of it is made with.
package_packages=(binutils dpkg-dev)

as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }

# What the tests run beside it.
test_packages=(
  avahi-daemon avahi-utils dbus e2fsprogs fish fuse3 iproute2 jq libnbd-bin libsystemd-shared nbdkit nftables python3
  python3-zeroconf tcpdump util-linux xfsprogs zbar-tools zsh
)

# install_missing PACKAGE…: installs those that are not there, and nothing that they only recommend.
#
# Without systemd as its first process a machine gets no running avahi-daemon by this: Debian's has no other start script.
install_missing() {
  local package missing=()
  for package; do
    [[ "$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>&1)" == installed ]] ||
      missing+=("$package")
  done
  if ((${#missing[@]})); then
    echo "installing ${missing[*]}"
    as_root apt-get update --quiet=2
    as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}"
  fi
}

# unpack_resolved FOLDER: unpacks systemd-resolved, which is not to be installed: it would take over this machine's name
# service. Where it is not to be had, its test is skipped.
unpack_resolved() {
  (mkdir -p "$1" && cd "$1" && apt-get download --quiet=2 systemd-resolved && dpkg -x systemd-resolved_*.deb .) ||
    echo "systemd-resolved is not to be had: the test with it is skipped" >&2
}

# need_swift NAME: ends the script of that name where there is no Swift.
need_swift() {
  command -v swift >/dev/null || {
    echo "$1: no swift in PATH (with sudo: sudo env PATH=\"\$PATH\" $1)" >&2
    exit 1
  }
}
