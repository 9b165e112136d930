// swift-tools-version: 6.3
import Foundation
import PackageDescription

/// Settings of every Swift target, each for a reason.
let strict: [SwiftSetting] = [
  // A warning that stays is a warning nobody reads.
  .treatAllWarnings(as: .error),
  // `any` makes the cost of an existential visible where it is paid.
  .enableUpcomingFeature("ExistentialAny"),
  // An import is an implementation detail unless it says `public import`; keeps the target graph honest.
  .enableUpcomingFeature("InternalImportsByDefault"),
  // A member is visible only where its module is imported, so the import table of `make check` means something.
  .enableUpcomingFeature("MemberImportVisibility"),
  // Async helpers stay on their caller's actor instead of hopping to the shared pool, which can be starved.
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  // The linker can then leave out each function, not only whole files.
  .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
]

/// Large targets that no measured figure depends on. Optimised for size, each takes the compiler an eighth less time. The targets that bring
/// values to surfaces are not among them: their feedback would cost a fifth more.
let small: [SwiftSetting] = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// What happens seldom, or by hand, one command at a time: optimised it is no faster that people could notice, and takes the compiler three times as
/// long.
let plain: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Targets of the audio thread are optimised in debug builds too: unoptimised loops are up to 400 times
/// slower, and tests on a real server would then measure the compiler. Whole modules, because the compiler vouches
/// for a call only if it sees the function; one thread, because indexing wants one object for each file.
let audio: [SwiftSetting] =
  strict + [
    .unsafeFlags(
      ["-O", "-whole-module-optimization", "-num-threads", "1", "-disable-batch-mode"],
      .when(configuration: .debug))
  ]

/// What tests keep busy is optimised in debug builds too: the law, on which a hundred thousand histories are tried, the surface, which answers all
/// tests that start a router, and what reads messages and sounds. Unoptimised they would keep both processors of a small machine from everybody
/// else's tests. Each file by itself, so that a change of one is built soon.
let busy: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The second build of the leaf loops, for processors with AVX2; elsewhere it equals the first. Tuned for a processor with
/// separate units for products and sums, as `Mix.swift` says; others do not mind.
#if arch(x86_64)
  let newerProcessor: [SwiftSetting] =
    audio + [.unsafeFlags(["-Xcc", "-march=x86-64-v3", "-Xcc", "-mtune=znver4"])]
  /// And for those with AVX-512.
  let widestProcessor: [SwiftSetting] =
    audio + [.unsafeFlags(["-Xcc", "-march=x86-64-v4", "-Xcc", "-mtune=znver4"])]
#else
  let newerProcessor: [SwiftSetting] = audio
  let widestProcessor: [SwiftSetting] = audio
#endif

/// How the program is linked so that it takes less memory: equal functions are kept once. Packed relative relocations would save another megabyte,
/// but ask for the C library of Debian 12; that of Ubuntu 22.04 is older (docs/develop/releasing.md).
let smaller = ["-use-ld=lld", "-Xlinker", "--icf=safe"]

/// Whether to link the RealtimeSanitizer, which ends the program where the audio thread allocates, locks or blocks;
/// `.ci/checks/rtsan.sh` sets it.
let watchesRealtime = Context.environment["MULTIROUTE_RTSAN"] == "1"

