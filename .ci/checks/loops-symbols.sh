#!/bin/sh
# Fails if the loops that are built for newer processors define weak functions.
#
# Two builds of one source may both emit such a function, a specialised generic for instance; the linker keeps any one of
# them for everybody, and older processors would then run instructions that they do not have.
# Usage: loops-symbols.sh [object file]; without one, the loops are built and looked at, and the check itself is tried.
set -eu
cd "$(dirname "$0")/../.."

# Weak functions of an object file. What nm marks V are data, such as the reflection version.
weak() { nm --defined-only "$1" | awk '$2 == "W" || $2 == "w" || $2 == "u"'; }

if [ $# -eq 1 ]; then
  found=$(weak "$1")
  [ -z "$found" ] || { echo "weak functions in $1:"; echo "$found"; exit 1; }
  exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for level in 3 4; do
  swiftc -O -whole-module-optimization -parse-as-library -module-name MixLoopsV$level -Xcc -march=x86-64-v$level \
    -Xcc -mtune=znver4 -c Sources/Audio/MixLoopsV$level/*.swift -o "$scratch/loops$level.o"
  "$0" "$scratch/loops$level.o"
done

# What the check is there to find: a sort specialised for a type of ours.
printf 'public struct Gain: Comparable {\n  var value: Float\n  public static func < (a: Self, b: Self) -> Bool { a.value < b.value }\n}\npublic func order(_ gains: [Gain]) -> [Gain] { gains.sorted() }\n' > "$scratch/Weak.swift"
swiftc -O -parse-as-library -module-name Weak -c "$scratch/Weak.swift" -o "$scratch/weak.o"
if "$0" "$scratch/weak.o" > "$scratch/said"; then
  echo "loops-symbols: a weak function goes unnoticed"
  exit 1
fi
echo "loops-symbols: no weak functions"
