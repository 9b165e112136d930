import Foundation
import TestKit
import Testing

/// The files and folders that a router makes, even if its shell makes everything public.
@Suite struct PermissionTests {
  @Test(
    "Only the user can enter the folders that the router makes, and read or write its files and its socket")
  func permissions() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let router = try RouterProcess(
      preset: folder.write(House.preset(""), to: "show.json"), server: server.name, in: folder,
      flags: ["--events", folder.file("events.jsonl")],
      environment: ["XDG_RUNTIME_DIR": folder.path],
      launcher: ["sh", "-c", "umask 000 && exec \"$@\"", "sh"], owners: [server])
    let kept = folder.file("XDG_STATE_HOME/multiroute/multiroute.json")
    let end = ContinuousClock.now + .seconds(5)
    while !FileManager.default.fileExists(atPath: kept), ContinuousClock.now < end { usleep(10_000) }
    for (path, permissions) in [
      (folder.file("XDG_STATE_HOME"), 0o700), (folder.file("XDG_STATE_HOME/multiroute"), 0o700),
      (kept, 0o600), ("\(kept).lock", 0o600), (folder.file("multiroute"), 0o700), (router.socket, 0o600),
      (folder.file("events.jsonl"), 0o600),
    ] {
      let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(found == permissions, "\(path): \(String(found ?? 0, radix: 8))")
    }
    #expect(router.terminate().code == 0)
  }
}
