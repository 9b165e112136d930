import Commands
import SystemCalls

/// The number of files that the router may have open: sockets, pipes to other programs, and what the audio server needs for each client.
enum OpenFiles {
  private static let (wanted, least) = (4_096, 64)

  /// Raises the limit, and refuses to start below 64, because threads could not even wait.
  /// - Throws: `CommandFailure` systemError.
  static func require() throws(CommandFailure) {
    let limit = System.raiseDescriptorLimit(to: wanted)
    guard limit < least else { return }
    throw CommandFailure(
      .systemError,
      "multiroute: this process may have only \(limit) files open, and needs \(least); raise the limit (ulimit -n \(wanted), or LimitNOFILE= of systemd)"
    )
  }
}
