import SystemCalls

extension MachineReader {
  /// The programs of the sound, and those that hold sound devices, as far as this user may look.
  var programs: [Machine.RunningProgram] {
    names("/proc").compactMap { Int($0) }.sorted().compactMap { number in
      guard let name = text("/proc/\(number)/comm") else { return nil }
      let devices = devices(heldBy: number)
      guard !devices.isEmpty || Self.programsOfSound.contains(name) else { return nil }
      let words = (try? WholeFile.bytes("\(root)/proc/\(number)/cmdline", limit: 65_536)) ?? []
      return Machine.RunningProgram(
        number: number, name: name,
        arguments: words.split(separator: 0).dropFirst().map { String(decoding: $0, as: UTF8.self) },
        user: user(of: "\(number)"), isRealtime: hasRealtimeThread(number), devices: devices)
    }
  }

  private static let programsOfSound: Set = ["jackd", "jackdbus", "pipewire", "multiroute"]

  private func devices(heldBy number: Int) -> [String] {
    let folder = "/proc/\(number)/fd"
    var devices: [String] = []
    for name in names(folder) {
      guard let target = try? System.readlink("\(root)\(folder)/\(name)"), target.hasPrefix("/dev/snd/pcm")
      else { continue }
      let device = String(target.dropFirst("/dev/snd/".count))
      if !devices.contains(device) { devices.append(device) }
    }
    return devices.sorted()
  }

  /// Whether a thread of a process is scheduled before all others (SCHED_FIFO or SCHED_RR).
  private func hasRealtimeThread(_ number: Int) -> Bool {
    let folder = "/proc/\(number)/task"
    return names(folder).contains { thread in
      // The name of the thread, in parentheses, may contain blanks. The policy is the 41st field (proc(5)).
      guard let line = lines("\(folder)/\(thread)/stat").first, let end = line.lastIndex(of: ")") else {
        return false
      }
      let fields = line[line.index(after: end)...].split(separator: " ")
      return fields.count > 38 && ["1", "2"].contains(fields[38])
    }
  }
}
