import OSC

/// `multiroute recall` and `multiroute go`: scenes from the shell.
enum RecallCommand {
  /// Recalls a preset of the router's library.
  static func recall(_ preset: String, fade: Double?, _ options: ClientOptions) throws(CommandFailure) {
    let arguments: [OSCArgument] = [.string(preset)] + (fade.map { [.float(Float($0))] } ?? [])
    var link = try RouterLink(options)
    _ = try link.request(OSCMessage("/preset/recall", arguments))
  }

  /// Recalls the preset on standby.
  static func go(_ options: ClientOptions) throws(CommandFailure) {
    var link = try RouterLink(options)
    _ = try link.request(OSCMessage("/preset/go"))
  }
}
