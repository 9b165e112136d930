import Foundation
import JackServer
import OSC
import SongFiles
import TestKit

/// A router without devices whose media folder holds small songs, and a surface that talks to it.
final class MusicHouse {
  let server: PrivateServer
  let folder: TemporaryFolder
  /// The path of the media folder.
  let media: String
  private(set) var router: RouterProcess
  private(set) var surface: ControlSurface
  private let environment: [String: String]
  private let joinsDesktop: Bool
  private let flags: [String]

  /// Without a device of its own, so that the server's sound card is the output.
  static let preset = """
    { "multiroute": 1, "sessions": {
      "music": { "category": "playback", "activate": "manual", "streams": { "main": { "channels": 2 } } } } }
    """

  /// - Parameters:
  ///   - songs: so many songs are in the folder.
  ///   - given: the server of another house; nil for one of its own.
  init(
    songs: Int, on given: PrivateServer? = nil, joinsDesktop: Bool = false, flags: [String] = [],
    environment: [String: String] = [:]
  ) async throws {
    if let given {
      server = given
    } else {
      server = try await PrivateServer { ($0.period, $0.playbackChannels) = (256, 2) }
    }
    folder = try TemporaryFolder()
    media = folder.file("XDG_DATA_HOME/multiroute/media")
    (self.joinsDesktop, self.flags, self.environment) = (joinsDesktop, flags, environment)
    try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: true)
    try SongCollectionFolder.make(songs, in: media)
    router = try Self.start(server, folder, joinsDesktop, flags, environment)
    surface = try ControlSurface(port: router.port)
  }

  private static func start(
    _ server: PrivateServer, _ folder: TemporaryFolder, _ joinsDesktop: Bool, _ flags: [String],
    _ environment: [String: String]
  ) throws -> RouterProcess {
    // The shipped sounds are no part of the count.
    try RouterProcess(
      preset: folder.write(preset, to: "show.json"), server: server.name, in: folder,
      flags: flags, joinsDesktop: joinsDesktop,
      environment: environment.merging(["MULTIROUTE_SHARE": folder.file("nothing")]) { given, _ in given },
      owners: [server])
  }

  /// Ends the router in order, and starts it again.
  func restart() throws {
    _ = router.terminate()
    router = try Self.start(server, folder, joinsDesktop, flags, environment)
    surface = try ControlSurface(port: router.port)
  }

  /// Waits until the library has so many songs.
  func awaitSongs(_ count: Int32) throws {
    let known = try surface.subscribe("/library/count")
    if known.last(where: { $0.address == "/library/count" })?.arguments != [.int32(count)] {
      try surface.wait(for: "/library/count", seconds: 60) { $0.arguments == [.int32(count)] }
    }
    try surface.tell("/unsubscribe", "/library/count")
  }

  /// The names of the files in a player's queue are not shown to clients; their titles are.
  func titles(_ player: String) throws -> [String] {
    try surface.tell("/player/\(player)/queue/list")
    var titles: [String] = []
    while true {
      let row = try surface.wait(for: "/player/\(player)/queue/list").arguments
      guard row.count >= 4, case .int32(let index) = row[0], case .int32(let total) = row[1] else {
        return []
      }
      titles.append(row[3].text ?? "")
      if index + 1 == total { return titles }
    }
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: "\(media)/\(name)"))
  }
}
