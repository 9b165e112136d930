#!/usr/bin/env bash
# Shows how many of the faults in mutants.txt the tests find: a measure of the tests, run by hand before and after many of them change.
#
#   mutants.sh [COMMIT]    the tests and sources of a commit; the present one without
#
# One build has all faults, and a variable of the environment chooses one. Whoever deletes a test compares two commits.
set -eu
cd "$(dirname "$0")/../.."
commit=${1:-HEAD}
list=$PWD/.ci/checks/mutants.txt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git archive "$commit" | tar x -C "$scratch"
cd "$scratch"

# Puts each fault into the sources, behind the question whether it is the chosen one.
python3 - "$list" <<'END'
import pathlib, sys

folders, number = set(), 0
for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
    if line.startswith("#"):
        continue
    name, right, wrong = line.split(" | ", 2)
    number += 1
    file = pathlib.Path(name)
    text = file.read_text()
    if text.count(right) != 1:
        sys.exit(f"error: {name} has {text.count(right)} times, not once: {right}")
    file.write_text(text.replace(right, f"(isFault({number}) ? ({wrong}) : ({right}))"))
    folders.add("/".join(name.split("/")[:3]))
realtime = pathlib.Path("Sources/Libraries/CRealtime")
with open(realtime / "include/CRealtime.h", "a") as header:
    header.write("\nint mr_fault(void) MR_REALTIME;\n")
with open(realtime / "CRealtime.c", "a") as code:
    code.write("""
#include <stdlib.h>
static int fault;
__attribute__((constructor)) static void choose(void) { if (getenv("MULTIROUTE_FAULT")) fault = atoi(getenv("MULTIROUTE_FAULT")); }
int mr_fault(void) { return fault; }
""")
for folder in folders:
    of_audio = folder.startswith("Sources/Audio")
    (pathlib.Path(folder) / "Fault.swift").write_text(
        "import CRealtime\n@_noLocks\nfunc isFault(_ number: Int32) -> Bool { mr_fault() == number }\n" if of_audio else
        'import Glibc\nprivate let chosen = getenv("MULTIROUTE_FAULT").map { atoi($0) }\n'
        "func isFault(_ number: Int32) -> Bool { chosen == number }\n")
END

# The tests that are asked, by the folder of the fault.
tests() {
  case $1 in
    Sources/Law/*) echo 'SessionPolicyTests|ScenesTests' ;;
    Sources/Model/*) echo 'SessionModelTests|SessionPolicyTests|QueuesTests|NumbersTests|OSCTests|ParametersTests|PresetsTests' ;;
    Sources/Control/*) echo 'OSCSurfaceTests' ;;
    Sources/Audio/*) echo 'MixKernelTests' ;;
  esac
}
export MULTIROUTE_ONLY='SessionPolicyTests ScenesTests SessionModelTests QueuesTests NumbersTests OSCTests ParametersTests PresetsTests OSCSurfaceTests MixKernelTests'
swift build --build-tests > build.log 2>&1 || {
  grep -a 'error:' build.log | sort -u | head -n 20
  exit 1
}
runner=.build/debug/multiroutePackageTests.xctest
passes() { MULTIROUTE_FAULT=$1 NO_COLOR=1 timeout 300 "$runner" --testing-library swift-testing --filter "^($2)\\." > run.log 2>&1; }

passes 0 "$(tests Sources/Law/)|$(tests Sources/Model/)|$(tests Sources/Control/)|$(tests Sources/Audio/)" || {
  grep -aE '^✘' run.log | head -n 5
  echo 'error: the tests fail without a fault'
  exit 1
}
number=0 found=0
while IFS= read -r line; do
  case $line in '#'*) continue ;; esac
  number=$((number + 1))
  if passes "$number" "$(tests "$line")"; then echo "not found: $line"; else found=$((found + 1)); fi
done < "$list"
echo "mutants: $found of $number faults are found in $commit"
