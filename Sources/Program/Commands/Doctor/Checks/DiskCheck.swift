/// Whether the disk of the recordings is fast enough, and has room.
enum DiskCheck {
  /// Bytes a second of eight channels at 48 kHz in floats, and of what a machine should have.
  private static let (least, ample) = (1_536_000.0, 10_000_000.0)
  /// Seconds for which the recorders' rings hold the sound.
  private static let patience = 5.0
  /// Bytes of free room: little, and scarce.
  private static let (little, scarce) = (100 << 20, 2 << 30)

  static func examine(_ machine: Machine) -> Diagnosis {
    let disk = machine.disk
    guard !disk.folder.isEmpty else { return Diagnosis() }
    if let failure = disk.failure {
      return Diagnosis(findings: [
        .fault(
          "nothing can be written into \(disk.folder): \(failure)", why: "Nothing can be recorded.",
          cure: "mkdir -p \(disk.folder) && df -h \(disk.folder)   # or name another folder with --media")
      ])
    }
    let rate = disk.rate / 1_000_000
    var diagnosis = Diagnosis(facts: [
      "\(disk.folder) takes \(rate >= 10 ? "\(Int(rate))" : "\((rate * 10).rounded() / 10)") MB/s, waits \(Int((disk.longestWait * 1_000).rounded())) ms at most, and has \(disk.free >> 20) MiB free"
    ])
    if disk.rate < least || disk.longestWait > patience {
      diagnosis.findings.append(
        .fault(
          "the disk of \(disk.folder) is too slow for recordings",
          why: "Recordings of eight channels would have gaps.",
          cure: slowCure))
    } else if disk.rate < ample {
      diagnosis.findings.append(
        .hint(
          "the disk of \(disk.folder) is slow",
          why: "It is fast enough for eight channels, and not for many more, or beside another program.",
          cure: slowCure))
    }
    if disk.free < scarce {
      diagnosis.findings.append(
        Finding(
          what: "the disk of \(disk.folder) has only \(disk.free >> 20) MiB free",
          why: "That is \(disk.free / 384_000 / 60) minutes of a stereo recording in floats.",
          cure: "df -h \(disk.folder)   # and remove what is not needed", isAudible: disk.free < little))
    }
    return diagnosis
  }

  private static let slowCure =
    "multiroute doctor --media /path/of/another/disk   # then write \"media\" in config.json"
}
