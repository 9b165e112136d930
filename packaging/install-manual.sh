#!/usr/bin/env bash
# Installs what a system knows a program by: man pages, completions of the shells, desktop entry, icon and AppStream data.
#
#   install-manual.sh SHARE PROGRAM    SHARE gets the files; PROGRAM, this version of multiroute, writes its manual
#
# With SOURCE_DATE_EPOCH the files have the date of that second, so that a package can be built twice alike.
set -eu
share=$(realpath -m "$1") program=$(realpath "$2")
cd "$(dirname "$0")"
"$program" help --man "$share/man"
find "$share/man" -name 'multiroute*.[157]' -exec gzip -9nf {} +
install -D -m 644 completions/multiroute.bash "$share/bash-completion/completions/multiroute"
install -D -m 644 completions/_multiroute "$share/zsh/site-functions/_multiroute"
install -D -m 644 completions/multiroute.fish "$share/fish/vendor_completions.d/multiroute.fish"
install -D -m 644 multiroute.desktop "$share/applications/multiroute.desktop"
install -D -m 644 ../Sources/Control/Page/Content/icons/multiroute.svg "$share/icons/hicolor/scalable/apps/multiroute.svg"
install -d "$share/metainfo"
sed -e "s|@VERSION@|$(cat VERSION)|" -e "s|@DATE@|$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%F)|" multiroute.metainfo.xml \
  > "$share/metainfo/multiroute.metainfo.xml"
chmod 644 "$share/metainfo/multiroute.metainfo.xml"
