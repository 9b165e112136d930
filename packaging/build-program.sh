#!/usr/bin/env bash
# Builds the program and its libraries as they are published: the same commit in a folder of the same path gives the same bytes.
#
#   build-program.sh FOLDER    FOLDER gets the programs and the libraries, not stripped
#
# HEADERS names the folder of `fetch-headers.sh`; without it, the libraries for Debian 13 are left out.
set -eu
folder=$1
cd "$(dirname "$0")/.."
# What the compiler writes into a program is where the source would be, not where it was. Without the two other flags it also writes a hash of what
# it had in memory, and the numbers of its cached C modules, which differ from build to build.
map="$PWD=/usr/src/multiroute"
export HOME=$PWD/.build/home
mkdir -p "$folder" "$HOME"
for product in multiroute multiroute-effects multiroute-tags multiroute-voice; do
  swift build -c release --static-swift-stdlib --product $product -Xswiftc -file-prefix-map -Xswiftc "$map" \
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
    -Xcc "-ffile-prefix-map=$map" -Xcxx "-ffile-prefix-map=$map"
done
install -m 755 .build/release/multiroute{,-effects} "$folder"
install -m 644 .build/release/libmultiroute-{tags,voice}.so "$folder"

if [ -z "${HEADERS:-}" ]; then
  echo 'build-program: no HEADERS, so no music library and no voice processing on Debian 13' >&2
  exit 0
fi
# Builds a library with the headers of Debian 13, for it and for this release: the C library is this one's.
build() {
  local name=$1 source=$2 library=$3
  shift 3
  "$(dirname "$(readlink -f "$(command -v swift)")")/clang++" -O2 -g -fPIC -shared -std=gnu++17 -Wall -Werror "-ffile-prefix-map=$map" \
    "-ffile-prefix-map=$HEADERS=/usr/src/trixie" "$@" -isystem "$HEADERS/usr/include" "$source" -o "$folder/$name" \
    "$HEADERS/usr/lib/x86_64-linux-gnu/$library" -fuse-ld=lld -Wl,--allow-shlib-undefined,--build-id=sha1
  chmod 644 "$folder/$name"
}
build libmultiroute-tags2.so Sources/Libraries/CTagLib/CTagLib.cpp libtag.so.2
build libmultiroute-voice1.so Sources/Libraries/CWebRTC/CWebRTC.cpp libwebrtc-audio-processing-1.so.3 \
  -isystem "$HEADERS/usr/include/webrtc-audio-processing-1" -DWEBRTC_LIBRARY_IMPL -DWEBRTC_POSIX
