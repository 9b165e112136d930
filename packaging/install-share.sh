#!/usr/bin/env bash
# Installs the presets, the schema, the sounds and the alert rules.
#
#   install-share.sh FOLDER PLACE    FOLDER gets the files; PLACE is the path that FOLDER has once it is installed
#
# The "$schema" line of an installed preset names the installed schema in full, so that editors find it from a copy of the preset, too.
set -eu
folder=$1 place=$2
cd "$(dirname "$0")/../presets"
install -d "$folder/presets"
cp -R schema media demo "$folder/presets/"
for preset in *.json; do
  sed "s|\"\$schema\": \"schema/preset.json\"|\"\$schema\": \"$place/presets/schema/preset.json\"|" "$preset" > "$folder/presets/$preset"
  chmod 644 "$folder/presets/$preset"
done
install -m 644 ../packaging/multiroute.rules.yml "$folder/multiroute.rules.yml"
