import Foundation
public import TemporaryFolders

/// LV2 plugins of the tests' own, which crash, hang, sleep and lie as they are told (`Bundle/wild.c`), and a bundle that is broken.
public struct WildPlugins: Sendable {
  /// Keeps the bundles.
  public let folder: TemporaryFolder

  /// The URI of a plugin of this bundle.
  public static func uri(_ name: String) -> String { "urn:multiroute:\(name)" }

  /// A folder with the bundle, compiled with the C compiler of the system.
  /// - Throws: Foundation's errors, also if the compiler fails.
  public init() throws {
    folder = try TemporaryFolder()
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Bundle")
    for name in ["manifest.ttl", "wild.ttl"] {
      try folder.write(
        String(contentsOf: source.appending(path: name), encoding: .utf8), to: "wild.lv2/\(name)")
    }
    try folder.write("no program", to: "wild.lv2/garbage.so")
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/cc")
    compiler.arguments = [
      "-shared", "-fPIC", "-O1", "-o", folder.file("wild.lv2/wild.so"),
      source.appending(path: "wild.c").path(),
    ]
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  /// The folder and those of the system, as LV2_PATH.
  public var path: String { "\(folder.path):/usr/lib/lv2" }
}
