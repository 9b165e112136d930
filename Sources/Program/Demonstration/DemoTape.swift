import SoundFiles

/// Compares the recordings of the router with what the devices received.
struct DemoTape {
  /// The last sound of each device, all from the same frame time on. The recorders stopped just before its end.
  private let heard: [String: [[Float]]]

  /// Frames that are compared.
  private static let length = 48_000
  /// Frames that a device must have received without a loss.
  private static let memory = 96_000
  /// The last frames of a recording, which are left out: there it may fade.
  private static let margin = 4_800

  /// Keeps what the devices have received. Nil if one has received too little since frames were lost.
  init?(_ stage: DemoStage) {
    guard let end = stage.ears.values.compactMap(\.end).min() else { return nil }
    var heard: [String: [[Float]]] = [:]
    for device in DemoStage.devices {
      let ear = stage.ears[device.id]
      guard let samples = ear?.samples(from: end - Self.memory, count: Self.memory) else { return nil }
      heard[device.id] = samples
    }
    self.heard = heard
  }

  /// What is wrong with the recordings.
  ///
  /// - Parameters:
  ///   - files: the path of each device's recording.
  ///   - least: the least number of frames of a recording.
  func faults(_ files: [String: String], least: Int) -> [String] {
    var faults: [String] = []
    var lengths: Set<Int> = []
    var place: Int?
    for device in DemoStage.devices {
      guard let path = files[device.id], let channels = heard[device.id] else {
        faults.append("there is no recording of \(device.name)")
        continue
      }
      do throws(MediaError) {
        let file = try SoundFileReader(path: path)
        let length = file.length ?? 0
        lengths.insert(length)
        guard length >= least else {
          faults.append("the recording of \(device.name) has \(length) frames, and should have \(least)")
          continue
        }
        try file.seek(to: length - Self.length - Self.margin)
        let recorded = file.read(frames: Self.length)
        // All recordings begin and end on the same frames, so the place of the first one is that of all.
        place = place ?? Self.place(of: recorded[0], in: channels[0])
        let isEqual = place.map { place in
          channels.map { Array($0[place..<place + Self.length]) } == recorded
        }
        if isEqual != true {
          faults.append("the recording of \(device.name) is not what the device received")
        }
      } catch { faults.append("\(error)") }
    }
    if lengths.count > 1 { faults.append("the recordings do not have one length") }
    return faults
  }

  /// Where samples occur in others.
  private static func place(of samples: [Float], in others: [Float]) -> Int? {
    guard let loudest = samples.indices.max(by: { abs(samples[$0]) < abs(samples[$1]) }) else { return nil }
    return (0...max(0, others.count - samples.count)).first { place in
      others[place + loudest] == samples[loudest] && Array(others[place..<place + samples.count]) == samples
    }
  }
}
