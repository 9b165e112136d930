import SystemCalls

extension MachineReader {
  /// The sound cards, in the order of their numbers.
  var cards: [SoundCard] {
    lines("/proc/asound/cards").compactMap { line in
      // ` 1 [USB            ]: USB-Audio - Scarlett 4i4 USB`; the line below each repeats the name.
      guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close,
        let number = Int(line[..<open].filter { $0 != " " })
      else { return nil }
      let id = line[line.index(after: open)..<close].filter { $0 != " " }
      let rest = line[close...]
      let name = rest.firstRange(of: " - ").map { String(rest[$0.upperBound...]) } ?? id
      return SoundCard(number: number, id: id, name: name, usb: place(ofCard: number))
    }
  }

  private func place(ofCard number: Int) -> SoundCard.Place? {
    // `001/005`: bus and device.
    guard let address = text("/proc/asound/card\(number)/usbbus") else { return nil }
    let parts = address.split(separator: "/").compactMap { Int($0) }
    let folder = "/sys/bus/usb/devices"
    let name = names(folder).first { name in
      !name.contains(":") && parts.count == 2
        && text("\(folder)/\(name)/busnum").flatMap { Int($0) } == parts[0]
        && text("\(folder)/\(name)/devnum").flatMap { Int($0) } == parts[1]
    }
    return name.map { name in
      func number(_ file: String) -> Double { text("\(folder)/\(name)/\(file)").flatMap { Double($0) } ?? 0 }
      return SoundCard.Place(
        name: name, speed: number("speed"), version: number("version"),
        maySleep: text("\(folder)/\(name)/power/control") == "auto")
    }
  }

  /// The path of the JACK library that this program has loaded.
  var jackLibrary: String? {
    lines("/proc/self/maps").lazy.compactMap { line -> String? in
      guard let slash = line.firstIndex(of: "/") else { return nil }
      let path = line[slash...]
      return path.split(separator: "/").last?.hasPrefix("libjack.so") == true ? String(path) : nil
    }.first
  }

  /// What is installed of PipeWire, and its settings.
  func pipeWire(home: String?) -> Machine.PipeWireFacts {
    var facts = Machine.PipeWireFacts()
    let nested = names("/usr/lib").map { "/usr/lib/\($0)" }
    for folder in ["/usr/lib", "/usr/lib64"] + nested {
      facts.version = facts.version ?? names(folder).lazy.compactMap(Self.version).first
      if exists("\(folder)/pipewire-0.3/jack/libjack.so.0") { facts.hasJackLibrary = true }
    }
    for folder in ["/usr/share/pipewire", "/etc/pipewire"] + (home.map { ["\($0)/.config/pipewire"] } ?? []) {
      let parts = names("\(folder)/pipewire.conf.d").filter { $0.hasSuffix(".conf") }
      for file in ["pipewire.conf"] + parts.map({ "pipewire.conf.d/\($0)" }) {
        var isForOthers = false
        for line in lines("\(folder)/\(file)") {
          // A block of settings for virtual machines alone.
          if line.contains("vm.overrides") { isForOthers = true }
          if !isForOthers { note(line, &facts.settings) }
          if line.contains("}") { isForOthers = false }
        }
      }
    }
    return facts
  }

  /// The version of PipeWire in the name of its library: `libpipewire-0.3.so.0.1402.0` is 1.4.2, `0.365.0` is 0.3.65.
  private static func version(_ file: String) -> String? {
    let start = "libpipewire-0.3.so.0."
    guard file.hasPrefix(start), let number = Int(file.dropFirst(start.count).prefix { $0 != "." }) else {
      return nil
    }
    return "\(number / 1_000).\(number / 100 % 10).\(number % 100)"
  }

  /// Notes a line such as `default.clock.quantum = 256` of a configuration.
  private func note(_ line: Substring, _ settings: inout [String: String]) {
    let line = line.prefix { $0 != "#" }
    guard let equals = line.firstIndex(of: "=") else { return }
    let name = line[..<equals].filter { !$0.isWhitespace }
    guard name.hasPrefix("default.clock.") else { return }
    settings[String(name.dropFirst("default.clock.".count))] =
      line[line.index(after: equals)...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
