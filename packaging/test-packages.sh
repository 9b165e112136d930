#!/usr/bin/env bash
# Tries the packages where users install them: in fresh roots of Debian 12 and 13. Needs root, for the roots and their mounts.
#
#   test-packages.sh FOLDER    FOLDER has the package and the archive
#
# In each root: the package with all that it recommends, the demonstration, the units, the removal; then the archive without anything that is
# only recommended. In Debian 13 also tests of this repository that were built here, with that release's servers.
set -eu
[ "$(id -u)" = 0 ] || { echo 'make package-test needs root, for the roots of Debian and their mounts' >&2; exit 77; }
out=$(realpath "$1")
cd "$(dirname "$0")/.."
version=$(cat packaging/VERSION)
deb=$out/multiroute_${version}_amd64.deb
archive=$out/multiroute-$version-linux-x86_64.tar.zst
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/multiroute-roots.XXXXXX")
trap 'rm -rf --one-file-system "$scratch"' EXIT
. /etc/os-release
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' | awk -v own="$VERSION_CODENAME" '$2 == own { print $1; exit }')
failed=0

say() { printf '%s: %s\n' "$release" "$*"; }
fail() { say "FAILED: $*"; failed=1; }

# Runs a command in the root with mounts, processes and a /dev/shm of its own, which end with it.
enter() {
  unshare --mount --ipc --uts --pid --fork --kill-child bash -c '
    root=$1 source=$2
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sys "$root/sys"
    mount -t tmpfs -o mode=755 none "$root/dev"
    for device in null zero full random urandom tty; do touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
    mkdir "$root/dev/shm" "$root/dev/pts"
    mount -t tmpfs -o mode=1777 none "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 none "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"; ln -s /proc/self/fd "$root/dev/fd"
    mount -t tmpfs none "$root/run"
    if [ -n "$source" ]; then
      toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
      mkdir -p "$root$source" "$root$toolchain"
      mount --bind "$source" "$root$source"
      mount --bind "$toolchain" "$root$toolchain"
    fi
    exec chroot "$root" env -i HOME=/user PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      NO_COLOR=1 bash -euc "$3"' enter "$root" "${source:-}" "$1"
}

# Expects a command in the root to print a text, or to fail with it. A text that is broken into lines counts as well.
expect() {
  local wanted=$1 said
  said=$(enter "$2" 2>&1 | tr -s '[:space:]' ' ') || true
  [[ $said == *"$wanted"* ]] || fail "\"$2\" said, without \"$wanted\": $(tail -c 500 <<< "$said")"
}

make_root() {
  root=$scratch/$release
  mmdebstrap --quiet --variant=minbase "$release" "$root" "$mirror"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  enter 'apt-get update -qq'
  mkdir "$root/download" "$root/user"
  cp "$deb" "$archive" "$root/download"
}

try_archive() {
  enter 'apt-get install -y -qq --no-install-recommends jackd2 liblo7 libstdc++6 zstd > /dev/null 2>&1'
  enter "cd /user && tar -xf /download/$(basename "$archive") && 'multiroute-$version-linux-x86_64/install.sh' > /dev/null"
  [ "$release" = bookworm ] || try_doubles
  # The only library beside those that are linked without which the demonstration cannot play; jackd2 of Debian 12 brings it.
  [ "$release" = bookworm ] || expect 'install the package libsndfile1' '/user/.local/bin/multiroute demo --seconds 15'
  enter 'apt-get install -y -qq --no-install-recommends libsndfile1 > /dev/null 2>&1'
  enter '/user/.local/bin/multiroute demo --seconds 15 > /user/demo.log 2>&1' || fail "the demonstration of the archive: $(tail -n 3 "$root/user/demo.log")"
  # What needs a library that is missing names the package of this release.
  local packages
  case $release in
    bookworm) packages='libflac12 libmpg123-0 libsoundtouch1 libebur128-1 libtag1v5 libwebsockets17 libavahi-client3 libwebrtc-audio-processing1' ;;
    trixie) packages='libflac14 libmpg123-0t64 libsoundtouch1 libebur128-1 libtag2 libwebsockets19t64 libavahi-client3 libwebrtc-audio-processing-1-3' ;;
  esac
  local said package
  said=$(enter '/user/.local/bin/multiroute doctor 2>&1' || true)
  for package in $packages; do
    if enter "dpkg-query -W -f '\${db:Status-Status}' $package 2> /dev/null | grep -q ^installed"; then continue; fi
    grep -q "apt install $package\$" <<< "$said" || fail "doctor does not say that $package is missing"
  done
  package=$(grep -oE 'libwebsockets[0-9a-z]+' <<< "$packages")
  expect "install the package $package" '/user/.local/bin/multiroute run --start-server --config none --metrics 127.0.0.1:9187 usb-and-headphones'
  expect 'is installed' "cd /user/multiroute-$version-linux-x86_64 && ./install.sh '/user/a place' && '/user/a place/bin/multiroute' --version > /dev/null"
  expect 'is removed' "cd /user/multiroute-$version-linux-x86_64 && ./install.sh --remove '/user/a place'"
  expect 'is removed' "cd /user/multiroute-$version-linux-x86_64 && ./install.sh --remove"
  [ -z "$(find "$root/user/a place" "$root/user/.local" -name '*multiroute*' ! -path '*/state/*' ! -path '*/media*' -type f)" ] || fail 'the removal of the archive leaves files'
}

