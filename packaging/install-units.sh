#!/usr/bin/env bash
# Installs the systemd units.
#
#   install-units.sh FOLDER PREFIX USER    FOLDER gets the files; PREFIX is the folder of bin once it is installed; USER runs the system units
set -eu
folder=$1 prefix=$2 user=$3
cd "$(dirname "$0")"
# In a unit a blank would end the path (systemd.service(5)).
prefix=${prefix// /\\\\x20}
fill() { sed -e "s|@PREFIX@|$prefix|" -e "s|@USER@|$user|" "$1" > "$2/$1"; }
install -d "$folder/share/systemd/user" "$folder/lib/systemd/system"
fill multiroute.service "$folder/share/systemd/user"
fill multiroute@.service "$folder/lib/systemd/system"
fill multiroute-jackd@.service "$folder/lib/systemd/system"
