import SystemCalls

/// Measures how fast a folder's disk takes what is written, as a recorder would write: blocks that must reach the disk.
enum DiskMeasure {
  /// Bytes of a block, and the most blocks that are written.
  private static let (block, blocks) = (1 << 20, 16)
  /// Seconds after which no further block is written.
  private static let patience = 2.0

  /// Writes a file that nothing else sees, and removes it.
  ///
  /// - Parameter folder: if it does not exist, the nearest folder above it is measured.
  static func measure(_ folder: String) -> Machine.DiskFacts {
    var facts = Machine.DiskFacts(folder: folder)
    var place = folder
    while !Files.isFolder(place), place != "/", place != "." { place = WholeFile.folder(of: place) }
    let file = "\(place)/.multiroute-doctor-\(System.getpid())"
    do throws(SystemError) {
      facts.free = try System.statvfs(place).free
      let descriptor = try System.open(file, [.write, .create, .exclusive], permissions: 0o600)
      defer { System.close(descriptor) }
      // The file stays open without a name, and so is gone however this program ends.
      try System.unlink(file)
      // Not zeros, which some disks do not store.
      let bytes = (0..<block).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
      let clock = ContinuousClock()
      let start = clock.now
      var (written, last) = (0, start)
      while written < blocks, (last - start) / .seconds(1) < patience {
        try System.writeAll(descriptor, bytes)
        try System.fsync(descriptor)
        written += 1
        let now = clock.now
        facts.longestWait = max(facts.longestWait, (now - last) / .seconds(1))
        last = now
      }
      facts.rate = Double(written * block) / max(1e-6, (last - start) / .seconds(1))
    } catch {
      facts.failure = error.reason
    }
    return facts
  }
}