try_package() {
  local before took
  before=$(date +%s)
  enter 'apt-get install -y -qq /download/multiroute_*.deb > /user/apt.log 2>&1' || fail "apt-get install: $(tail -n 3 "$root/user/apt.log")"
  # Notes when the first sound is heard.
  enter 'rm -f /user/first
    multiroute demo --seconds 15 2>&1 | while IFS= read -r line; do
      case $line in *"heard at"*) [ -s /user/first ] || date +%s > /user/first ;; esac
      printf "%s\n" "$line"
    done > /user/demo.log
    exit "${PIPESTATUS[0]}"' || fail "the demonstration: $(tail -n 3 "$root/user/demo.log")"
  took=$(($(cat "$root/user/first" || date +%s) - before))
  say "from the package to the first sound $took s"
  [ $took -lt 60 ] || fail "the first sound after $took s"
  expect "multiroute $version" 'multiroute --version'
  expect 'libraries are installed' 'multiroute doctor'
  enter 'apt-get install -y -qq --no-install-recommends systemd procps > /dev/null 2>&1'
  enter 'systemd-analyze --man=no verify /usr/lib/systemd/system/multiroute@show.service /usr/lib/systemd/system/multiroute-jackd@USB.service' || fail 'a system unit'
  enter 'mkdir -p /run/user/0; XDG_RUNTIME_DIR=/run/user/0 systemd-analyze --man=no --user verify /usr/lib/systemd/user/multiroute.service' || fail 'the user unit'
  [ -z "$(find "$root"/etc/systemd -name '*multiroute*')" ] || fail 'a unit is enabled'
  # The removal leaves shows.
  enter 'mkdir -p /user/.config/multiroute/presets && echo "{}" > /user/.config/multiroute/presets/mine.json'
  enter 'apt-get remove -y -qq multiroute > /dev/null 2>&1'
  expect 'shows and recordings stay' 'dpkg --purge multiroute'
  [ -f "$root/user/.config/multiroute/presets/mine.json" ] || fail 'the removal took a show'
  local left
  left=$(cd "$root" && find etc usr lib var -xdev -iname '*multiroute*' ! -path 'var/lib/multiroute' ! -path 'var/cache/*')
  [ -z "$left" ] || fail "the removal leaves $left"
}

# Libraries that only other distributions have, as doubles: their published names, and nothing behind them. So what is tried is that they are found,
# and that a version that nobody has published yet is refused by name; that the real ones work is not tried.
try_doubles() {
  local folder=$root/usr/local/lib name
  for name in libFLAC.so.8 libwebsockets.so.20; do
    cc -shared "-Wl,-soname,$name" -o "$folder/$name" -x c /dev/null
  done
  expect 'not tried with multiroute: libFLAC.so.8, libwebsockets.so.20' 'ldconfig && /user/.local/bin/multiroute doctor'
  for name in libFLAC.so libwebsockets.so; do
    rm "$folder/$name".*
    cc -shared "-Wl,-soname,$name.99" -o "$folder/$name.99" -x c /dev/null
    expect "$name.99 is of a version that is not known here" 'ldconfig && /user/.local/bin/multiroute doctor'
    rm "$folder/$name.99"
  done
}

# The tests that were built here, with the servers and libraries of the release.
try_tests() {
  local runner=.build/debug/multiroutePackageTests.xctest source=$PWD
  [ -x $runner ] || { fail "there is no $runner: run swift build --build-tests"; return; }
  enter 'apt-get install -y -qq --no-install-recommends jackd2 pipewire pipewire-bin pipewire-jack pipewire-pulse wireplumber dbus espeak-ng flac sox lame \
    vorbis-tools opus-tools python3 libcurl4t64 libxml2 zita-njbridge > /dev/null 2>&1'
  # Libraries of ours that are built for this release stand beside the runner.
  dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$root" ./usr/lib/multiroute
  local filter='LoadedLibraryTests|DynamicLibraryTests|^WebServerTests\.|^VoiceTests\.|^TagsTests\.|^MusicLibraryTests\.|^SoundFilesTests\.'
  filter+='|EndToEndTests\.(ExclusiveTests|PipeWireTests|WirePlumberScriptTests|MetricsTests|HotplugTests|RestartTests|VoiceTests|MusicTests)'
  enter "cd '$PWD' && LD_LIBRARY_PATH=/usr/lib/multiroute timeout 1500 $runner --testing-library swift-testing --filter '$filter' > /user/tests.log 2>&1" ||
    fail "the tests: $(grep -aE '^✘ (Test|Suite)' "$root/user/tests.log" | cut -c 1-300)"
  say "$(grep -aE '^. Test run with' "$root/user/tests.log" || echo 'no test has run')"
}

for release in ${RELEASES:-bookworm trixie}; do
  make_root
  try_archive
  try_package
  [ "$release" != trixie ] || try_tests
done
dpkg-deb --extract "$deb" "$scratch/files"
.ci/checks/portable.sh "$scratch"/files/usr/bin/multiroute "$scratch"/files/usr/lib/multiroute/*.so || failed=1
[ $failed = 0 ] && echo 'package-test: all is right'
exit $failed
