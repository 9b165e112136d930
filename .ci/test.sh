#!/usr/bin/env bash
# Runs all tests of the build that is there, and then the checks that take a processor but no sound: tests that listen in real
# time need the processors for themselves.
#
#   test.sh              all tests, then the checks
#   test.sh ARGUMENTS    the tests that the arguments of `swift test` choose, and no checks
#
# Suites that start servers run in a process each, several at a time, and each with a /dev/shm and semaphores of its own: a JACK
# server and its clients find each other there by name. All other tests run before them, those of a layer in one process: several
# layers at a time fill the processors while tests of one of them wait for a program or the disk.
# A test in which a break of sound was excused runs again at the end, alone.
# Fails if anything fails, and if too much was excused (.ci/report.sh).
set -eu
cd "$(dirname "$0")/.."

# A test that waits for ever ends its suite after so many seconds, and the run names it.
limit=${MULTIROUTE_TEST_SECONDS:-1200}
# So many suites with servers run at a time: more of them leave no test a processor in time, and end no sooner.
places=3
runner=.build/debug/multiroutePackageTests.xctest
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export MULTIROUTE_TEST_NOTES=$scratch/notes NO_COLOR=1
: > "$MULTIROUTE_TEST_NOTES"

# Where the system permits no /dev/shm of its own for each suite, one suite runs at a time.
own_memory=(unshare --mount --ipc sh -c 'mount -t tmpfs -o mode=1777 none /dev/shm && exec "$@"' own_memory)
"${own_memory[@]}" true 2> /dev/null || {
  own_memory=()
  places=1
}

if [ $# -gt 0 ]; then
  exec "${own_memory[@]}" swift test --skip-build "$@"
fi

# Prints the tests that began and did not end.
name_unfinished() {
  sed -nE 's/^. Test ("[^"]*"|[a-zA-Z]+\(\)) started.*/\1/p' "$1" | sort -u > "$1.started"
  sed -nE 's/^. Test ("[^"]*"|[a-zA-Z]+\(\))( with [0-9]+ test cases?)? (passed|failed) after.*/\1/p' "$1" | sort -u > "$1.ended"
  comm -23 "$1.started" "$1.ended" | sed 's/^/error: a test did not end: /'
}

# Runs the tests that the runner's arguments choose, and prints one line about them, or everything if they fail.
run_suite() {
  local name=$1 log=$scratch/$1.log status=0
  shift
  timeout --kill-after=30 "$limit" "$@" > "$log" 2>&1 || status=$?
  local said
  said=$(grep -aE '^. Test run with [0-9]+ tests? ' "$log" | tail -n 1)
  # A filter that matches nothing passes as well.
  [[ $said == *' with '[1-9]* ]] || [ "$status" != 0 ] || status=1
  if [ "$status" = 0 ]; then
    echo "✔ $name: ${said#*Test run with }"
  else
    # Two files that differ are printed byte for byte.
    cut -c 1-1000 "$log"
    name_unfinished "$log"
    echo "✘ $name: ended with $status; ${said#*Test run with }"
    touch "$scratch/failed"
  fi
}

# The suites that take longest begin first, so that none of them is left for the end.
longest='EndToEndTests.Scenarios EndToEndTests.RealTimeScenarios EndToEndTests.RecallSoundTests EndToEndTests.VoiceTests
EndToEndTests.ProcessingTests EndToEndTests.LossyNetworkTests EndToEndTests.RampTests EndToEndTests.SelfConnectingTests EndToEndTests.HotplugTests'

# The targets whose tests start servers, and their suites: the longest, and then those with the most tests.
servers() { grep -rl --include='*.swift' '^import TestKit$' Tests/*/*Tests | cut -d / -f 3 | sort -u | paste -sd '|'; }
suites() {
  {
    printf '%s\n' $longest
    "$runner" --testing-library swift-testing --list-tests | grep -E "^($1)\." | cut -d / -f 1 | sort | uniq -c | sort -rn | awk '{ print $2 }'
  } | awk '!seen[$0]++'
}

# All of them run, whatever the first ones find. Those that need a build of their own run only if their sources have changed.
run_checks() {
  local prove=.ci/checks/unless-proven.sh
  for check in "$prove kernel-lint .ci/checks/kernel-lint.sh" .ci/checks/loops-symbols.sh ".ci/checks/portable.sh $(echo .build/debug/multiroute .build/debug/multiroute-effects .build/debug/libmultiroute-*.so)" .ci/checks/qemu.sh "$prove arm64 .ci/checks/arm64.sh" \
    "$prove rtsan .ci/checks/rtsan.sh" "$prove fuzz .ci/fuzz.sh 60"; do
    if $check > "$scratch/said" 2>&1; then
      tail -n 1 "$scratch/said"
    else
      cat "$scratch/said"
      echo "error: $check failed"
      touch "$scratch/failed"
    fi
  done
}

# Runs the tests again that passed with an excuse, one at a time: now the processors are free, and only what is excused now counts.
repeat_excused() {
  local tests test number=0
  tests=$(awk -F '\t' '$1 == "excuse" { print $2 }' "$MULTIROUTE_TEST_NOTES" | sort -u)
  sed -i 's/^excuse	/repeated	/' "$MULTIROUTE_TEST_NOTES"
  for test in $tests; do
    run_suite "again-$((number += 1))" "${own_memory[@]}" "$runner" --testing-library swift-testing \
      --filter "^$(sed 's/[].()[*+?^$|]/\\&/g' <<< "$test")/"
  done
}

# Waits until a place is free.
await_place() { while [ "$(jobs -rp | wc -l)" -ge "$places" ]; do wait -n; done; }

# The layers of the tests; those that take longest without servers begin first.
layers() {
  {
    printf '%s\n' Media Control Law Program
    ls Tests
  } | awk '!seen[$0]++'
}

# The test targets of a layer that start no servers.
serverless() { { find "Tests/$1" -maxdepth 1 -name '*Tests' -printf '%f\n' | grep -vxE "$2" || true; } | paste -sd '|'; }

began=$SECONDS
served=$(servers)
for layer in $(layers); do
  targets=$(serverless "$layer" "$served")
  [ -n "$targets" ] || continue
  await_place
  run_suite "$layer" "$runner" --testing-library swift-testing --filter "^($targets)\\." &
done
wait
for suite in $(suites "$served"); do
  await_place
  run_suite "$suite" "${own_memory[@]}" "$runner" --testing-library swift-testing --filter "^${suite//./\\.}/" &
done
wait
repeat_excused
cat "$scratch"/*.log > "$scratch/all"
count() { sed -nE "s/^. Test run with ([0-9]+) tests? .*/\1/p" "$scratch/all" | awk '{ sum += $1 } END { print sum + 0 }'; }
failures=$(grep -aE '^. Test .* failed after ' "$scratch/all" | grep -cvE '^. Test run with ') || true
echo "all tests ended after $((SECONDS - began)) s"
run_checks
.ci/report.sh "$scratch/all" "$MULTIROUTE_TEST_NOTES" || touch "$scratch/failed"
echo "$(($(count) - failures)) passed, $failures failed"
[ ! -e "$scratch/failed" ]
