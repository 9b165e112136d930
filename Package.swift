// swift-tools-version: 6.3
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
]

/// Targets of the audio thread are optimised in debug builds too: unoptimised loops are up to 400 times
/// slower, and tests on a real server would then measure the compiler. Whole modules, because the compiler vouches
/// for a call only if it sees the function; one thread, because indexing wants one object for each file.
let audio: [SwiftSetting] =
  strict + [
    .unsafeFlags(
      ["-O", "-whole-module-optimization", "-num-threads", "1", "-disable-batch-mode"],
      .when(configuration: .debug))
  ]

/// The law is optimised in debug builds too: a hundred thousand histories are tried on it, and unoptimised they would keep both
/// processors of a small machine from everybody else's tests.
let law: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

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

/// Whether to link the RealtimeSanitizer, which ends the program where the audio thread allocates, locks or blocks;
/// `.ci/checks/rtsan.sh` sets it.
let watchesRealtime = Context.environment["MULTIROUTE_RTSAN"] == "1"

let package = Package(
  name: "multiroute",
  products: [
    .executable(name: "multiroute", targets: ["multiroute"])
  ],
  targets: [
    // MARK: C
    .systemLibrary(name: "CJack", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
    .systemLibrary(name: "CLiblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .target(
      name: "CRealtime", cSettings: watchesRealtime ? [.define("MR_RTSAN")] : [],
      // Whatever uses these few lines is linked with the sanitizer's runtime.
      linkerSettings: watchesRealtime ? [.unsafeFlags(["-Xclang-linker", "-fsanitize=realtime"])] : []),

    // How a child process is started that ends with us.
    .target(name: "CSpawn"),

    // MARK: Pure core
    .target(name: "SessionModel", swiftSettings: law),
    .target(
      name: "SessionPolicy", dependencies: ["SessionModel"], exclude: ["Rules/README.md"],
      swiftSettings: law),
    .target(name: "Parameters", dependencies: ["SessionModel"], swiftSettings: strict),
    .target(name: "Presets", dependencies: ["Parameters", "SessionModel"], swiftSettings: strict),

    // MARK: Audio thread
    .target(name: "MixLoops", swiftSettings: audio),
    .target(name: "MixLoopsV3", swiftSettings: newerProcessor),
    .target(name: "MixLoopsV4", swiftSettings: widestProcessor),
    .target(
      name: "MixKernel", dependencies: ["MixLoops", "MixLoopsV3", "MixLoopsV4", "CRealtime"],
      swiftSettings: audio),
    .target(
      name: "MixEngine", dependencies: ["MixKernel", "MixLoops", "CRealtime", "SessionModel"],
      swiftSettings: audio),

    // MARK: Adapters
    .target(name: "JackClient", dependencies: ["CJack", "CRealtime", "Threads"], swiftSettings: strict),
    .target(
      name: "JackBackend", dependencies: ["JackClient", "MixKernel", "SessionModel", "Threads"],
      swiftSettings: audio),
    .target(name: "OSC", dependencies: ["CLiblo", "Threads"], swiftSettings: strict),
    .target(name: "Media", dependencies: ["CSndfile"], swiftSettings: strict),
    // Threads of our own, and the clock that they wait by.
    .target(name: "Threads", dependencies: ["CRealtime"], swiftSettings: strict),
    // How child processes are started.
    .target(name: "Spawn", dependencies: ["CSpawn"], swiftSettings: strict),
    // The programs that make ports out of cards and machines that the server does not see.
    .target(name: "Bridges", dependencies: ["SessionModel", "Spawn", "Threads"], swiftSettings: strict),
    // What PipeWire knows of devices beyond JACK; without its libraries.
    .target(
      name: "PipeWire", dependencies: ["Presets", "SessionModel", "Spawn", "Threads"], swiftSettings: strict
    ),
    .target(
      name: "StageKit", dependencies: ["JackClient", "Media", "Spawn", "Threads"], swiftSettings: audio),

    // MARK: The router
    .target(
      name: "Surface", dependencies: ["OSC", "Parameters", "SessionModel"], swiftSettings: strict),
    .target(
      name: "Router",
      dependencies: [
        "SessionModel", "SessionPolicy", "Parameters", "Presets", "Surface", "OSC", "MixEngine",
        "MixKernel", "Media", "Bridges", "Threads",
      ],
      swiftSettings: strict),
    // The command line: everything of the program that needs no JACK, and so can be tested without.
    .target(
      name: "Commands",
      dependencies: ["OSC", "Parameters", "Presets", "SessionModel", "SessionPolicy", "Surface"],
      swiftSettings: strict),
    // Optimised too: the demonstration looks at every sample that is heard.
    .executableTarget(
      name: "multiroute",
      dependencies: [
        "CRealtime", "Commands", "Router", "JackBackend", "JackClient", "MixKernel", "StageKit", "Media",
        "PipeWire", "Presets", "Surface", "OSC", "SessionModel", "SessionPolicy", "Threads",
      ],
      swiftSettings: audio),
    // Simulated devices and sources as a process of their own, steered by lines on standard input.
    .executableTarget(name: "stage", dependencies: ["StageKit"], swiftSettings: strict),

    // MARK: Tests
    // Optimised too: it looks at millions of samples.
    .target(
      name: "TestKit",
      dependencies: ["CRealtime", "JackClient", "OSC", "Media", "Spawn", "StageKit", "Threads"],
      path: "Tests/TestKit",
      swiftSettings: audio
    ),
    .target(name: "Chance", path: "Tests/Chance", swiftSettings: strict),
    .testTarget(name: "SessionModelTests", dependencies: ["SessionModel"], swiftSettings: strict),
    .testTarget(
      name: "SessionPolicyTests", dependencies: ["Chance", "SessionPolicy", "SessionModel"],
      swiftSettings: strict),
    .testTarget(
      name: "ParametersTests", dependencies: ["Parameters", "SessionModel"], swiftSettings: strict),
    // The policy is what a preset is tried on.
    .testTarget(
      name: "PresetsTests",
      dependencies: ["Chance", "Presets", "Parameters", "SessionModel", "SessionPolicy"],
      swiftSettings: strict),
    .testTarget(
      name: "MixKernelTests",
      dependencies: ["Chance", "MixEngine", "MixKernel", "CRealtime", "SessionModel"],
      swiftSettings: strict),
    .testTarget(name: "OSCTests", dependencies: ["Chance", "OSC"], swiftSettings: strict),
    .testTarget(name: "MediaTests", dependencies: ["Media"], swiftSettings: strict),
    .testTarget(
      name: "SurfaceTests", dependencies: ["Surface", "SessionPolicy", "SessionModel", "Parameters", "OSC"],
      swiftSettings: strict),
    .testTarget(
      name: "CommandsTests",
      dependencies: ["Commands", "OSC", "Parameters", "SessionModel", "SessionPolicy", "Surface"],
      swiftSettings: strict),
    .testTarget(
      name: "RouterTests",
      dependencies: [
        "Chance", "Router", "MixEngine", "MixKernel", "OSC", "Parameters", "SessionModel", "SessionPolicy",
        "Surface",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BridgesTests", dependencies: ["Bridges", "SessionModel", "Spawn", "TestKit"],
      swiftSettings: strict),
    .testTarget(
      name: "PipeWireTests", dependencies: ["PipeWire", "SessionModel", "TestKit"], swiftSettings: strict),
    // Real servers, real sockets, real processes.
    .testTarget(
      name: "JackTests",
      dependencies: [
        "TestKit", "Media", "StageKit", "stage", "JackBackend", "JackClient", "MixEngine", "SessionModel",
        "CRealtime",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests", dependencies: ["TestKit", "Media", "OSC", "StageKit", "multiroute", "stage"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// The sanitizer's build is made often and needs only what runs on the audio thread, and its tests.
if watchesRealtime {
  let wanted: Set = [
    "CRealtime", "SessionModel", "MixLoops", "MixLoopsV3", "MixLoopsV4", "MixKernel", "MixEngine",
    "Chance", "MixKernelTests",
    "CJack", "CLiblo", "CSndfile", "JackClient", "JackBackend", "OSC", "Media", "StageKit", "stage",
    "CSpawn", "Spawn", "Threads", "TestKit", "JackTests",
  ]
  package.targets.removeAll { !wanted.contains($0.name) }
  package.products = []
}

/// Whether to build the benchmarks, which need OpenBLAS to measure against; `make bench` sets it.
if Context.environment["MULTIROUTE_BENCH"] == "1" {
  package.targets += [
    // Bare clients, optimised as a C programmer would for his own machine.
    .target(
      name: "CBenchReference", cSettings: [.unsafeFlags(["-O3", "-march=native"])],
      linkerSettings: [.linkedLibrary("jack"), .linkedLibrary("openblas")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CBenchReference", "CRealtime", "JackBackend", "JackClient", "MixEngine", "OSC",
        "SessionModel", "SessionPolicy", "Spawn", "StageKit", "multiroute",
      ],
      swiftSettings: strict),
  ]
}
