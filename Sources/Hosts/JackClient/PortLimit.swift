import SystemCalls

/// The greatest number of ports at a jackd. libjack does not tell it.
enum PortLimit {
  /// The limit of a jackd that was started without `--port-max` (`PORT_NUM`, jackd2's JackConstants.h).
  static let byDefault = 2_048

  /// The limit of the server that a process is; nil if the process is not a jackd, or if the system does not show its arguments.
  static func ofServer(process: Int32) -> Int? {
    guard let bytes = try? WholeFile.bytes("/proc/\(process)/cmdline") else { return nil }
    return inArguments(
      bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) })
  }

  /// The limit that the arguments of a jackd give. The options behind `-d` belong to the driver, where `-p` is the period.
  static func inArguments(_ arguments: [String]) -> Int? {
    guard let name = arguments.first?.split(separator: "/").last, ["jackd", "jackdbus"].contains(name) else {
      return nil
    }
    let own = arguments.dropFirst().prefix { !$0.hasPrefix("-d") && !$0.hasPrefix("--driver") }
    var limit = byDefault
    for (index, argument) in zip(own.indices, own) {
      let next = own.indices.contains(index + 1) ? own[index + 1] : ""
      let value: Substring
      if argument == "-p" || argument == "--port-max" {
        value = next[...]
      } else if argument.hasPrefix("--port-max=") {
        value = argument.dropFirst("--port-max=".count)
      } else if argument.hasPrefix("-p") {
        value = argument.dropFirst(2)
      } else {
        continue
      }
      limit = Int(value) ?? limit
    }
    return limit
  }
}
