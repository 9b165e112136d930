#!/usr/bin/env bash
# Runs all attacks in one run (Tests/Program/EndToEndTests/Storms/AttackSoakTests.swift), in a network of its own, of which no packet leaves.
#
#   MULTIROUTE_ATTACK_SECONDS    the length, 1200 if not set
#   MULTIROUTE_ATTACK_SEED       the seed of an earlier run, to repeat it
set -eu

if [ -z "${MULTIROUTE_ATTACKS:-}" ]; then
  own='mount -t tmpfs -o mode=1777 none /dev/shm && ip link set lo up'
  for way in '--mount --ipc --net' '--user --map-current-user --keep-caps --mount --ipc --net'; do
    # shellcheck disable=SC2086
    if unshare $way sh -c "$own" 2> /dev/null; then
      export MULTIROUTE_ATTACKS=1
      exec unshare $way sh -c "$own"' && exec "$0" "$@"' "$(realpath "$0")" "$@"
    fi
  done
  echo 'error: the system lets this user make no network of its own, so the attacks did not run: run `make soak` as root' >&2
  exit 77
fi
cd "$(dirname "$0")/.."
swift test --skip-build --filter AttackSoakTests "$@"
