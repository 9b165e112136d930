#!/bin/sh
# Renders the same second on a processor without the newer loops, emulated, and on this one, and compares the files bit for bit.
#
# The program must run on any 64-bit x86 processor since Nehalem, and sound the same on all. The fades in the script take every
# curve through both builds of the loops. Usage: qemu.sh [program]; without one, the debug build, whose loops are optimised, too.
set -eu
cd "$(dirname "$0")/../.."
program=${1:-.build/debug/multiroute}
[ "$(uname -m)" = x86_64 ] || { echo 'qemu: this processor is no x86, so there is nothing to compare'; exit 0; }
[ -x "$program" ] || { echo "qemu: $program is not built: swift build" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat > "$scratch/script" <<'END'
0.1 /session/show/stream/band/gain -9
0.2 /session/show/stream/band/fader/fade 0.5 0.3
0.3 /output/headphones/delay 0.01
0.4 /session/show/stream/click/gain/fade -20 0.2
0.5 /session/show/stream/band/pan 0.3
0.7 /output/usb/ceiling -20
0.8 /session/show/mute 1
END

# render <folder> [emulator...]: writes the files of both outputs.
render() {
  folder=$1
  shift
  mkdir "$folder"
  MULTIROUTE_SHARE=$PWD "$@" "$program" render usb-and-headphones --seconds 1 --script "$scratch/script" \
    --in show.band=presets/media/music.ogg --in show.click=presets/media/click.flac \
    --out "usb=$folder/usb.wav" --out "headphones=$folder/headphones.wav" > "$folder.log" 2>&1 || {
    cat "$folder.log" >&2
    echo "qemu: render failed: $*" >&2
    exit 1
  }
}

# same <folder> <folder>: whether both outputs are.
same() { cmp -s "$1/usb.wav" "$2/usb.wav" && cmp -s "$1/headphones.wav" "$2/headphones.wav"; }

render "$scratch/native"
render "$scratch/older" qemu-x86_64 -cpu Nehalem
same "$scratch/native" "$scratch/older" || { echo 'qemu: an older processor sounds different'; exit 1; }

# A single other bit must be noticed, and so must silence.
cp -R "$scratch/older" "$scratch/changed"
printf '\001' | dd of="$scratch/changed/usb.wav" bs=1 seek=100000 conv=notrunc 2> "$scratch/dd"
if same "$scratch/native" "$scratch/changed"; then echo 'qemu: a changed file goes unnoticed'; exit 1; fi
[ "$(tail -c +1000 "$scratch/native/usb.wav" | tr -d '\000' | wc -c)" -gt 100000 ] || { echo 'qemu: silence was compared'; exit 1; }
echo 'qemu: a processor of 2008 and this one sound the same, bit for bit'
