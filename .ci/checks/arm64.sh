#!/bin/sh
# Runs the leaf loops for arm64 (NEON) under an emulator, and compares every sample with this processor's, bit for bit.
#
# The loops need neither a C library nor Swift's runtime, so a program of a few lines without either is enough.
set -eu
cd "$(dirname "$0")/../.."
[ "$(uname -m)" = x86_64 ] || { echo 'arm64: this processor is no x86, so there is nothing to compare'; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tools=$(dirname "$(command -v swiftc)")

# Noise through all loops with every length of block; the result is a checksum of all bits.
cat > "$scratch/Drive.swift" <<'END'
import MixLoops

@c public func drive(_ memory: UnsafeMutablePointer<Float>) -> UInt64 {
  let (rows, sinks) = (21, 4)
  var (random, sum): (UInt32, UInt64) = (1, 0xcbf2_9ce4_8422_2325)
  func noise() -> Float {
    random = random &* 1_664_525 &+ 1_013_904_223
    return Float(Int32(bitPattern: random)) / 2_147_483_648
  }
  func add(_ bits: UInt32) { sum = (sum ^ UInt64(bits)) &* 0x100_0000_01b3 }
  let (input, packed, out) = (memory, memory + 4_096, memory + 8_192)
  let (old, new, bends) = (memory + 12_288, memory + 13_312, memory + 14_336)
  let (ways, starts, spans, values) = (memory + 15_360, memory + 15_488, memory + 15_616, memory + 15_744)
  let words = UnsafeMutableRawPointer(memory + 16_384).bindMemory(to: Int32.self, capacity: 1_024)
  let counts = UnsafeMutableRawPointer(memory + 17_408).bindMemory(to: UInt32.self, capacity: 64)
  let pointers = UnsafeMutableRawPointer(memory + 18_432)
  let buffers = pointers.bindMemory(to: UnsafePointer<Float>?.self, capacity: 64)
  let outputs = (pointers + 1_024).bindMemory(to: UnsafeMutablePointer<Float>.self, capacity: sinks)
  for row in 0..<rows { buffers[row] = UnsafePointer(input + row * 64) }
  for sink in 0..<sinks { outputs[sink] = out + sink * 64 }
  // Each sink has the crosspoints of every fourth row.
  let (rowStarts, crosspoints) = (words + 320, words + 400)
  for row in 0..<rows { rowStarts[row] = Int32((row * 2 % rows) * 64) }
  var place = 0
  for sink in 0..<sinks {
    crosspoints[place] = 5
    for index in 0..<5 {
      let row = sink + 4 * index
      (crosspoints[place + 1 + 2 * index], crosspoints[place + 2 + 2 * index]) = (rowStarts[row], Int32(row * sinks + sink))
    }
    place += 11
  }
  for frames in 1...64 {
    for index in 0..<(rows * 64) { input[index] = noise() }
    for index in 0..<(rows * sinks) { (old[index], new[index], bends[index]) = (noise(), noise(), noise() / 16) }
    for index in 0..<64 { (starts[index], spans[index], words[64 + index]) = (noise() * 20, noise() * 20, 0) }
    gather(buffers, count: rows, offset: 0, frames: frames, into: packed, peaks: words + 128, broken: counts)
    if !setEasedWays(ways, frames: frames, elapsed: Int32(frames), inverse: 1 / 960) { return 0 }
    for kind in 0..<5 {
      switch kind {
      case 0: mixStill(rowStarts, rows: rows, packed: packed, gains: old, frames: frames, into: outputs, peaks: words + 256)
      case 1:
        mixMoving(
          rowStarts, rows: rows, packed: packed, from: old, to: new, ways: ways, frames: frames, into: outputs,
          peaks: words + 256)
      case 2: mixSparse(crosspoints, packed: packed, gains: old, frames: frames, into: outputs, peaks: words + 256)
      case 3:
        setGlideWays(ways, begin: Int32(frames), elapsed: Int32(3 * frames), inverse: 1 / 960, isEased: frames % 2 == 0)
        mixMoving(
          rowStarts, rows: rows, packed: packed, from: old, to: new, ways: ways, frames: frames, into: outputs,
          peaks: words + 256)
      default:
        mixBending(
          rowStarts, rows: rows, packed: packed, from: old, to: new, bends: bends, ways: ways, frames: frames,
          into: outputs, peaks: words + 256)
      }
      for sink in 0..<sinks { for frame in 0..<frames { add(outputs[sink][frame].bitPattern) } }
    }
    add(limit(outputs[0], frames: frames, from: 0.5, to: 0.25, ways: ways))
    scale(outputs[1], frames: frames, from: 0.5, to: 0.25, bend: 0.1, ways: ways)
    for frame in 0..<frames { add(outputs[0][frame].bitPattern); add(outputs[1][frame].bitPattern) }
    setSpans(frames, starts: old, targets: new, spans: spans)
    for index in 0..<frames { add(spans[index].bitPattern) }
    setDecibels(64, way: ways[0], start: starts, span: spans, values: values)
    for index in 0..<64 { add(values[index].bitPattern) }
    setPowers(64, way: ways[0], start: starts, span: spans, values: values)
    for index in 0..<64 { add(values[index].bitPattern) }
    setPositions(64, way: ways[0], start: starts, span: spans, values: values)
    for index in 0..<64 { add(values[index].bitPattern) }
  }
  return sum
}
END
cat > "$scratch/start.c" <<'END'
typedef unsigned long size;
void *memcpy(void *to, const void *from, size n) { for (size k = 0; k < n; k++) ((volatile char *)to)[k] = ((const char *)from)[k]; return to; }
void *memmove(void *to, const void *from, size n) {
  if (to <= from) return memcpy(to, from, n);
  while (n--) ((volatile char *)to)[n] = ((const char *)from)[n];
  return to;
}
void *memset(void *to, int byte, size n) { for (size k = 0; k < n; k++) ((volatile char *)to)[k] = (char)byte; return to; }
unsigned long long drive(float *);
static float memory[32768];
static long call(long number, long a, long b, long c) {
#ifdef __aarch64__
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
#else
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
#endif
}
#ifdef __aarch64__
enum { WRITE = 64, EXIT = 93 };
#else
enum { WRITE = 1, EXIT = 60 };
__attribute__((force_align_arg_pointer))
#endif
void _start(void) {
  unsigned long long sum = drive(memory);
  char text[17];
  for (int k = 0; k < 16; k++) text[k] = "0123456789abcdef"[sum >> (60 - 4 * k) & 15];
  text[16] = '\n';
  call(WRITE, 1, (long)text, 17);
  call(EXIT, 0, 0, 0);
}
END

# Builds a program with one of the builds of the loops.
program() {
  name=$1 target=$2 module=$3
  shift 3
  mkdir "$scratch/$name"
  flags="-enable-experimental-feature Embedded -no-allocations -whole-module-optimization -parse-as-library
    -swift-version 6 -O -target $target"
  # shellcheck disable=SC2086
  swiftc $flags "$@" -module-name MixLoops -emit-module -emit-module-path "$scratch/$name/MixLoops.swiftmodule" \
    -c Sources/Audio/"$module"/*.swift -o "$scratch/$name/loops.o"
  # shellcheck disable=SC2086
  swiftc $flags "$@" -module-name Drive -I "$scratch/$name" -c "$scratch/Drive.swift" -o "$scratch/$name/drive.o"
  "$tools/clang" -target "$target" -O1 -ffreestanding -fno-builtin -c "$scratch/start.c" -o "$scratch/$name/start.o"
  "$tools/ld.lld" -static -e _start "$scratch/$name"/start.o "$scratch/$name"/drive.o "$scratch/$name"/loops.o \
    -o "$scratch/$name/program"
}

program native x86_64-unknown-none-elf MixLoopsV3 -Xcc -march=x86-64-v3
program arm aarch64-none-none-elf MixLoops
wanted=$("$scratch/native/program")
got=$(qemu-aarch64 "$scratch/arm/program")
[ "$got" = "$wanted" ] || { echo "arm64: the loops sound different: $got, not $wanted"; exit 1; }
"$tools/llvm-objdump" -d "$scratch/arm/loops.o" 2>/dev/null | grep -q 'fmla.*\.4s' || {
  echo 'arm64: the loops do not use NEON'; exit 1; }

# The check itself: one gain that differs must be noticed.
sed -i 's/noise() \/ 16/noise() \/ 17/' "$scratch/Drive.swift"
program changed aarch64-none-none-elf MixLoops
[ "$(qemu-aarch64 "$scratch/changed/program")" != "$wanted" ] || { echo 'arm64: a changed gain goes unnoticed'; exit 1; }
echo 'arm64: the loops for NEON and this processor sound the same, bit for bit'
