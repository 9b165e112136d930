extension Machine {
  /// A running program.
  struct RunningProgram: Equatable {
    var number: Int
    var name: String
    var arguments: [String] = []
    /// The number of its user.
    var user = 0
    /// Whether one of its threads has real-time priority.
    var isRealtime = false
    /// The sound devices that it holds, such as `pcmC0D0p`.
    var devices: [String] = []

    /// Whether it is a sound server.
    var isServer: Bool { ["jackd", "jackdbus", "pipewire"].contains(name) }
  }
}

extension Machine.RunningProgram {
  /// Where the words about the driver begin in the command of a jackd: the letters behind have other meanings than those before.
  private var driver: Int {
    arguments.firstIndex { $0.hasPrefix("-d") || $0.hasPrefix("--driver") } ?? arguments.count
  }

  /// The command of a jackd that runs without real-time priority on demand, changed to run with it; nil if nothing demands that.
  var realtimeCommand: String? {
    let others = arguments[..<driver].filter { $0 != "-r" && $0 != "--no-realtime" }
    guard others.count < driver else { return nil }
    return (["jackd", "-R"] + others + arguments[driver...]).joined(separator: " ")
  }

  /// The name of the server that a jackd is.
  var serverName: String {
    Self.value(of: ["-n", "--name"], in: arguments[..<driver]) ?? Machine.usualServer
  }

  /// What a jackd with the driver `alsa` is told about it; nil for another driver.
  var alsaArguments: ArraySlice<String>? {
    Self.value(of: ["-d", "--driver"], in: arguments[driver...]) == "alsa" ? arguments[(driver + 1)...] : nil
  }

  /// The value of a flag in a command: the next word, or the rest of the flag's own.
  static func value(of flags: [String], in words: ArraySlice<String>) -> String? {
    for (index, word) in zip(words.indices, words) {
      for flag in flags where word.hasPrefix(flag) {
        if word == flag { return words[(index + 1)...].first }
        if flag.count == 2 || word.hasPrefix("\(flag)=") {
          return String(word.dropFirst(flag.count).drop { $0 == "=" })
        }
      }
    }
    return nil
  }
}
