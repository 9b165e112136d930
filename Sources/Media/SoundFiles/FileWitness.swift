import SystemCalls

/// Tells whether an open file still has the bytes that it had.
struct FileWitness {
  private var status: FileStatus
  /// Some bytes at some places of the file.
  private let samples: [Sample]

  private struct Sample: Equatable {
    var place: Int
    var bytes: [UInt8]
  }

  private static let places = 4
  private static let length = 1_024
  /// Pauses of a millisecond after which a file that has another time and the same size counts as changed.
  private static let patience = 200

  /// - Returns: nil if the system tells nothing of the file.
  init?(_ descriptor: Int32) {
    guard let status = try? System.fstat(descriptor) else { return nil }
    self.status = status
    samples = (1...Self.places).map { part in
      Self.sample(descriptor, at: max(0, status.size * part / Self.places - Self.length))
    }
  }

  /// The size in bytes when it was looked at first, or since it was appended to.
  var size: Int { status.size }

  /// Whether the file was changed since the last look, other than by more bytes behind its end: so grows a recording that is played while it is made.
  ///
  /// - Parameter pause: waits a little for another program to go on writing.
  mutating func hasChanged(
    _ descriptor: Int32, pause: () -> Void = { System.sleep(seconds: 0.001) }
  ) -> Bool {
    guard var now = try? System.fstat(descriptor) else { return true }
    guard now.size != status.size || now.modifiedNanoseconds != status.modifiedNanoseconds else {
      return false
    }
    // The system writes down the time of a write first, and the new size later.
    for _ in 0..<Self.patience where now.size == status.size {
      pause()
      guard let later = try? System.fstat(descriptor) else { return true }
      now = later
    }
    guard now.size > status.size, samples == samples.map({ Self.sample(descriptor, at: $0.place) }) else {
      return true
    }
    status = now
    return false
  }

  private static func sample(_ descriptor: Int32, at place: Int) -> Sample {
    Sample(place: place, bytes: (try? System.pread(descriptor, count: length, at: place)) ?? [])
  }
}
