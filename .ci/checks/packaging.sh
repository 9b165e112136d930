#!/usr/bin/env bash
# Checks that what is packaged agrees with what is built: the version, and the libraries that are loaded with the packages that are recommended.
set -eu
cd "$(dirname "$0")/../.."

failed=0
complain() { echo "$*"; failed=1; }

# The package of a library in Debian 12 and 13, as the program advises them.
advised() {
  grep -oE 'SystemPackage\([^)]*\)' <(tr -d '\n' < Sources/System/SystemCalls/Libraries/LoadedLibrary.swift) | while read -r row; do
    grep -oE '^SystemPackage\( *"[^"]+"' <<< "$row" | grep -oE '"[^"]+"' || true
    grep -oE 'debian13: "[^"]+"' <<< "$row" | grep -oE '"[^"]+"' || true
  done | tr -d '"'
}
recommended() { sed -n '/^Depends:/,/^Suggests:/p' "$1" | grep -oE '[a-z0-9.+-]+' | sort -u; }
missing() { comm -23 <(advised | sort -u) <(recommended "$1"); }

version=$(cat packaging/VERSION)
[[ $(head -n 1 packaging/debian/changelog) == "multiroute ($version) "* ]] ||
  complain "packaging/VERSION says $version, and packaging/debian/changelog begins with $(head -n 1 packaging/debian/changelog)"
[ "$(advised | wc -l)" -ge 14 ] || complain 'the check finds fewer packages than there are libraries'
found=$(missing packaging/debian/control)
[ -z "$found" ] || complain "packaging/debian/control neither depends on nor recommends" $found

# The check must be able to fail.
control=$(mktemp)
trap 'rm -f "$control"' EXIT
sed 's/libtag2,//' packaging/debian/control > "$control"
[ "$(missing "$control")" = libtag2 ] || complain 'the check of packages sees nothing'

[ $failed = 0 ] && echo "version $version; every library that is loaded is a dependency or recommended"
exit $failed
