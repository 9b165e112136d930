#!/usr/bin/env bash
# Checks that a program runs on Debian 12, Ubuntu 22.04 and later: it asks the C and C++ libraries for no later version than theirs.
#
#   portable.sh FILE...    programs and libraries
set -eu

# The versions that a file asks for, with the name of their library, oldest first.
versions() { readelf --version-info --wide "$1" | grep -oE 'Name: (GLIBC|GLIBCXX|CXXABI|GCC)_[A-Z0-9_.]+' | sed 's/Name: //' | sort -uV; }

# Those that are newer than the newest that may be, or have no number at all, such as GLIBC_ABI_DT_RELR.
too_new() {
  versions "$1" | while IFS=_ read -r library number; do
    case $library in GLIBC) newest=2.35 ;; GLIBCXX) newest=3.4.30 ;; CXXABI) newest=1.3.13 ;; GCC) newest=12.0.0 ;; esac
    [[ $number =~ ^[0-9.]+$ ]] && [ "$(printf '%s\n' "$number" "$newest" | sort -V | tail -n 1)" = "$newest" ] || echo "${library}_$number"
  done
}

failed=0
for file in "$@"; do
  [ -n "$(versions "$file")" ] || { echo "$file asks for no version of the C library: it is no program"; failed=1; continue; }
  found=$(too_new "$file")
  [ -z "$found" ] || { echo "$file does not run on Ubuntu 22.04, it asks for" $found; failed=1; continue; }
  echo "$file asks for $(versions "$file" | grep -E '^GLIBC_' | tail -n 1) at most"
done
exit $failed
