#!/usr/bin/env bash
# Runs all tests of the build that is there, and then the checks that take a processor but no sound: tests that listen in real
# time need the processors for themselves.
#
# Arguments go to `swift test`. Fails if anything fails, and if too much was excused (.ci/report.sh).
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)

# All of them run, whatever the first ones find.
run_checks() {
  for check in kernel-lint loops-symbols qemu rtsan; do
    if ".ci/checks/$check.sh" > "$scratch/said" 2>&1; then
      tail -n 1 "$scratch/said"
    else
      cat "$scratch/said"
      echo "error: $check.sh failed"
      touch "$scratch/failed"
    fi
  done
}

export MULTIROUTE_TEST_NOTES=$scratch/notes
: > "$MULTIROUTE_TEST_NOTES"

trap 'rm -rf "$scratch"' EXIT
set +e
swift test --skip-build "$@" 2>&1 | tee "$scratch/log"
status=${PIPESTATUS[0]}
set -e
run_checks
.ci/report.sh "$scratch/log" "$MULTIROUTE_TEST_NOTES" || status=1
[ ! -e "$scratch/failed" ] || exit 1
exit "$status"
