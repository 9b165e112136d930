import Media
import TestKit

/// Records what simulated devices hear while something is done.
struct DeviceRecorder {
  /// Frames that a device did not get, which says nothing about the router.
  struct Loss: Error, CustomStringConvertible {
    var description: String
  }

  let stage: StageProcess
  let folder: TemporaryFolder

  /// What devices hear while something is done, all from the first frame on that all of them heard; channel by channel.
  ///
  /// Frames that a device lost are an error, and so are frames that the server left out.
  ///
  /// - Parameters:
  ///   - seconds: of sound that may wait for the disk.
  ///   - allowingJumps: in real time a busy machine may make the server leave out frames, for all devices alike.
  /// - Throws: `Loss`, and what the body throws, with the recordings ended.
  func hear(
    _ devices: [String], room seconds: Int = 40, allowingJumps: Bool = false, while body: () throws -> Void
  ) throws -> [[[Float]]] {
    let files = devices.indices.map { "heard-\($0).wav" }
    var (started, reports): ([String], [String]) = ([], [])
    do {
      for (device, file) in zip(devices, files) {
        try stage.do("record \"\(device)\" \(folder.file(file)) \(seconds)")
        started.append(device)
      }
      try stage.do("frames 2048")
      try body()
      try stage.do("frames 2048")
      for device in devices { reports.append(try stage.do("stop-record \"\(device)\"")) }
    } catch {
      // A recording that went on would be in the way of the next.
      for device in started.dropFirst(reports.count) { _ = try? stage.do("stop-record \"\(device)\"") }
      throw error
    }
    for (device, report) in zip(devices, reports)
    where !report.contains(allowingJumps ? "dropped=0" : "dropped=0 jumps=0") {
      throw Loss(description: "\(device) lost frames: \(report)")
    }
    let starts = reports.map(Self.start)
    let first = starts.max() ?? 0
    return try zip(files, starts).map { file, start in
      try SoundFile(path: folder.file(file)).channels.map { Array($0.dropFirst(first - start)) }
    }
  }

  /// The server's frame time at which a recording began.
  private static func start(_ report: String) -> Int {
    report.split(separator: " ").first { $0.hasPrefix("start=") }.flatMap { Int($0.dropFirst(6)) } ?? 0
  }
}
