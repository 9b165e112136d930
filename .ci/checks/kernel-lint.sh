#!/bin/sh
# Checks what runs on the audio thread without running it.
#
# 1. Every function and initialiser there says @_noLocks, so that the compiler looks for locks and allocations in it.
# 2. Nobody there opens an escape hatch.
# 3. It compiles as Embedded Swift without allocations, which refuses what needs the language's runtime.
# 4. It compiles for arm64.
# Each rule is also tried on code that breaks it.
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Functions and initialisers without the attribute. Package initialisers are exempt: they are memberwise and called while
# the control side sets things up.
unmarked() {
  awk '
    /@_noLocks/ { marked = 1 }
    /^ *((public|package|internal|private|fileprivate|static|mutating) )*(func|init)[ (]/ {
      if (!marked && $0 !~ /@_noLocks/ && $0 !~ /^ *package init/) { print FILENAME ":" FNR ":" $0 }
      marked = 0
    }' "$@"
}

# Escape hatches by which code keeps its attribute and loses the check.
hatches() { grep -nE '_unsafePerformance|@_semantics|withUnsafeTemporaryAllocation|unsafeFlags' "$@" || true; }

# The kernel. A port's handle is a key of the control side's tables, and hashing needs the language's runtime; the audio
# thread has the handle's number alone.
kernel=$(ls Sources/Audio/MixKernel/*.swift | grep -v /PortHandle.swift)

# The rings. Their owner and its channels belong to the control side, which allocates.
rings=Sources/Audio/Rings/SampleRing.swift

# The audio thread's side of players and recorders, but for its owners and their channels.
media=$(ls Sources/Audio/MediaKernel/*.swift | grep -vE '(Store|Channel)\.swift')

# The audio thread's side of voice processing, but for its owner, and for what is computed and allocated before.
voice=$(ls Sources/Audio/VoiceKernel/*.swift | grep -vE '(Store|Channel|\+Periods|\+Allocation)\.swift')

# The audio thread's side of effects, but for the memory's owner, and for what the control side and the effects program call.
effects=$(ls Sources/Audio/EffectBlocks/*.swift | grep -vE '(Store|\+Control)\.swift')

nodes=$(ls Sources/Audio/EffectKernel/*.swift | grep -vE '(Store|Channel|\+Allocation)\.swift')

# Compiles loops, rings and kernels as Embedded Swift for a target, with more files for the kernel.
embedded() {
  target=$1
  shift
  flags="-enable-experimental-feature Embedded -no-allocations -whole-module-optimization -parse-as-library
    -swift-version 6 -package-name multiroute -O -target $target"
  mkdir -p "$scratch/$target"
  printf 'module CRealtime { header "%s" export * }\n' "$PWD/Sources/Libraries/CRealtime/include/CRealtime.h" \
    > "$scratch/$target/module.modulemap"
  for module in MixLoops MixLoopsV3 MixLoopsV4; do
    # Without the instruction a fused product would be a call of the mathematics library.
    level=${module#MixLoops}
    case $target$level in x86_64*V?) level="-Xcc -march=x86-64-v${level#V}" ;; *) level= ;; esac
    # shellcheck disable=SC2086
    swiftc $flags $level -module-name $module -emit-module -emit-module-path "$scratch/$target/$module.swiftmodule" \
      -c Sources/Audio/$module/*.swift -o "$scratch/$target/$module.o"
  done
  # shellcheck disable=SC2086
  swiftc $flags -module-name Rings -emit-module -emit-module-path "$scratch/$target/Rings.swiftmodule" \
    -c $rings -o "$scratch/$target/Rings.o"
  # shellcheck disable=SC2086
  swiftc $flags -module-name MediaKernel -I "$scratch/$target" -emit-module \
    -emit-module-path "$scratch/$target/MediaKernel.swiftmodule" -c $media -o "$scratch/$target/MediaKernel.o"
  # shellcheck disable=SC2086
  swiftc $flags -module-name VoiceKernel -I "$scratch/$target" -emit-module \
    -emit-module-path "$scratch/$target/VoiceKernel.swiftmodule" -c $voice -o "$scratch/$target/VoiceKernel.o"
  # shellcheck disable=SC2086
  swiftc $flags -module-name EffectBlocks -I "$scratch/$target" -emit-module \
    -emit-module-path "$scratch/$target/EffectBlocks.swiftmodule" -c $effects -o "$scratch/$target/EffectBlocks.o"
  # shellcheck disable=SC2086
  swiftc $flags -module-name EffectKernel -I "$scratch/$target" -emit-module \
    -emit-module-path "$scratch/$target/EffectKernel.swiftmodule" -c $nodes -o "$scratch/$target/EffectKernel.o"
  # Embedded Swift compiles what other modules define once more.
  case $target in x86_64*) level='-Xcc -march=x86-64-v4' ;; *) level= ;; esac
  # shellcheck disable=SC2086
  swiftc $flags $level -module-name MixKernel -I "$scratch/$target" -c $kernel "$@" \
    -o "$scratch/$target/MixKernel.o"
}

fail() {
  echo "kernel-lint: $1"
  exit 1
}

files=$(ls Sources/Audio/MixLoops/*.swift Sources/Audio/MixLoopsV3/Lanes.swift Sources/Audio/MixLoopsV4/Lanes.swift Sources/Audio/MixKernel/*.swift $media $voice $effects $nodes "$rings")
# shellcheck disable=SC2086
found=$(unmarked $files)
[ -z "$found" ] || fail "not marked @_noLocks:
$found"
# shellcheck disable=SC2086
found=$(hatches $files)
[ -z "$found" ] || fail "escape hatch:
$found"

host=$(uname -m)-unknown-linux-gnu
embedded "$host" || fail "not Embedded Swift without allocations"
wanted=$(nm -u "$scratch/$host/MixKernel.o" "$scratch/$host/MediaKernel.o" "$scratch/$host/VoiceKernel.o" "$scratch/$host/EffectBlocks.o" "$scratch/$host/EffectKernel.o" "$scratch/$host/Rings.o" "$scratch/$host"/MixLoops*.o |
  awk '$1 == "U" { print $2 }' |
  grep -vE '^(memcpy|memset|memmove|__stack_chk_fail|mr_[a-z_]+|\$[se]10MixLoopsV[34].*|\$[se]8MixLoops.*|\$[se]5Rings.*|\$[se]11(Media|Voice)Kernel.*|\$[se]12Effect(Blocks|Kernel).*)$' || true)
[ -z "$wanted" ] || fail "the audio thread calls:
$wanted"
embedded aarch64-none-none-elf || fail "not for arm64"

# The rules themselves.
cat > "$scratch/Marked.swift" <<'END'
extension KernelState {
  @_noLocks
  func good() {}
  func bad() {}
}
END
[ "$(unmarked "$scratch/Marked.swift" | wc -l)" -eq 1 ] || fail "an unmarked function goes unnoticed"
echo '@_semantics("no_performance_analysis") func hidden() {}' > "$scratch/Hatch.swift"
[ -n "$(hatches "$scratch/Hatch.swift")" ] || fail "an escape hatch goes unnoticed"
cat > "$scratch/Allocates.swift" <<'END'
extension KernelState {
  @_noLocks
  func list() -> Int { [plan.pointee.stageCount].count }
}
func table(_ count: Int) -> [Int] { Array(repeating: 0, count: count) }
END
if embedded "$host" "$scratch/Allocates.swift" > "$scratch/said" 2>&1; then
  fail "an array goes unnoticed"
fi
echo "kernel-lint: clean"
