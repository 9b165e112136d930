#!/usr/bin/env bash
# Runs all tests of the build that is there, and then the checks that take a processor but no sound: tests that listen in real
# time need the processors for themselves.
#
# Arguments go to `swift test`. Fails if anything fails, and if too much was excused (.ci/report.sh).
set -eu

# With a /dev/shm and semaphores of its own, where the system permits that: JACK servers that a test kills leave files there, and some of
# them stop every later server of the user (a damaged jack_db-UID: jackd then starts only after two minutes).
own_memory='mount -t tmpfs -o mode=1777 none /dev/shm'
if [ -z "${MULTIROUTE_OWN_MEMORY:-}" ] && unshare --mount --ipc sh -c "$own_memory" 2> /dev/null; then
  export MULTIROUTE_OWN_MEMORY=1
  exec unshare --mount --ipc sh -c "$own_memory"' && exec "$0" "$@"' "$(realpath "$0")" "$@"
fi
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)

# Prints the tests that began and did not end.
name_unfinished() {
  sed -nE 's/^. Test ("[^"]*"|[a-zA-Z]+\(\)) started.*/\1/p' "$1" | sort -u > "$scratch/started"
  sed -nE 's/^. Test ("[^"]*"|[a-zA-Z]+\(\))( with [0-9]+ test cases?)? (passed|failed) after.*/\1/p' "$1" | sort -u > "$scratch/ended"
  comm -23 "$scratch/started" "$scratch/ended" | sed 's/^/error: a test did not end: /'
}

# All of them run, whatever the first ones find.
run_checks() {
  for check in checks/kernel-lint.sh checks/loops-symbols.sh checks/qemu.sh checks/arm64.sh checks/rtsan.sh 'fuzz.sh 60'; do
    # shellcheck disable=SC2086
    if .ci/$check > "$scratch/said" 2>&1; then
      tail -n 1 "$scratch/said"
    else
      cat "$scratch/said"
      echo "error: .ci/$check failed"
      touch "$scratch/failed"
    fi
  done
}

export MULTIROUTE_TEST_NOTES=$scratch/notes
: > "$MULTIROUTE_TEST_NOTES"

trap 'rm -rf "$scratch"' EXIT
set +e
# A test that waits for ever fails by name instead of stopping the run.
timeout --kill-after=30 "${MULTIROUTE_TEST_SECONDS:-2400}" swift test --skip-build "$@" 2>&1 | tee "$scratch/log"
status=${PIPESTATUS[0]}
[ "$status" != 124 ] || name_unfinished "$scratch/log"
set -e
run_checks
.ci/report.sh "$scratch/log" "$MULTIROUTE_TEST_NOTES" || status=1
[ ! -e "$scratch/failed" ] || exit 1
exit "$status"
