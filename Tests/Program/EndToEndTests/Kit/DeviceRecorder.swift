import SoundFiles
import StageKit
import TestKit

/// Records the sound at simulated devices during an action.
struct DeviceRecorder {
  /// How the server's clock runs during a recording, which decides the meaning of a jump.
  enum Clock {
    /// As fast as it can: a jump is an error.
    case freewheel
    /// In real time: a busy machine may make the server leave out frames, and a break of the sound there is excused.
    case realTime
    /// The test makes the clock jump: it changes the period or begins to freewheel. A jump excuses nothing.
    case changed
  }

  /// An impossible jump of the clock: the recording shows nothing about the router.
  struct Loss: Error, CustomStringConvertible {
    var description: String
  }

  let stage: StageProcess
  let folder: TemporaryFolder

  /// Records devices while `body` runs. All recordings start at the first frame that every device received.
  ///
  /// In real time the ends of the recordings are left out: the server may have jumped just before or behind them, which they do not show.
  ///
  /// - Parameter seconds: of sound that may wait for the disk.
  /// - Throws: `Loss`, `RecordingReport.Incomplete`, and what the body throws, with the recordings ended.
  func hear(
    _ devices: [String], room seconds: Int = 40, clock: Clock, while body: () throws -> Void
  ) throws -> [DeviceSound] {
    let files = devices.indices.map { "heard-\($0).wav" }
    let period = Int(try stage.value("period", of: "period"))
    let margin = clock == .realTime ? Continuity.margin * period : 0
    var (started, reports): ([String], [RecordingReport]) = ([], [])
    do {
      for (device, file) in zip(devices, files) {
        try stage.do("record \"\(device)\" \(folder.file(file)) \(seconds)")
        started.append(device)
      }
      try stage.do("frames \(2_048 + margin)")
      try body()
      try stage.do("frames \(2_048 + margin)")
      for device in devices { reports.append(try stage.stopRecording(device)) }
    } catch {
      // A recording that is not ended would prevent the next one.
      for device in started.dropFirst(reports.count) { _ = try? stage.do("stop-record \"\(device)\"") }
      throw error
    }
    for (device, report) in zip(devices, reports) where clock == .freewheel && !report.jumps.isEmpty {
      throw Loss(description: "the freewheeling server's clock jumped for \(device): \(report.jumps)")
    }
    let first = reports.map(\.start).max() ?? 0
    return try devices.indices.map { index in
      let offset = reports[index].frame(at: first)
      let jumps = reports[index].jumps.map { ClockJump(frame: $0.frame - offset, missing: $0.missing) }
      let file = try SoundFile(path: folder.file(files[index]))
      return DeviceSound(
        name: devices[index], recorded: file.channels.map { Array($0.dropFirst(offset)) }, margin: margin,
        jumps: clock == .realTime ? jumps : [], period: period)
    }
  }
}
