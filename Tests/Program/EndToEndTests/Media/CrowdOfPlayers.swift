import Foundation
import Glibc
import OSC
import SoundFiles
import TestKit
import Testing

/// Many players from files that are not in the page cache, while recorders write, in real time at a period of 64 frames.
///
/// Every player plays the same level without end, so that each recording has one level throughout: a gap in any player, or in a recorder, would
/// be another one.
struct CrowdOfPlayers {
  private let house: House
  private let (players, recorders): (Int, Int)
  private let media: String
  /// The level of one player, a power of two, so that sums are exact.
  private static let level: Float = 1 / 128

  init(players: Int, recorders: Int) async throws {
    (self.players, self.recorders) = (players, recorders)
    let folder = try TemporaryFolder()
    media = folder.path
    owner = folder
    let second = Array(repeating: Self.level, count: 48_000)
    let sound = Array(repeatElement(second, count: 10).joined())
    for number in 0..<players {
      try SoundFile(channels: [sound, sound], sampleRate: 48_000).write(path: "\(media)/\(number).wav")
    }
    house = try await House(
      House.preset(
        #""show": { "category": "multiRoute", "activate": "start", "streams": { "music": { "channels": 2, "to": { "usb:1-2": 0 } } } }"#
      ), programs: [], period: 64, flags: ["--media", media])
    let surface = house.surface
    for number in 0..<players {
      try surface.send("/player/create", .string("p\(number)"), "show.music", .string("\(number).wav"))
      try surface.send("/player/p\(number)/loops", -1)
    }
    for number in 0..<recorders {
      try surface.send("/recorder/create", .string("r\(number)"), "output:usb", .string("take\(number)"))
      try surface.send("/recorder/r\(number)/channels", 2)
    }
  }

  private let owner: TemporaryFolder

  /// Plays and records, and expects that nothing is missing.
  func expectWhole(seconds: Int) throws {
    let surface = house.surface
    dropCache()
    try surface.send("/player/*/playing", 1)
    try awaitLevel()
    let xruns = try #require(surface.counters()["xruns"])
    try surface.send("/recorder/*/recording", 1)
    for _ in 0..<seconds {
      try house.stage.do("frames 48000")
      dropCache()
    }
    try surface.send("/recorder/*/recording", 0)
    let late = try #require(surface.counters()["xruns"]) - xruns
    for number in 0..<players {
      #expect(try surface.number("/player/p\(number)/underruns") == 0, "player \(number)")
    }
    for number in 0..<recorders {
      #expect(try surface.number("/recorder/r\(number)/lost") == 0, "recorder \(number)")
    }
    let names = try (0..<recorders).map { try surface.text("/recorder/r\($0)/file/now") }
    // A router that ends has finished its recordings.
    #expect(house.router.terminate().code == 0)
    for name in names { try expectRecording(name, seconds: seconds, late: late) }
    if late > 0 { TestNotes.excuse("\(late) late periods beside \(players) players") }
  }

  /// Waits until all players are heard.
  private func awaitLevel() throws {
    let all = 20 * log10(Double(players) * Double(Self.level))
    let end = ContinuousClock.now + .seconds(30)
    while abs(try house.stage.value("peak", of: "level \"USB Interface\" 1 0.01") - all) > 0.01 {
      try #require(ContinuousClock.now < end, "the players are not heard")
    }
  }

  /// Expects one level in a recording, as long as it was recorded.
  private func expectRecording(_ name: String, seconds: Int, late: Int) throws {
    let reader = try SoundFileReader(path: "\(media)/recordings/\(name)")
    let level = Float(players) * Self.level
    var (frames, wrong) = (0, 0)
    while case let block = reader.read(frames: 48_000), !block[0].isEmpty {
      frames += block[0].count
      for channel in block { wrong += channel.count { $0 != level } }
    }
    #expect(wrong == 0, "\(name) has wrong samples")
    // The server's own gaps are no part of a recording.
    if late == 0 { #expect(frames >= seconds * 48_000, "\(name) has \(frames) frames") }
  }

  /// Has the system forget the contents of all files, so that players read from the disk.
  private func dropCache() {
    for number in 0..<players {
      let descriptor = open("\(media)/\(number).wav", O_RDONLY)
      fsync(descriptor)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      close(descriptor)
    }
  }
}
