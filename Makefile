# multiroute: everything a fresh Debian machine needs to run it and to prove it.
#
#   make run      packages, build, and the demonstration on a JACK server of its own (ARGS='--seconds 20' is passed on)
#   make test     packages, build, all checks and tests
#   make help     the rest

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# What the program is built with and runs on.
PACKAGES := jackd2 libjack-jackd2-dev liblo-dev libsndfile1-dev libflac-dev libmpg123-dev libsoxr-dev libsoundtouch-dev libebur128-dev libtag1-dev \
  libsqlite3-dev libsystemd-dev zlib1g-dev libedit-dev libwebsockets-dev libavahi-client-dev libqrencode-dev libwebrtc-audio-processing-dev liblilv-dev lv2-dev pkg-config
# What only the tests and checks need: a C compiler, independent OSC peers, an older processor, tools that read objects, a bridge, a PipeWire,
# the check of systemd units, a program of PulseAudio, a remote control of media players, programs that connect themselves, networks of the tests' own, encoders
# that are not ours, a validator of JSON Schema, the languages of the scripts in layouts, a speaker, a browser, readers of manuals, shells, and validators of
# desktop files.
TEST_PACKAGES := gcc libc6-dev liblo-tools qemu-user binutils zita-njbridge pipewire pipewire-bin pipewire-jack pipewire-pulse wireplumber dbus avahi-daemon avahi-utils systemd \
  gstreamer1.0-tools gstreamer1.0-pulseaudio gstreamer1.0-plugins-base gstreamer1.0-plugins-good \
  playerctl mpv baresip-core jacktrip iproute2 lame opus-tools vorbis-tools flac sox lsp-plugins-lv2 x42-plugins mda-lv2 python3-jsonschema \
  python3-pip lua5.1 duktape espeak-ng chromium chromium-driver man-db mandoc zsh fish appstream desktop-file-utils
# What only the long tests need: desktop programs, and what they run on, a second browser.
SOAK_PACKAGES := nginx-light openssl mixxx xvfb xdotool linux-show-player python3 firefox-esr
# What only the benchmarks need, because the router is measured against it: the matrix multiplication, the player of many files, the synthesizer,
# PipeWire's echo canceller with a libjack of PipeWire's own, and the host of plugins with equalizers for it.
BENCH_PACKAGES := libopenblas-dev ecasound supercollider-server pipewire pipewire-bin libpipewire-0.3-modules libspa-0.2-modules pipewire-jack \
  jalv x42-plugins

# What only packaging needs: Debian's tools, roots of other releases, and the archive's compression.
PACKAGE_PACKAGES := debhelper lintian mmdebstrap zstd binutils

SWIFT_VERSION := 6.3
# With Swift's own libraries inside, so that what is installed runs where no toolchain is.
BUILD := swift build -c release --static-swift-stdlib --product
PREFIX ?= /usr/local
# The user of the system units, which start at boot.
SERVICE_USER ?= $(or $(SUDO_USER),$(shell id -un))
ARGS ?=
# The folder of the build that is installed, and how install(1) strips it.
BUILT ?= .build/release
STRIP ?= -s
# The folder of packages.
OUT ?= .build/package/out

# The presets and sounds of this checkout, for a program that is not installed.
export MULTIROUTE_SHARE := $(CURDIR)

.PHONY: help run test quick soak attacks fuzz bench check tidy docs install install-files deb tarball package-test toolchain packages test-packages soak-packages bench-packages package-packages build format

help:
	@echo 'make run      build, and run the demonstration (ARGS="--seconds 20" passes arguments on)'
	@echo 'make test     build, and run all checks and tests'
	@echo 'make quick    build and run the tests of one target only (TARGET=OSCSurface)'
	@echo 'make soak     the long tests'
	@echo 'make attacks  the last of them: twenty minutes of attacks in a network of its own'
	@echo 'make fuzz     ten minutes of random bytes, in a build with the AddressSanitizer'
	@echo 'make bench    measure the audio thread against bare C clients'
	@echo 'make check    format, lint, import table, links between pages and code, real-time rules'
	@echo 'make format   format the sources'
	@echo 'make docs     write the generated references anew: addresses, preset keys, schema, commands, pictures of the shows, layouts'
	@echo 'make deb      the Debian package of this commit, in $(OUT)'
	@echo 'make tarball  that, and the archive for other distributions'
	@echo 'make package-test  that, built twice with the same bytes, and installed in fresh Debian 12 and 13'
	@echo 'make install  install the program and its systemd units (PREFIX=$(PREFIX) SERVICE_USER=$(SERVICE_USER))'

run: toolchain packages
	$(BUILD) multiroute
	.build/release/multiroute demo $(ARGS)

build: toolchain packages
	$(BUILD) multiroute
	$(BUILD) multiroute-tags
	$(BUILD) multiroute-voice
	$(BUILD) multiroute-effects

test: toolchain packages test-packages tidy
	swift build --build-tests
	.ci/test.sh $(ARGS)

# The tests of one target, or of several, built with nothing that they do not need.
quick: toolchain
	MULTIROUTE_ONLY='$(TARGET:%=%Tests)' swift test $(ARGS)

