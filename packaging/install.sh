#!/bin/sh
# Installs multiroute from the folder of this file, without root.
#
#   install.sh             below ~/.local
#   install.sh PREFIX      below another folder, such as /usr/local
#   install.sh --remove [PREFIX]
set -eu
fail() { echo "install.sh: $1" >&2; exit "$2"; }
remove=
if [ "${1:-}" = --remove ]; then remove=1; shift; fi
case "${1:-}" in -*) fail "$1 is no option; give a folder, or --remove and a folder" 64 ;; esac
[ $# -gt 0 ] || [ -n "${HOME:-}" ] || fail 'HOME is not set; give a folder' 64
prefix=${1:-$HOME/.local}
here=$(cd "$(dirname "$0")" && pwd)
# Some letters have a meaning in a unit of systemd or a preset.
case "$prefix" in /*) ;; *) fail "$prefix is no full path; begin with /" 64 ;; esac
case "$prefix" in *[\"\'\\\|\&%\$]*) fail "$prefix has a letter that units of systemd do not take: \" ' \\ | & % or \$" 64 ;; esac
list=$prefix/share/multiroute/installed-files

take_away() {
  [ -f "$list" ] || return 0
  while read -r file; do
    rm -f "$prefix/$file"
    folder=$(dirname "$file")
    while [ "$folder" != . ]; do rmdir "$prefix/$folder" 2> /dev/null || break; folder=$(dirname "$folder"); done
  done < "$list"
  rm -f "$list"
  rmdir "$prefix/share/multiroute" "$prefix/share" 2> /dev/null || true
}

if [ -n "$remove" ]; then
  [ -f "$list" ] || fail "nothing is installed below $prefix by this program" 66
  take_away
  echo "multiroute is removed from $prefix; shows and recordings stay: ~/.config/multiroute and ~/.local/share/multiroute"
  exit 0
fi

unit_prefix=$(printf %s "$prefix" | sed 's/ /\\\\x20/g')
mkdir -p "$prefix" 2> /dev/null && [ -w "$prefix" ] || fail "$prefix cannot be written; give another folder" 73
# Files of an older version that this one does not have.
take_away
cd "$here"
find bin lib share -type f ! -path 'lib/systemd/system/*' | sort > files.$$ 2> /dev/null || fail "$here cannot be written" 73
trap 'rm -f "$here/files.$$"' EXIT
while read -r file; do
  target=$file
  # Where systemd looks below a home, too.
  case $file in lib/systemd/user/*) target=share/systemd/user/${file##*/} ;; esac
  mkdir -p "$prefix/$(dirname "$target")"
  case $file in
    # In a unit a blank would end the path (systemd.service(5)).
    lib/systemd/*) sed "s|/usr/bin/multiroute|$unit_prefix/bin/multiroute|g" "$file" > "$prefix/$target" ;;
    share/multiroute/presets/*.json) sed "s|/usr/share/multiroute|$prefix/share/multiroute|g" "$file" > "$prefix/$target" ;;
    *) cp -p "$file" "$prefix/$target" ;;
  esac
  mkdir -p "$prefix/share/multiroute"
  echo "$target" >> "$list"
done < files.$$
echo "multiroute is installed: $prefix/bin/multiroute"
case ":${PATH:-}:" in *":$prefix/bin:"*) ;; *) echo "$prefix/bin is not in PATH" ;; esac
