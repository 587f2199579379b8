# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What scripts share that fetch packages of Debian's for the guest: they are downloaded and unpacked into a cache, the first
# time, but never installed, because that would change this machine.

# MAi believes what is in this folder, so it is the user's alone.
folder=${XDG_CACHE_HOME:-$HOME/.cache}/minas
cache=$folder/guest

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# One at a time, until the script ends.
open_cache() {
  (umask 077 && mkdir -p "$cache")
  chmod 700 "$folder"
  exec 9>"$cache/lock"
  flock -w 300 9 || fail "another fetch is taking too long: see $cache"
}

# Unpacks packages into $work/root. $work is removed at the end: what is to stay is renamed, so that whoever sees it sees all of it.
unpack_packages() {
  work=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  (cd "$work" && apt-get download -qq -o APT::Sandbox::User=root "$@") >&2 ||
    fail "cannot download $*: is the network up, and 'apt-get update' recent?"
  for package in "$work"/*.deb; do
    dpkg-deb --extract "$package" "$work/root" || fail "cannot unpack $package"
  done
}
