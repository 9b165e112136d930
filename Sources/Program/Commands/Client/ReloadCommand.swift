import OSC

/// `multiroute reload`: makes a running router read its preset again.
enum ReloadCommand {
  static func perform(_ options: ClientOptions) throws(CommandFailure) {
    var link = try RouterLink(options)
    _ = try link.request(OSCMessage("/system/reload"))
  }
}
