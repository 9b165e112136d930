#!/usr/bin/env bash
# Prints the path of promtool, the checker of Prometheus. If the machine has none, takes it out of Debian's package into .build, so that no
# server is installed; it stays there.
set -eu
cd "$(dirname "$0")/.."

if command -v promtool; then exit 0; fi
folder=$PWD/.build/promtool
if [ ! -x "$folder/promtool" ]; then
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  # The program that downloads may be another user, who must be able to write.
  chmod 755 "$scratch"
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  # Debian 13 has a package of its own for promtool.
  download() { apt-get download -qq promtool 2> /dev/null || apt-get download -qq prometheus; }
  # The lists of packages may be missing or old.
  (cd "$scratch" && { download || { "${as_root[@]}" apt-get update -qq && download; }; }) >&2 || {
    echo 'promtool is missing, and none of the packages promtool and prometheus can be downloaded' >&2
    exit 69
  }
  dpkg-deb --fsys-tarfile "$scratch"/prom*.deb | tar -x -C "$scratch" ./usr/bin/promtool
  mkdir -p "$folder"
  # In one step: two tests may come at once.
  cp "$scratch/usr/bin/promtool" "$folder/promtool.$$"
  mv "$folder/promtool.$$" "$folder/promtool"
fi
echo "$folder/promtool"
