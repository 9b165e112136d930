import Commands

/// `multiroute demo`.
enum DemoCommand {
  /// Carries it out; called on the main thread, and returns when it is over.
  /// - Throws: `CommandFailure`
  static func perform(_ options: DemoOptions, _ context: Context) throws(CommandFailure) {
    throw CommandFailure(.internalError, "multiroute demo is not connected to the router yet.")
  }
}
