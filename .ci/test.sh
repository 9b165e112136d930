#!/usr/bin/env bash
# Runs all tests of the build that is there and, beside them, the checks that take a processor but no sound.
#
# Most tests wait for sound and leave the processors idle; the checks compile and emulate meanwhile, one after the other and
# behind everybody else. Arguments go to `swift test`. Fails if anything fails.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)

# All of them run, whatever the first ones find.
run_checks() {
  for check in kernel-lint loops-symbols qemu rtsan; do
    if nice -n 19 ".ci/checks/$check.sh" > "$scratch/said" 2>&1; then
      tail -n 1 "$scratch/said"
    else
      cat "$scratch/said"
      echo "error: $check.sh failed"
      touch "$scratch/failed"
    fi
  done
}

# A group of its own, so that all of it ends if we are ended.
set -m
run_checks > "$scratch/checks" &
checks=$!
set +m
trap 'kill -- "-$checks" 2> /dev/null || true; rm -rf "$scratch"' EXIT
status=0
swift test --skip-build "$@" || status=$?
wait "$checks"
cat "$scratch/checks"
[ ! -e "$scratch/failed" ] || exit 1
exit "$status"
