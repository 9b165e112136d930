#!/usr/bin/env bash
# Makes the archive for other distributions of the Debian package's files.
#
#   make-tarball.sh FOLDER    FOLDER has the package of `make-deb.sh`, and gets the archive
set -eu
out=$(realpath "$1")
cd "$(dirname "$0")"
version=$(cat VERSION)
name=multiroute-$version-linux-x86_64
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
deb=$out/multiroute_${version}_amd64.deb
dpkg-deb --extract "$deb" "$scratch/deb"
mv "$scratch/deb/usr" "$scratch/$name"
# What only Debian reads.
rm -rf "$scratch/$name"/lib/{sysusers.d,tmpfiles.d} "$scratch/$name"/share/{lintian,doc-base} "$scratch/$name"/share/doc/multiroute/changelog*.gz
install -m 755 install.sh "$scratch/$name/install.sh"
date=$(dpkg-deb --fsys-tarfile "$deb" | tar -tv --full-time | awk 'NR == 1 { print $4 " " $5 }')
rm -f "$out/$name.tar.zst"
tar -c -C "$scratch" --sort=name --mtime="$date" --owner=0 --group=0 --numeric-owner "$name" | zstd -q -19 -T1 -o "$out/$name.tar.zst"