/// The flags of the C++ compiler for a library of the system.
/// - Parameter otherwise: the flags if `pkg-config` does not know the library. The package manager remembers what it was told, so flags that are
///   missing before the library is installed would be missing afterwards, too.
func compilerFlags(pkgConfig library: String, otherwise: [String]) -> [String] {
  let (process, pipe) = (Process(), Pipe())
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["pkg-config", "--cflags", library]
  (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
  guard (try? process.run()) != nil else { return otherwise }
  let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  let flags = output.split(whereSeparator: \.isWhitespace).map(String.init)
  return flags.isEmpty ? otherwise : flags
}

/// The flags for WebRTC's voice processing 1.x, which Debian has from 13 on, and for 0.3.
let newVoice = compilerFlags(pkgConfig: "webrtc-audio-processing-1", otherwise: [])
let oldVoice = compilerFlags(
  pkgConfig: "webrtc-audio-processing",
  otherwise: [
    "-I/usr/include/webrtc_audio_processing", "-DWEBRTC_AUDIO_PROCESSING_ONLY_BUILD", "-DWEBRTC_POSIX",
  ])

extension Target {
  /// A target of ours: the folder of its layer tells what it may import (`make check`).
  static func part(
    of layer: String, _ name: String, uses: [Dependency] = [], exclude: [String] = [],
    settings: [SwiftSetting] = strict
  ) -> Target {
    .target(
      name: name, dependencies: uses, path: "Sources/\(layer)/\(name)", exclude: exclude,
      swiftSettings: settings)
  }

  /// A library of the system.
  static func library(_ name: String, pkgConfig: String? = nil, package: String) -> Target {
    .systemLibrary(
      name: name, path: "Sources/Libraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
  }

  /// What several test targets share.
  static func kit(_ name: String, uses: [Dependency] = [], settings: [SwiftSetting] = strict) -> Target {
    .target(name: name, dependencies: uses, path: "Tests/Kit/\(name)", swiftSettings: settings)
  }

  /// The tests of a target, in a folder of the same layer.
  static func tests(of name: String, in layer: String, uses: [Dependency]) -> Target {
    .testTarget(
      name: "\(name)Tests", dependencies: uses, path: "Tests/\(layer)/\(name)Tests", swiftSettings: strict)
  }
}

let package = Package(
  name: "multiroute",
  products: [
    .executable(name: "multiroute", targets: ["multiroute"]),
    // A program of its own, because a plugin that crashes takes its program down.
    .executable(name: "multiroute-effects", targets: ["multiroute-effects"]),
    // Loaded beside the program, or from `lib/multiroute` where the program is installed.
    .library(name: "multiroute-tags", type: .dynamic, targets: ["CTagLib"]),
    .library(name: "multiroute-voice", type: .dynamic, targets: ["CWebRTC"]),
  ],
  targets: [
    // MARK: Libraries
    .library("CJack", pkgConfig: "jack", package: "libjack-jackd2-dev"),
    .library("CLiblo", pkgConfig: "liblo", package: "liblo-dev"),
    // These are not linked: each is loaded when it is first needed (`DynamicLibrary`).
    .library("CSndfile", package: "libsndfile1-dev"),
    .library("CFlac", package: "libflac-dev"),
    .library("CMpg123", package: "libmpg123-dev"),
    .library("CSoxr", package: "libsoxr-dev"),
    .library("CEbur128", package: "libebur128-dev"),
    .library("CSoundTouch", package: "libsoundtouch-dev"),
    .library("CSystemd", package: "libsystemd-dev"),
    .library("CSqlite", package: "libsqlite3-dev"),
    .library("CZlib", package: "zlib1g-dev"),
    .library("CLibedit", package: "libedit-dev"),
    .library("CWebsockets", package: "libwebsockets-dev"),
    .library("CAvahi", package: "libavahi-client-dev"),
    .library("CQrencode", package: "libqrencode-dev"),
    .library("CCrypt", package: "libcrypt-dev"),
    .library("CLilv", package: "liblilv-dev"),
    .target(name: "CPlugins", path: "Sources/Libraries/CPlugins"),
    // WebRTC's voice processing is a library of C++, like TagLib below.
    .systemLibrary(name: "CVoice", path: "Sources/Libraries/CVoice"),
    .target(
      name: "CWebRTC", path: "Sources/Libraries/CWebRTC", publicHeadersPath: ".",
      cxxSettings: [
        .unsafeFlags(newVoice.isEmpty ? oldVoice : newVoice)
      ],
      linkerSettings: [
        .linkedLibrary(newVoice.isEmpty ? "webrtc_audio_processing" : "webrtc-audio-processing-1"),
        .unsafeFlags(["-nostartfiles", "-static-stdlib", "-no-stdlib-rpath"]),
      ]),
    // TagLib is a library of C++, which Swift calls through a few functions of C: their header, and the library that has them.
    .systemLibrary(name: "CTags", path: "Sources/Libraries/CTags"),
    .target(
      name: "CTagLib", path: "Sources/Libraries/CTagLib", publicHeadersPath: ".",
      linkerSettings: [
        .linkedLibrary("tag"), .unsafeFlags(["-nostartfiles", "-static-stdlib", "-no-stdlib-rpath"]),
      ]),
    .target(
      name: "CRealtime", path: "Sources/Libraries/CRealtime",
      cSettings: watchesRealtime ? [.define("MR_RTSAN")] : [],
      // Whatever uses these few lines is linked with the sanitizer's runtime.
      linkerSettings: watchesRealtime ? [.unsafeFlags(["-Xclang-linker", "-fsanitize=realtime"])] : []),
    // The files of the page, which the compiler puts into the program.
    .target(
      name: "CPage", path: "Sources/Libraries/CPage",
      cSettings: [.unsafeFlags(["--embed-dir=\(Context.packageDirectory)/Sources/Control/Page/Content"])]),
    .target(name: "CSpawn", path: "Sources/Libraries/CSpawn"),
    // The file with the version, in the same way.
    .target(
      name: "CVersion", path: "Sources/Libraries/CVersion",
      cSettings: [.unsafeFlags(["--embed-dir=\(Context.packageDirectory)/packaging"])]),
    .systemLibrary(name: "CLinux", path: "Sources/Libraries/CLinux"),

    // MARK: System
    .part(of: "System", "SystemCalls", uses: ["CLinux", "CRealtime"]),
    .part(of: "System", "Maths", settings: busy),
    .part(of: "System", "Threads", uses: ["CRealtime", "SystemCalls"]),
    .part(of: "System", "Processes", uses: ["CSpawn", "SystemCalls"]),
    .part(of: "System", "Compression", uses: ["CZlib", "SystemCalls"]),
    .part(of: "System", "Writers", uses: ["SystemCalls", "Threads"]),
    .part(of: "System", "ServiceManager", uses: ["SystemCalls"], settings: plain),
    .part(of: "System", "FolderWatch", uses: ["SystemCalls", "Threads"], settings: plain),
    .part(of: "System", "LineEditing", uses: ["CLibedit", "SystemCalls"], settings: plain),
    .part(of: "System", "Version", uses: ["CVersion"]),

    // MARK: Model
    .part(of: "Model", "Numbers", settings: busy),
    .part(of: "Model", "JSON5", uses: ["Numbers"]),
    .part(of: "Model", "Queues", settings: busy),
    .part(of: "Model", "SessionModel", uses: ["Effects", "Maths", "Numbers", "Queues"], settings: busy),
    // The builder begins targets in the reverse order of their names, so what stands at the beginning of a long chain has a late one.
    .part(of: "Model", "Patterns"),
    .part(of: "Model", "Effects", uses: ["JSON5", "Maths", "SystemCalls"], settings: busy),
    .part(
      of: "Model", "Parameters",
      uses: ["Effects", "Patterns", "Numbers", "Queues", "SessionModel", "Version"]),
    .part(
      of: "Model", "Presets",
      uses: ["Effects", "JSON5", "Numbers", "Parameters", "Queues", "SessionModel", "SystemCalls"],
      settings: small),

    // MARK: Law
    .part(
      of: "Law", "SessionPolicy", uses: ["Effects", "Queues", "SessionModel"], exclude: ["Rules/README.md"],
      settings: busy),
    .part(
      of: "Law", "Scenes", uses: ["JSON5", "Numbers", "Parameters", "Presets", "SessionModel"],
      settings: busy),
    .part(of: "Law", "EventReports", uses: ["SessionModel"], settings: busy),
    .part(of: "Law", "Health", uses: ["Numbers", "SessionModel"], settings: busy),
    .part(of: "Law", "Drawings", uses: ["Numbers", "Presets", "Queues", "SessionModel"], settings: plain),
    .part(
      of: "Law", "Layouts", uses: ["Effects", "JSON5", "Numbers", "Parameters", "Presets", "SessionModel"],
      settings: busy + plain),

    // MARK: Audio
    .part(of: "Audio", "MixLoops", settings: audio),
    .part(of: "Audio", "MixLoopsV3", settings: newerProcessor),
    .part(of: "Audio", "MixLoopsV4", settings: widestProcessor),
    .part(of: "Audio", "Rings", settings: audio),
    .part(of: "Audio", "MediaKernel", uses: ["CRealtime", "Rings"], settings: audio),
    .part(of: "Audio", "VoiceKernel", uses: ["CRealtime", "Rings"], settings: audio),
    .part(of: "Audio", "EffectBlocks", uses: ["CRealtime", "SystemCalls"], settings: audio),
    .part(of: "Audio", "EffectKernel", uses: ["CRealtime", "EffectBlocks"], settings: audio),
    .part(
      of: "Audio", "MixKernel",
      uses: [
        "EffectKernel", "MediaKernel", "MixLoops", "MixLoopsV3", "MixLoopsV4", "CRealtime", "Rings",
        "VoiceKernel",
      ],
      settings: audio),
    .part(
      of: "Audio", "MixEngine",
      uses: [
        "EffectKernel", "MediaKernel", "MixKernel", "MixLoops", "CRealtime", "Rings", "SessionModel",
        "VoiceKernel",
      ],
      settings: audio),

    // MARK: Hosts
    .part(of: "Hosts", "ServerInterface", uses: ["MixKernel", "Threads"]),
    .part(
      of: "Hosts", "JackClient",
      uses: ["ServerInterface", "CJack", "CRealtime", "MixKernel", "SystemCalls", "Threads"]),
    .part(
      of: "Hosts", "JackHost",
      uses: ["ServerInterface", "JackClient", "MixKernel", "PipeWire", "SystemCalls", "Threads"],
      settings: audio),
    .part(of: "Hosts", "JackServer", uses: ["JackClient", "Processes", "SystemCalls"], settings: plain),
    .part(
      of: "Hosts", "PipeWire",
      uses: ["ServerInterface", "JSON5", "Maths", "Processes", "SystemCalls", "Threads"]),
    .part(
      of: "Hosts", "ZitaBridges", uses: ["SessionModel", "Processes", "SystemCalls", "Threads"],
      settings: plain
    ),
    .part(
      of: "Hosts", "MediaBus", uses: ["CSystemd", "Queues", "SessionModel", "SystemCalls", "Threads"],
      settings: plain),
    .part(
      of: "Hosts", "EffectsHost",
      uses: ["EffectBlocks", "Effects", "Processes", "SystemCalls", "Threads"], settings: plain),
    .part(
      of: "Hosts", "Plugins",
      uses: [
        "CLilv", "CPlugins", "CRealtime", "EffectBlocks", "Effects", "Processes", "SystemCalls", "Threads",
      ], settings: audio),

    // MARK: Media
    .part(of: "Media", "Tags", uses: ["CTags", "SystemCalls"]),
    .part(of: "Media", "MediaFolders", uses: ["SystemCalls"]),
    .part(of: "Media", "Playlists", uses: ["MediaFolders", "SessionModel", "SystemCalls"]),
    .part(
      of: "Media", "MusicLibrary",
      uses: [
        "CSqlite", "MediaFolders", "Playlists", "Queues", "SoundFiles", "SystemCalls", "Tags", "Threads",
      ],
      settings: busy),
    .part(
      of: "Media", "SoundFiles", uses: ["CFlac", "CMpg123", "CSndfile", "CSoxr", "SystemCalls"],
      settings: busy),
    .part(
      of: "Media", "SoundConversion",
      uses: ["CEbur128", "CSoundTouch", "Maths", "SoundFiles", "SystemCalls", "Threads"]),
    .part(
      of: "Media", "Players",
      uses: ["MediaKernel", "SoundConversion", "SoundFiles", "SystemCalls", "Threads"]),
    .part(
      of: "Media", "Voice",
      uses: ["CVoice", "SessionModel", "SystemCalls", "Threads", "VoiceKernel"], settings: audio),
    .part(
      of: "Media", "Recorders",
      uses: ["MediaKernel", "SessionModel", "SoundFiles", "SystemCalls", "Threads"]),
    // Optimised too: it looks at every sample.
    .part(
      of: "Media", "Metering",
      uses: ["Maths", "MediaKernel", "SessionModel", "SoundConversion", "SystemCalls", "Threads"],
      settings: audio),

    // MARK: Control
    .part(
      of: "Control", "ControlInterface",
      uses: ["Patterns", "JSON5", "MixEngine", "Parameters", "SessionModel", "SystemCalls"]),
    .part(
      of: "Control", "OSC", uses: ["Patterns", "CLiblo", "ControlInterface", "SystemCalls", "Threads"],
      settings: busy),
    .part(
      of: "Control", "OSCSurface",
      uses: [
        "Patterns", "ControlInterface", "Effects", "JSON5", "MixEngine", "Numbers", "OSC", "Parameters",
        "Queues", "Scenes", "SessionModel",
      ], settings: busy),
    .part(
      of: "Control", "EventLog",
      uses: [
        "ControlInterface", "JSON5", "Numbers", "Parameters", "ServiceManager", "SessionModel", "SystemCalls",
        "Writers",
      ]),
    .part(of: "Control", "NSM", uses: ["OSC"], settings: plain),
    .part(
      of: "Control", "Page", uses: ["CPage", "Compression"], exclude: ["Content", "README.md"]),
    .part(of: "Control", "Metrics", uses: ["ControlInterface", "SessionModel", "SystemCalls"]),
    .part(
      of: "Control", "WebServer", uses: ["CWebsockets", "ControlInterface", "OSC", "SystemCalls", "Threads"]),
    .part(
      of: "Control", "ServiceDiscovery", uses: ["CAvahi", "ControlInterface", "SystemCalls", "Threads"],
      settings: plain),
    .part(of: "Control", "Tokens", uses: ["CCrypt", "CQrencode", "SystemCalls"], settings: plain),
    .part(
      of: "Control", "KeptState",
      uses: ["ControlInterface", "JSON5", "Presets", "SessionModel", "SystemCalls", "Writers"]),

    // MARK: Program
    .part(
      of: "Program", "Router",
      uses: [
        "Patterns", "ServerInterface", "JSON5", "SessionModel", "SessionPolicy", "Parameters", "Presets",
        "Scenes", "ControlInterface", "EventReports", "Health", "KeptState", "MediaFolders", "MediaKernel",
        "Metering", "MixEngine", "MixKernel", "Players", "Queues", "Recorders", "SoundConversion",
        "SoundFiles",
        "ZitaBridges",
        "SystemCalls", "Threads", "Voice", "VoiceKernel", "EffectBlocks", "EffectKernel", "Effects",
        "EffectsHost",
      ], settings: small),
    .part(
      of: "Program", "Commands",
      uses: [
        "Patterns", "Compression", "ControlInterface", "Drawings", "EffectBlocks", "Effects",
        "EffectsHost", "EventLog", "JSON5", "Layouts", "LineEditing", "MediaFolders", "MusicLibrary",
        "Numbers", "OSC", "Parameters",
        "Presets", "Processes",
        "Queues", "ServiceDiscovery", "SessionModel", "SessionPolicy", "SystemCalls", "Version",
      ], settings: plain),
    // Optimised: it looks at every sample that is heard.
    .part(
      of: "Program", "Demonstration",
      uses: [
        "Commands", "JackServer", "Maths", "Numbers", "OSC", "SoundFiles", "StageKit", "SystemCalls",
      ], settings: audio),
    // It connects the parts, and does nothing for each sample, event or message.
    .executableTarget(
      name: "multiroute",
      dependencies: [
        "ServerInterface", "CRealtime", "Commands", "ControlInterface", "Demonstration", "Effects",
        "EffectsHost", "EventLog", "EventReports", "FolderWatch", "JSON5",
        "KeptState", "Metrics",
        "Router", "Scenes",
        "JackHost", "JackServer", "JackClient", "MediaBus", "MediaFolders", "MixKernel", "MusicLibrary",
        "NSM", "Page", "Playlists",
        "Queues", "SoundFiles", "PipeWire",
        "Parameters",
        "Presets", "OSCSurface", "OSC", "ServiceManager", "SessionModel", "SessionPolicy",
        "ServiceDiscovery", "SystemCalls", "Threads", "Tokens", "Version", "WebServer",
        "Writers",
      ],
      path: "Sources/Program/multiroute", swiftSettings: plain,
      // Where an installation has the libraries of our own that are loaded; a build has them beside the program.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "-rpath=$ORIGIN/../lib/multiroute"]),
        .unsafeFlags(smaller, .when(configuration: .release)),
      ]),

    .executableTarget(
      name: "multiroute-effects", dependencies: ["Effects", "Plugins", "SystemCalls"],
      path: "Sources/Program/multiroute-effects", swiftSettings: strict,
      linkerSettings: [.unsafeFlags(smaller, .when(configuration: .release))]),

    // MARK: Stage
    .part(
      of: "Stage", "StageKit",
      uses: [
        "CRealtime", "ServerInterface", "JackClient", "MixKernel", "Rings", "SoundFiles", "Maths",
        "SystemCalls", "Threads",
      ],
      settings: audio),
    .executableTarget(
      name: "stage", dependencies: ["JackServer", "StageKit", "SystemCalls"], path: "Sources/Stage/stage",
      swiftSettings: strict),

    // MARK: Tests
    // Optimised too: it looks at millions of samples.
    .kit(
      "TestKit",
      uses: [
        "CRealtime", "JackClient", "JackServer", "OSC", "SoundFiles", "Processes", "StageKit", "SystemCalls",
        "TemporaryFolders", "Threads",
      ],
      settings: audio),
    .kit("Chance"),
    .kit("PacketFuzz", uses: ["Chance", "OSC"]),
    .kit("RandomEvents", uses: ["Chance", "Effects", "Queues", "SessionModel", "SessionPolicy"]),
    .kit("LawWorld", uses: ["SessionModel", "SessionPolicy"]),
    .kit("Checkout"),
    .target(
      name: "SongFiles", dependencies: ["Checkout"], path: "Tests/Kit/SongFiles", exclude: ["Samples"],
      swiftSettings: busy),
    .kit("TemporaryFolders"),
    .target(
      name: "WildPlugins", dependencies: ["TemporaryFolders"], path: "Tests/Kit/WildPlugins",
      exclude: ["Bundle"], swiftSettings: strict),
    // Optimised: it filters minutes of sound.
    .kit(
      "SpeechSounds", uses: ["SoundFiles", "TemporaryFolders"],
      settings: audio),
    .kit("Interpreters", uses: ["Checkout", "TemporaryFolders"]),
    .kit("Encoders", uses: ["SoundFiles"]),
    .kit("AwaitedEvents", uses: ["Threads"]),
    .kit("HTTPClient", uses: ["SystemCalls"]),
    .tests(of: "TestKit", in: "Kit", uses: ["SoundFiles", "stage", "StageKit", "TestKit"]),
    .tests(of: "SystemCalls", in: "System", uses: ["SystemCalls", "TemporaryFolders"]),
    .tests(
      of: "ServiceManager", in: "System", uses: ["ServiceManager", "SystemCalls", "TemporaryFolders"]),
    .tests(of: "FolderWatch", in: "System", uses: ["FolderWatch", "SystemCalls", "TemporaryFolders"]),
    .tests(of: "Processes", in: "System", uses: ["Processes", "SystemCalls", "TemporaryFolders", "Threads"]),
    .tests(of: "LineEditing", in: "System", uses: ["LineEditing", "SystemCalls"]),
    .tests(of: "Numbers", in: "Model", uses: ["Numbers"]),
    .tests(of: "JSON5", in: "Model", uses: ["Chance", "JSON5"]),
    .tests(of: "Writers", in: "System", uses: ["SystemCalls", "TemporaryFolders", "Threads", "Writers"]),
    .tests(of: "Queues", in: "Model", uses: ["Chance", "Queues"]),
    .tests(of: "SessionModel", in: "Model", uses: ["SessionModel"]),
    .tests(of: "Parameters", in: "Model", uses: ["Checkout", "Parameters", "SessionModel", "Version"]),
    // The policy is what a preset is tried on.
    .tests(
      of: "Presets", in: "Model",
      uses: [
        "Chance", "Checkout", "JSON5", "Presets", "Parameters", "Scenes", "SessionModel", "SessionPolicy",
        "TemporaryFolders", "SystemCalls",
      ]),
    .tests(
      of: "SessionPolicy", in: "Law",
      uses: [
        "Chance", "Checkout", "Effects", "LawWorld", "Queues", "RandomEvents", "SessionPolicy",
        "SessionModel",
      ]),
    .tests(
      of: "Scenes", in: "Law",
      uses: [
        "Chance", "Effects", "JSON5", "Parameters", "Presets", "Queues", "Scenes", "SessionModel",
        "SessionPolicy",
      ]),
    .tests(
      of: "EventReports", in: "Law", uses: ["EventReports", "LawWorld", "SessionModel", "SessionPolicy"]),
    .tests(
      of: "Health", in: "Law",
      uses: ["Checkout", "Effects", "Health", "LawWorld", "SessionModel", "SessionPolicy"]),
    .tests(
      of: "Drawings", in: "Law",
      uses: ["Checkout", "Drawings", "Presets", "RandomEvents", "SessionModel", "SessionPolicy"]),
    .tests(
      of: "Layouts", in: "Law",
      uses: [
        "Checkout", "Interpreters", "JSON5", "Layouts", "Numbers", "Presets", "SessionModel",
        "SessionPolicy", "TemporaryFolders",
      ]),
    .tests(of: "Rings", in: "Audio", uses: ["Chance", "Rings", "Threads"]),
    .tests(
      of: "MixKernel", in: "Audio",
      uses: [
        "Chance", "EffectBlocks", "EffectKernel", "MediaKernel", "MixEngine", "MixKernel", "CRealtime",
        "Rings", "SessionModel", "Threads", "VoiceKernel",
      ]),
    .tests(of: "Effects", in: "Model", uses: ["Chance", "Effects", "SystemCalls"]),
    .tests(of: "EffectBlocks", in: "Audio", uses: ["CRealtime", "EffectBlocks", "SystemCalls", "Threads"]),
    .tests(
      of: "EffectKernel", in: "Audio", uses: ["CRealtime", "EffectBlocks", "EffectKernel", "Threads"]),
    .tests(
      of: "EffectsHost", in: "Hosts",
      uses: [
        "AwaitedEvents", "Chance", "EffectBlocks", "Effects", "EffectsHost", "SystemCalls",
        "TemporaryFolders", "Threads", "WildPlugins", "multiroute-effects",
      ]),
    .tests(of: "Plugins", in: "Hosts", uses: ["Chance", "Plugins", "Threads"]),
    .tests(of: "ServerInterface", in: "Hosts", uses: ["ServerInterface", "MixEngine"]),
    .tests(of: "ZitaBridges", in: "Hosts", uses: ["ZitaBridges", "SessionModel", "TestKit"]),
    .tests(
      of: "MediaBus", in: "Hosts",
      uses: ["AwaitedEvents", "MediaBus", "Queues", "SessionModel", "SystemCalls", "TestKit", "Threads"]),
    .tests(of: "PipeWire", in: "Hosts", uses: ["ServerInterface", "PipeWire", "TestKit"]),
    .tests(
      of: "JackHost", in: "Hosts",
      uses: [
        "Chance",
        "ServerInterface", "MediaKernel", "MixKernel", "Rings", "TestKit", "SoundFiles", "StageKit", "stage",
        "JackHost", "JackServer", "JackClient", "MixEngine", "SessionModel", "CRealtime", "Threads",
      ]),
    .tests(of: "MediaFolders", in: "Media", uses: ["MediaFolders", "TemporaryFolders"]),
    .tests(of: "Playlists", in: "Media", uses: ["Chance", "MediaFolders", "Playlists", "TemporaryFolders"]),
    .tests(
      of: "MusicLibrary", in: "Media",
      uses: [
        "Chance", "Encoders", "MediaFolders", "MusicLibrary", "Queues", "SongFiles", "SoundFiles",
        "SystemCalls", "Tags",
        "TemporaryFolders", "Threads",
      ]),
    .tests(
      of: "Tags", in: "Media", uses: ["Chance", "SongFiles", "SystemCalls", "Tags", "TemporaryFolders"]),
    .tests(
      of: "SoundFiles", in: "Media",
      uses: ["Chance", "Checkout", "Encoders", "SoundFiles", "TemporaryFolders"]),
    .tests(
      of: "Recorders", in: "Media",
      uses: [
        "Chance",
        "AwaitedEvents", "Encoders", "MediaKernel", "MixEngine", "Players", "Recorders", "SessionModel",
        "SoundFiles", "SystemCalls", "TemporaryFolders", "Threads",
      ]),
    .tests(
      of: "Metering", in: "Media",
      uses: ["MediaKernel", "Metering", "SessionModel", "SoundConversion", "Threads"]),
    .tests(
      of: "SoundConversion", in: "Media",
      uses: ["AwaitedEvents", "Encoders", "SoundConversion", "SoundFiles", "TemporaryFolders"]),
    .tests(of: "MediaKernel", in: "Audio", uses: ["CRealtime", "MediaKernel"]),
    .tests(of: "VoiceKernel", in: "Audio", uses: ["CRealtime", "VoiceKernel"]),
    .tests(
      of: "Voice", in: "Media",
      uses: ["SessionModel", "SpeechSounds", "StageKit", "Voice", "VoiceKernel"]),
    .tests(
      of: "Players", in: "Media",
      uses: [
        "AwaitedEvents", "Chance", "Encoders", "MediaKernel", "Players", "SoundConversion", "SoundFiles",
        "TemporaryFolders", "Threads",
      ]),
    .tests(
      of: "OSC", in: "Control",
      uses: [
        "Patterns", "Chance", "ControlInterface", "OSC", "PacketFuzz", "SystemCalls",
        "TemporaryFolders",
        "Threads",
      ]),
    .tests(of: "NSM", in: "Control", uses: ["AwaitedEvents", "ControlInterface", "NSM", "OSC", "Threads"]),
    .tests(of: "Page", in: "Control", uses: ["Checkout", "Page"]),
    .tests(of: "Metrics", in: "Control", uses: ["ControlInterface", "Metrics", "MixEngine", "SessionModel"]),
    .tests(
      of: "WebServer", in: "Control",
      uses: [
        "AwaitedEvents", "CWebsockets", "Chance", "ControlInterface", "HTTPClient", "OSC", "PacketFuzz",
        "SystemCalls", "Threads", "WebServer",
      ]),
    .tests(
      of: "EventLog", in: "Control",
      uses: [
        "ControlInterface", "EventLog", "Parameters", "ServiceManager", "SessionModel", "TemporaryFolders",
        "Threads", "Writers",
      ]),
    .tests(
      of: "KeptState", in: "Control",
      uses: [
        "ControlInterface", "KeptState", "JSON5", "Presets", "SessionModel", "SessionPolicy", "SystemCalls",
        "TemporaryFolders",
      ]),
    .tests(of: "Tokens", in: "Control", uses: ["Tokens"]),
    .tests(
      of: "OSCSurface", in: "Control",
      uses: [
        "Patterns", "Chance", "Checkout", "ControlInterface", "JSON5", "Layouts", "PacketFuzz",
        "Effects", "RandomEvents", "OSCSurface",
        "Presets", "Queues",
        "SessionPolicy",
        "SessionModel", "Parameters", "OSC",
      ]),
    .tests(
      of: "Commands", in: "Program",
      uses: [
        "Numbers", "Checkout", "Commands", "ControlInterface", "Effects", "EffectsHost", "EventLog",
        "Interpreters", "Layouts", "LineEditing", "OSC", "Parameters", "SessionModel", "SessionPolicy",
        "SongFiles",
        "OSCSurface", "SystemCalls", "TemporaryFolders", "Version", "WildPlugins", "multiroute-effects",
      ]),
    .tests(
      of: "Router", in: "Program",
      uses: [
        "ServerInterface", "Chance", "ControlInterface", "KeptState", "RandomEvents", "Router", "MixEngine",
        "MediaKernel", "MixKernel", "OSC", "Parameters", "Players", "Presets", "Queues", "Recorders",
        "Scenes",
        "SessionModel",
        "SessionPolicy",
        "OSCSurface",
        "SoundFiles",
        "SystemCalls",
        "Threads",
        "ZitaBridges",
      ]),
    // Real servers, real sockets, real processes.
    .tests(
      of: "EndToEnd", in: "Program",
      uses: [
        "AwaitedEvents", "Chance", "Checkout", "ControlInterface", "Encoders", "HTTPClient", "JackClient",
        "JackHost",
        "JackServer",
        "OSC", "PacketFuzz",
        "Queues", "Router", "SessionModel", "SessionPolicy", "SpeechSounds", "SongFiles", "SoundFiles",
        "StageKit",
        "SystemCalls", "TestKit", "Threads", "WildPlugins", "multiroute", "multiroute-effects", "stage",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

extension Package {
  /// Leaves only what some targets need: they, all that they use, and the two small libraries that are loaded and not linked.
  func keep(only roots: [String]) {
    var wanted: Set = ["CTagLib", "CWebRTC"]
    var waiting = roots
    while let name = waiting.popLast() {
      guard wanted.insert(name).inserted else { continue }
      guard let target = targets.first(where: { $0.name == name }) else {
        preconditionFailure("there is no target \(name)")
      }
      waiting += target.dependencies.map { dependency in
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _), .productItem(let name, _, _, _): name
        @unknown default: preconditionFailure("a dependency of \(target.name) has no name")
        }
      }
    }
    targets.removeAll { !wanted.contains($0.name) }
    products.removeAll { product in
      let parts = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
      return !parts.allSatisfy(wanted.contains)
    }
  }
}

// The targets of a build that needs few: `make quick` and the sanitizers set it, because such a build is made in a fraction of the time.
if let only = Context.environment["MULTIROUTE_ONLY"] {
  package.keep(only: only.split(whereSeparator: \.isWhitespace).map(String.init))
}

/// Whether to build the benchmarks, which need OpenBLAS to measure against; `make bench` sets it.
if Context.environment["MULTIROUTE_BENCH"] == "1" {
  package.targets += [
    // Bare clients, optimised as a C programmer would for his own machine.
    .target(
      name: "CBenchReference", path: "Sources/Stage/CBenchReference",
      cSettings: [.unsafeFlags(["-O3", "-march=native"])],
      linkerSettings: [.linkedLibrary("jack"), .linkedLibrary("openblas")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "ServerInterface", "CBenchReference", "CRealtime", "JackHost", "JackServer", "JackClient", "Numbers",
        "ControlInterface", "MixEngine", "OSC", "OSCSurface", "Presets", "Scenes",
        "SessionModel", "SessionPolicy", "SoundFiles", "Processes", "SystemCalls", "StageKit", "Threads",
        "multiroute",
      ],
      path: "Sources/Stage/bench", swiftSettings: strict),
  ]
}
