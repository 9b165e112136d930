#!/bin/sh
# Makes the sounds of this folder anew, beside itself. Needs sox (with libsox-fmt-base), python3 and espeak-ng.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Eight bars of music; compressed with loss, since lossless it would be larger than everything else in this repository.
python3 make-music.py "$work/music.wav"
sox -D "$work/music.wav" -C 4 music.ogg

# A metronome, one bar of four beats at the music's tempo: a high beep, then three lower ones.
beep() { sox -D -n -r 48000 -b 16 -c 1 "$1" synth 0.03 sine "$2" fade t 0.001 0.03 0.02 gain -3 pad 0 0.47; }
beep "$work/one.wav" 1760
beep "$work/other.wav" 1320
sox -D "$work/one.wav" "$work/other.wav" "$work/other.wav" "$work/other.wav" click.flac

# A soft chord for a foyer. Every frequency is a multiple of 1/8 Hz, so that a loop of 8 s has no seam.
sox -D -n -r 48000 -b 16 -c 1 "$work/foyer.wav" synth 8 sine 196 synth 8 sine mix 246.875 \
  synth 8 sine mix 293.625 synth 8 sine mix 369.875 tremolo 0.5 60 norm -3
sox -D "$work/foyer.wav" -C 4 foyer.ogg

# A second chord, which follows the first one in a queue.
sox -D -n -r 48000 -b 16 -c 1 "$work/evening.wav" synth 8 sine 220 synth 8 sine mix 277.125 \
  synth 8 sine mix 329.625 synth 8 sine mix 440 tremolo 0.25 60 norm -3
sox -D "$work/evening.wav" -C 4 evening.ogg

# A spoken announcement, and silence after it so that it can be repeated.
espeak-ng -v en-gb -s 150 -w "$work/speech.wav" \
  "Ladies and gentlemen, the show begins in five minutes. Please take your seats."
sox -D "$work/speech.wav" -r 48000 -b 16 -c 1 announcement.flac gain -n -3 pad 0.25 2
