/// A shared library that is loaded when it is first needed, under every name of a version that this program knows.
///
/// The names and packages of Debian 12 and 13 are tried; those of Ubuntu and Fedora are as published, and not tried (`untried`).
public struct LoadedLibrary: Hashable, Sendable {
  /// What the program cannot do without it.
  public let use: String
  /// The names of the file, the most usual first.
  public let files: [String]
  public let package: SystemPackage
  /// Whether the file is one of ours, which needs the library of the package.
  public let isOurs: Bool

  public init(for use: String, _ files: [String], _ package: SystemPackage, isOurs: Bool = false) {
    (self.use, self.files, self.package, self.isOurs) = (use, files, package, isOurs)
  }

  /// The names of files that Debian 12 and 13 do not have, so that no test has ever run with them.
  public static let untried: Set = [
    "libFLAC.so.8", "libwebsockets.so.16", "libwebsockets.so.20", "libwebsockets.so.21", "libcrypt.so.2",
  ]

  public static let all = [
    soundFiles, flac, mp3, rates, stretch, loudness, tags, database, compression, web, discovery, voice, bus,
    prompt, secrets, codes, effects,
  ]

  public static let soundFiles = LoadedLibrary(
    for: "sound files", ["libsndfile.so.1"], SystemPackage("libsndfile1", fedora: "libsndfile"))
  /// FLAC 1.4, 1.5 and 1.3: what is used of them is the same.
  public static let flac = LoadedLibrary(
    for: "FLAC in Ogg", ["libFLAC.so.12", "libFLAC.so.14", "libFLAC.so.8"],
    SystemPackage(
      "libflac12", debian13: "libflac14", ubuntu22: "libflac8", ubuntu24: "libflac12t64", fedora: "flac-libs")
  )
  public static let mp3 = LoadedLibrary(
    for: "mp3", ["libmpg123.so.0"],
    SystemPackage(
      "libmpg123-0", debian13: "libmpg123-0t64", ubuntu24: "libmpg123-0t64", fedora: "mpg123-libs"))
  public static let rates = LoadedLibrary(
    for: "files of another sample rate", ["libsoxr.so.0"], SystemPackage("libsoxr0", fedora: "soxr"))
  public static let stretch = LoadedLibrary(
    for: "playing faster or slower", ["libSoundTouchDll.so.1"],
    SystemPackage("libsoundtouch1", fedora: "soundtouch"))
  public static let loudness = LoadedLibrary(
    for: "measuring loudness", ["libebur128.so.1"], SystemPackage("libebur128-1", fedora: "libebur128"))
  /// TagLib 1 and 2 have interfaces of C++, and one library of ours each.
  public static let tags = LoadedLibrary(
    for: "the music library", ["libmultiroute-tags.so", "libmultiroute-tags2.so"],
    SystemPackage("libtag1v5", debian13: "libtag2", fedora: "taglib"), isOurs: true)
  public static let database = LoadedLibrary(
    for: "the music library's index", ["libsqlite3.so.0"],
    SystemPackage("libsqlite3-0", fedora: "sqlite-libs"))
  public static let compression = LoadedLibrary(
    for: "layouts for remote controls", ["libz.so.1"], SystemPackage("zlib1g", fedora: "zlib-ng-compat"))
  /// Their structures differ: `WebsocketsCalls` asks the library for its version.
  public static let web = LoadedLibrary(
    for: "page, OSCQuery and metrics",
    [
      "libwebsockets.so.17", "libwebsockets.so.19", "libwebsockets.so.16", "libwebsockets.so.20",
      "libwebsockets.so.21",
    ],
    SystemPackage(
      "libwebsockets17", debian13: "libwebsockets19t64", ubuntu22: "libwebsockets16",
      ubuntu24: "libwebsockets19t64",
      fedora: "libwebsockets"))
  public static let discovery = LoadedLibrary(
    for: "being found in the network", ["libavahi-client.so.3"],
    SystemPackage("libavahi-client3", fedora: "avahi-libs"))
  /// WebRTC's voice processing 0.3 and 1.3 have interfaces of C++, and one library of ours each.
  public static let voice = LoadedLibrary(
    for: "voice processing", ["libmultiroute-voice.so", "libmultiroute-voice1.so"],
    SystemPackage(
      "libwebrtc-audio-processing1", debian13: "libwebrtc-audio-processing-1-3",
      fedora: "webrtc-audio-processing"),
    isOurs: true)
  public static let bus = LoadedLibrary(
    for: "media players and systemd's bus", ["libsystemd.so.0"],
    SystemPackage("libsystemd0", fedora: "systemd-libs"))
  public static let prompt = LoadedLibrary(
    for: "the prompt", ["libedit.so.2"], SystemPackage("libedit2", fedora: "libedit"))

  public static let secrets = LoadedLibrary(
    for: "tokens", ["libcrypt.so.1", "libcrypt.so.2"], SystemPackage("libcrypt1", fedora: "libxcrypt"))
  public static let codes = LoadedLibrary(
    for: "QR codes", ["libqrencode.so.4"], SystemPackage("libqrencode4", fedora: "qrencode-libs"))

  public static let effects = LoadedLibrary(
    for: "effects", ["liblilv-0.so.0"], SystemPackage("liblilv-0-0", fedora: "lilv-libs"))

  /// What to do if it cannot be loaded, as the end of a sentence.
  var advice: String { package.advice() + (isOurs ? ", or multiroute with all of its files" : "") }
}
