#!/usr/bin/env bash
# Feeds random and damaged bytes to everything that reads bytes of strangers, in one build with the AddressSanitizer.
#
#   fuzz.sh SECONDS              about so long, after the build
#   MULTIROUTE_FUZZ_SEED         the seed of an earlier run, to repeat it
set -eu
cd "$(dirname "$0")/.."
# The cases of the tests below; as many as there are processors run at once.
cases=40
export MULTIROUTE_ONLY='PlaylistsTests TagsTests SoundFilesTests JSON5Tests OSCTests OSCSurfaceTests WebServerTests'
export MULTIROUTE_FUZZ_SEED=${MULTIROUTE_FUZZ_SEED:-$RANDOM}
export MULTIROUTE_FUZZ_SECONDS=$(($1 * $(nproc) / cases))
# The toolchain's runner and the language's runtime keep memory until the end.
export ASAN_OPTIONS=detect_leaks=0
build=(--sanitize address --scratch-path .build/fuzz)
swift build --build-tests "${build[@]}" > /dev/null
echo "fuzz: seed $MULTIROUTE_FUZZ_SEED (MULTIROUTE_FUZZ_SEED), ${MULTIROUTE_FUZZ_SECONDS} s each case"
said=$(mktemp)
trap 'rm -f "$said"' EXIT
set -o pipefail
swift test --skip-build "${build[@]}" --filter 'FuzzTests|RandomPacketTests|damagedDocuments|randomBytes' | tee "$said"
# A filter that matches nothing passes as well.
grep -q 'Test run with [1-9]' "$said"
echo "fuzz: clean with the seed $MULTIROUTE_FUZZ_SEED"
