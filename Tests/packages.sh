# To be sourced. What bump is built and run with on Debian 12, and how it gets there.

build_packages=(
  ca-certificates git pkg-config
  libavahi-compat-libdnssd-dev libcurl4-openssl-dev libqrencode-dev libsecp256k1-dev libsodium-dev libsqlite3-dev
)

# What a program that is already built is run with.
run_packages=(libavahi-client3 libavahi-compat-libdnssd1 libcurl4 libqrencode4 libsecp256k1-1 libsodium23 libsqlite3-0 libstdc++6)

# What a Debian package of it is made with.
package_packages=(binutils dpkg-dev)

# The traits that are built with, as options of `swift build` and `swift test`. The tests build all with the server of the
# vault: what they call builds with it too, since a build without it would compile every module of the package anew.
traits=(${BUMP_TRAITS:+--traits "$BUMP_TRAITS"})

as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }

# What the tests run beside it.
test_packages=(
  avahi-daemon avahi-utils curl dbus e2fsprogs exfat-fuse exfatprogs fish fuse3 iproute2 jq libfaketime libnbd-bin libpq-dev
  libsystemd-shared nbdkit nftables openssl python3 python3-zeroconf strace systemd tcpdump util-linux xfsprogs zbar-tools
  zsh
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
    # Another clone may be installing them in this moment.
    as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get -o DPkg::Lock::Timeout=600 install --quiet=2 --yes --no-install-recommends "${missing[@]}"
  fi
}

# install_postgresql: installs the server that tests run for themselves, where there is none.
#
# Debian's package makes a server of its own, and starts it, unless it is told before not to. It is told for this once.
install_postgresql() {
  local settings=/etc/postgresql-common/createcluster.conf
  compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null && return
  install_missing postgresql-common
  as_root cp --preserve "$settings" "$settings.before"
  echo "create_main_cluster = false" | as_root tee --append "$settings" >/dev/null
  local status=0
  install_missing postgresql || status=$?
  as_root mv "$settings.before" "$settings"
  return "$status"
}

# unpack_resolved FOLDER: unpacks systemd-resolved, which is not to be installed: it would take over this machine's name
# service. Where it is not to be had, its test is skipped.
unpack_resolved() {
  (mkdir -p "$1" && cd "$1" && apt-get download --quiet=2 systemd-resolved && dpkg -x systemd-resolved_*.deb .) ||
    echo "systemd-resolved is not to be had: the test with it is skipped" >&2
}

# pinned_python FOLDER REQUIREMENTS: has a Python in FOLDER/python with the packages that a file pins, made anew where that
# has changed, and sets `python` to it. Ends the script with 75 where PyPI does not give them.
pinned_python() {
  local environment="$1/python"
  if ! cmp --quiet "$2" "$environment/requirements.txt"; then
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" --quiet --disable-pip-version-check install --requirement "$2" || exit 75
    cp "$2" "$environment/requirements.txt"
  fi
  python="$environment/bin/python"
}

# need_swift NAME: ends the script of that name where there is no Swift.
need_swift() {
  command -v swift >/dev/null || {
    echo "$1: no swift in PATH (with sudo: sudo env PATH=\"\$PATH\" $1)" >&2
    exit 1
  }
}