# The suites that try more in a soak.
SOAKED = $(shell grep -rlF 'Soak.' Tests --include='*Tests.swift' | sed -E 's|^Tests/[^/]+/([^/]+)/(.*/)?([^/]+)\.swift|\1.\3|' | sort | paste -sd '|')

soak: toolchain packages test-packages soak-packages
	MULTIROUTE_SOAK=1 swift test --filter 'SoakTests|$(SOAKED)' --skip AttackSoakTests $(ARGS)
	MULTIROUTE_PROVE=1 .ci/checks/unless-proven.sh rtsan .ci/checks/rtsan.sh
	MULTIROUTE_PROVE=1 .ci/checks/unless-proven.sh fuzz .ci/fuzz.sh 600
	$(MAKE) attacks

attacks: toolchain packages test-packages build
	swift build --build-tests
	MULTIROUTE_PROGRAM='$(CURDIR)/.build/release/multiroute' .ci/attacks.sh

fuzz: toolchain packages test-packages
	.ci/fuzz.sh 600

bench: toolchain packages bench-packages
	MULTIROUTE_BENCH=1 $(BUILD) multiroute --scratch-path .build/bench
	MULTIROUTE_BENCH=1 $(BUILD) multiroute-voice --scratch-path .build/bench
	MULTIROUTE_BENCH=1 $(BUILD) multiroute-effects --scratch-path .build/bench
	MULTIROUTE_BENCH=1 $(BUILD) bench --scratch-path .build/bench
	.build/bench/release/bench $(ARGS)

check: tidy packages test-packages
	.ci/checks/kernel-lint.sh
	.ci/checks/loops-symbols.sh

tidy: toolchain
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	.ci/checks/imports.sh
	.ci/checks/citations.sh
	.ci/checks/system-layer.sh
	.ci/checks/structure.sh
	.ci/checks/wire.sh
	.ci/checks/packaging.sh

format: toolchain
	swift format --in-place --recursive --parallel Package.swift Sources Tests

docs: build
	MULTIROUTE_REGENERATE=1 swift test --filter 'PresetsTests|ReferenceTests|ShowPageTests|LayoutCommandTests|PictureTests'
	.build/release/multiroute help --markdown > docs/reference/cli.md

# As root nothing is built, because the build would then belong to root.
install:
	@if [ "$$(id -u)" != 0 ]; then $(MAKE) build; elif [ ! -x .build/release/multiroute ]; then \
	  echo 'There is no build to install: run "make build" first, as yourself.' >&2; exit 69; fi
	$(MAKE) install-files

install-files:
	install -D $(STRIP) -m 755 $(BUILT)/multiroute "$(DESTDIR)$(PREFIX)/bin/multiroute"
	install -d "$(DESTDIR)$(PREFIX)/lib/multiroute"
	install $(STRIP) -m 755 $(BUILT)/multiroute-effects "$(DESTDIR)$(PREFIX)/lib/multiroute"
	install $(STRIP) -m 644 $(BUILT)/libmultiroute-*.so "$(DESTDIR)$(PREFIX)/lib/multiroute"
	packaging/install-manual.sh "$(DESTDIR)$(PREFIX)/share" "$(BUILT)/multiroute"
	packaging/install-share.sh "$(DESTDIR)$(PREFIX)/share/multiroute" "$(PREFIX)/share/multiroute"
	packaging/install-units.sh "$(DESTDIR)$(PREFIX)" "$(PREFIX)" "$(SERVICE_USER)"

# Of the commit that is checked out; BUILT may name a folder with the program and its libraries, which are then not built.
deb: toolchain packages package-packages
	packaging/make-deb.sh "$(OUT)"

tarball: deb
	packaging/make-tarball.sh "$(OUT)"

package-test: tarball
	packaging/make-deb.sh "$(OUT)/again"
	for deb in "$(OUT)"/again/*.deb; do cmp "$$deb" "$(OUT)/$${deb##*/}"; done
	packaging/test-packages.sh "$(OUT)"

toolchain:
	@command -v swift > /dev/null || { \
	  echo 'Swift $(SWIFT_VERSION) or later is needed: see https://www.swift.org/install/linux/' >&2; exit 69; }
	@version=$$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1); \
	  [ "$$(printf '%s\n' $(SWIFT_VERSION) "$$version" | sort -V | head -n 1)" = $(SWIFT_VERSION) ] || { \
	  echo "Swift $(SWIFT_VERSION) or later is needed, this is $$version: see https://www.swift.org/install/linux/" >&2; \
	  exit 69; }

packages:
	@.ci/packages.sh $(PACKAGES)

test-packages:
	@.ci/packages.sh $(TEST_PACKAGES)
	@cmp -s .ci/requirements.txt .build/python/requirements.txt || { \
	  python3 -m pip install --quiet --disable-pip-version-check --require-hashes --upgrade --target .build/python -r .ci/requirements.txt && \
	  cp .ci/requirements.txt .build/python/requirements.txt; }

soak-packages:
	@.ci/packages.sh $(SOAK_PACKAGES)

package-packages:
	@.ci/packages.sh $(PACKAGE_PACKAGES)

bench-packages:
	@.ci/packages.sh $(BENCH_PACKAGES)
