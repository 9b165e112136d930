import Commands

/// `multiroute run`.
enum RunCommand {
  /// Carries it out; called on the main thread, and returns when it is over.
  /// - Throws: `CommandFailure`
  static func perform(_ options: RunOptions, _ context: Context) throws(CommandFailure) {
    throw CommandFailure(.internalError, "multiroute run is not connected to the router yet.")
  }
}
