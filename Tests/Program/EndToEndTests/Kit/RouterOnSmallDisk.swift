import TestKit
import Testing

/// A router that has a small disk of its own for some of its files.
struct RouterOnSmallDisk {
  let server: PrivateServer
  let folder: TemporaryFolder
  let disk: PrivateDisk
  let router: RouterProcess
  let surface: ControlSurface

  /// - Parameter flags: the flags that put files onto the disk, whose folder it gets.
  init(preset: String, flags: (_ disk: String) -> [String]) async throws {
    server = try await PrivateServer()
    folder = try TemporaryFolder()
    disk = try #require(try PrivateDisk(in: folder, kibibytes: 256))
    router = try RouterProcess(
      preset: folder.write(preset, to: "show.json"), server: server.name, in: folder,
      flags: flags(disk.path), launcher: disk.launcher, owners: [server])
    surface = try ControlSurface(port: router.port)
  }

  /// The path at which this process finds a file of the disk.
  func file(_ name: String) -> String { disk.file(name, of: router.child.identifier) }

  func setFull(_ isFull: Bool) throws { try disk.setFull(isFull, of: router.child.identifier) }

  func setReadOnly(_ isReadOnly: Bool) throws {
    try disk.setReadOnly(isReadOnly, of: router.child.identifier)
  }
}
