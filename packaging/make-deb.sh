#!/usr/bin/env bash
# Builds the Debian package of the commit that is checked out, in a clean folder.
#
#   make-deb.sh FOLDER    FOLDER gets the packages, and what lintian and dpkg say of them
#
# Changes that are not committed are not in it. BUILT may name a folder with the program and its libraries, which are then not built.
set -eu
out=$(realpath -m "$1")
cd "$(dirname "$0")/.."
version=$(cat packaging/VERSION)
headers=$PWD/.build/package/headers
packaging/fetch-headers.sh "$headers"
export SOURCE_DATE_EPOCH HEADERS=$headers
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
# The compiler puts hashes of paths into what it makes, so that every build needs the same path to give the same bytes.
clean=/tmp/multiroute-deb
room=$(df --output=avail --block-size=M /tmp | tail -n 1 | tr -dc 0-9)
[ "$room" -ge 1000 ] || { echo "the build needs 1 GB in /tmp, which has room for $room MB" >&2; exit 74; }
mkdir -m 700 "$clean" || { echo "another build uses $clean; if none runs, remove it" >&2; exit 75; }
trap 'rm -rf "$clean"' EXIT
git archive --prefix="multiroute-$version/" HEAD | tar -x -C "$clean"
cd "$clean/multiroute-$version"
mv packaging/debian debian
nice -n 10 dpkg-buildpackage --build=binary --unsigned-source --unsigned-changes --no-pre-clean
mkdir -p "$out"
rm -f "$out"/multiroute*
mv "$clean"/*.deb "$clean"/*.changes "$clean"/*.buildinfo "$out"
lintian --fail-on error,warning "$out"/multiroute_*.changes
