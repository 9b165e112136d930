#!/usr/bin/env bash
# Writes packaging/function-order anew: the functions that a router calls until it rests, with devices and programs. Needs valgrind, and
# multiroute and the stage, built as for a release.
set -eu
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
server=mrorder-$$
export MULTIROUTE_SHARE=$PWD XDG_STATE_HOME=$scratch XDG_RUNTIME_DIR=$scratch XDG_CONFIG_HOME=$scratch
coproc stage { .build/release/stage --start-server --server "$server"; }
trap 'kill "$stage_PID" 2> /dev/null || true; wait; rm -rf "$scratch"' EXIT

# Gives the stage a command, if there is one, and expects its answer.
stage() {
  local answer
  [ -z "$1" ] || echo "$1" >&"${stage[1]}"
  read -r answer <&"${stage[0]}"
  case "$answer" in ok*) ;; *) echo "the stage: $answer" >&2; return 1 ;; esac
}

stage ''
stage 'device "USB Interface" 4 2'
stage 'device Headphones 2 0'
stage 'device Microphone 0 1'
stage 'source Band 2 sine 440 -20'
stage 'source Metronome 1 sine 880 -20'

# valgrind cannot read what Swift writes for debuggers.
objcopy --strip-debug .build/release/multiroute "$scratch/multiroute"
valgrind --tool=callgrind --demangle=no --compress-strings=no --callgrind-out-file="$scratch/calls" \
  "$scratch/multiroute" run usb-and-headphones --server "$server" --osc 127.0.0.1:0 > "$scratch/said" 2>&1 &
router=$!
until grep -q ' ready ' "$scratch/said"; do kill -0 "$router"; sleep 0.1; done
sleep 3
stage 'device Speaker 2 0'
stage 'source Foyer 1 sine 220 -20'
sleep 5
kill "$router"
wait "$router"

nm --format=posix "$scratch/multiroute" | cut -d ' ' -f 1 | sort -u > "$scratch/functions"
# Keeps the program's own functions, each once. valgrind has no AVX-512, so it runs the loops for AVX2; those for AVX-512 have the same names but one.
own() {
  sed -n 'p; s/MixLoopsV3/MixLoopsV4/gp' |
    awk 'NR == FNR { own[$0]; next } $0 in own && !($0 in done) { done[$0]; print }' "$scratch/functions" -
}

# The functions that the audio thread calls in a period, in the order in which they call each other.
period() {
  awk -F = '
    /^fn=/ { caller = $2 }
    /^cfn=/ { callees[caller] = callees[caller] $2 "\n" }
    /^fn=.*JackHost12BackendStateV7process/ { first = $2 }
    # The parameters after the first are the variables of the function.
    function visit(name, names, count, k) {
      if (name in visited) return
      visited[name]
      print name
      count = split(callees[name], names, "\n")
      for (k = 1; k < count; k++) visit(names[k])
    }
    END { visit(first) }' "$scratch/calls"
}

{
  echo '# The functions that `multiroute run` calls until it rests. The linker places these side by side (docs/decisions/function-order.md),'
  echo '# those of the audio thread first. Written by `make order`.'
  {
    period
    # Other shows need other functions of the kernel.
    grep -E '^\$s(9MixKernel0B5StateV|10MixLoopsV)' "$scratch/functions"
    sed -n 's/^fn=//p' "$scratch/calls" | sort -u
  } | own
} > packaging/function-order
# The package manager does not know that the program depends on the list.
rm .build/release/multiroute
echo "$(grep -vc '^#' packaging/function-order) functions"
