#!/usr/bin/env bash
# Checks that the C library is called in the System layer alone, and that nothing imports Foundation.
#
# The benchmarks are excepted: they measure against bare C programs.
set -eu
cd "$(dirname "$0")/../.."

# Files that still call the C library themselves. The list only becomes shorter: the limit below goes down with it.
known=()
limit=0

# Imports of a module by the Swift files of some folders.
imports_of() {
  local module=$1
  shift
  grep -lE "^ *(@[a-zA-Z_]+(\([^)]*\))? )*((public|package|internal|private|fileprivate) )?import +((struct|class|enum|func|protocol|typealias|let|var) +)?$module\b" \
    -r "$@" --include='*.swift' | sort || true
}

outside() { grep -vE '^Sources/(System|Stage/bench)/' || true; }

unexpected() {
  local file
  while read -r file; do
    case " ${known[*]} " in
      *" $file "*) ;;
      *) [ -z "$file" ] || echo "$file imports $1; the layer System is the only one that calls the C library" ;;
    esac
  done
}

failed=0
report() {
  [ -z "$1" ] || { echo "$1"; failed=1; }
}

for module in Glibc Musl CLinux; do report "$(imports_of $module Sources | outside | unexpected $module)"; done
for module in Foundation FoundationEssentials Dispatch; do
  report "$(imports_of $module Sources | sed "s/$/ imports $module/")"
done
for file in "${known[@]}"; do
  imports_of Glibc "$file" 2> /dev/null | grep -q . || report "$file does not import Glibc any more: take it off the list in $0"
done
[ "${#known[@]}" -le $limit ] || report "the list of known files in $0 has become longer than $limit"

# The check must be able to fail.
control=$(mktemp -d)
trap 'rm -rf "$control"' EXIT
printf 'import Synchronization\n@preconcurrency public import Glibc\n' > "$control/Control.swift"
printf 'import struct Foundation.Data\n' > "$control/Data.swift"
[ -n "$(imports_of Glibc "$control" | outside | unexpected Glibc)" ] || report 'the check sees no import of Glibc'
[ -n "$(imports_of Foundation "$control")" ] || report 'the check sees no import of Foundation'
[ -z "$(imports_of Glibc "$control/Data.swift")" ] || report 'the check sees an import that is not there'

[ $failed = 0 ] && echo "only the layer System calls the C library, but for ${#known[@]} known files"
exit $failed
