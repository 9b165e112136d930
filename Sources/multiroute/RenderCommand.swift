import Commands

/// `multiroute render`.
enum RenderCommand {
  /// Carries it out; called on the main thread, and returns when it is over.
  /// - Throws: `CommandFailure`
  static func perform(_ options: RenderOptions, _ context: Context) throws(CommandFailure) {
    throw CommandFailure(.internalError, "multiroute render is not connected to the router yet.")
  }
}
