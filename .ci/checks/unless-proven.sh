#!/usr/bin/env bash
# Runs a check that needs a build of its own, unless the check has passed with these very sources.
#
#   unless-proven.sh CHECK COMMAND...   a check that passes writes the sum of its sources to .ci/proven, which belongs into the commit
#   MULTIROUTE_PROVE=1                  runs the check in any case, as `make soak` does
set -eu
cd "$(dirname "$0")/../.."
check=$1
shift

# What a check depends on: the command itself, and all files that its build reads.
case $check in
  kernel-lint | arm64) sources='Sources/Audio Sources/Libraries/CRealtime' ;;
  rtsan)
    sources='Package.swift Sources/Audio Sources/Libraries Sources/Hosts Sources/Stage/StageKit Sources/System Sources/Model/Queues
      Sources/Model/SessionModel Tests/Audio Tests/Hosts/JackHostTests Tests/Kit'
    ;;
  fuzz) sources='Package.swift Sources/Control Sources/Libraries Sources/Model Sources/Law Sources/Media Sources/System Tests/Control Tests/Media Tests/Model/JSON5Tests Tests/Kit' ;;
  *)
    echo "error: unless-proven.sh does not know the sources of $check" >&2
    exit 64
    ;;
esac

# shellcheck disable=SC2086
sum=$({ find $sources .ci/checks/unless-proven.sh "$1" -type f -not -path '*/__pycache__/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; swift --version 2> /dev/null; } | sha256sum | cut -c 1-32)
if [ -z "${MULTIROUTE_PROVE-}" ] && grep -qx "$check $sum" .ci/proven; then
  echo "$check: passed before with the same sources"
  exit 0
fi
"$@"
{ grep -v "^$check " .ci/proven || true; echo "$check $sum"; } | sort > .ci/proven.new
mv .ci/proven.new .ci/proven
