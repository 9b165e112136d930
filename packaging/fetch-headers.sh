#!/usr/bin/env bash
# Fetches what the libraries of our own for Debian 13 are built with on Debian 12: the headers and libraries of TagLib 2 and WebRTC 1.3.
#
#   fetch-headers.sh FOLDER    FOLDER gets usr/include and usr/lib; if it is there, nothing is fetched
#
# The packages come from the source that apt uses for this machine's own release, and apt checks their signatures.
set -eu
folder=$1
packages=(libtag-dev libtag2 libwebrtc-audio-processing-dev libwebrtc-audio-processing-1-3 libabsl-dev)
[ ! -d "$folder" ] || exit 0
. /etc/os-release
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' | awk -v own="$VERSION_CODENAME" '$2 == own { print $1; exit }')
[ -n "$mirror" ] || { echo "apt has no source for $VERSION_CODENAME from which the packages of trixie could be had: run apt-get update" >&2; exit 69; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/state/lists/partial" "$scratch/cache/archives/partial" "$scratch/root"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > "$scratch/sources.list"
: > "$scratch/state/status"
options=(-qq -o Dir::Etc::SourceList="$scratch/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State="$scratch/state"
  -o Dir::State::status="$scratch/state/status" -o Dir::Cache="$scratch/cache" -o APT::Sandbox::User="$(id -un)")
apt-get "${options[@]}" update
(cd "$scratch" && apt-get "${options[@]}" download "${packages[@]}")
for package in "$scratch"/*.deb; do dpkg-deb --extract "$package" "$scratch/root"; done
mkdir -p "$(dirname "$folder")"
mv "$scratch/root" "$folder"
