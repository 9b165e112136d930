import AudioHost
import Commands
import JackClient
import SessionModel

/// The ports at a JACK server, for `check --live`.
enum LivePorts {
  /// Joins the server for a moment, without ports of its own, and lists the ports of all programs and devices.
  /// - Throws: `CommandFailure` unavailable.
  static func read(_ server: String?) throws(CommandFailure) -> [JackPort] {
    do throws(JackError) {
      let client = try JackClient(name: "multiroute-check", server: server)
      defer { client.close() }
      return client.othersPorts().map { JackPort($0.name, aliases: $0.aliases, isInput: $0.isInput) }
    } catch {
      throw CommandFailure(
        .unavailable, "multiroute: --live needs a JACK server: \(error)",
        "Start one, name one with --server, or check without --live.")
    }
  }
}
