import Commands
import ControlInterface
import OSCSurface
import Presets
import Router
import SessionModel

/// Has the preset in force and the permissions of the configuration read again, after a SIGHUP or a client's command.
struct Reloading {
  let commands: ReloadCommands
  private let desk: PresetDesk
  private let options: RunOptions
  private let service: RouterService
  private let front: OSCFront
  private let context: Context

  private var console: Console { context.console }

  init(
    _ commands: ReloadCommands, _ desk: PresetDesk, _ options: RunOptions, _ service: RouterService,
    _ front: OSCFront, _ context: Context
  ) {
    (self.commands, self.desk, self.options) = (commands, desk, options)
    (self.service, self.front, self.context) = (service, front, context)
  }

  /// Does not wait for the router, because the next signal may end it. A mistake in one file keeps the other from being applied, too.
  func perform() {
    desk.tellLibrary(service)
    // Taken before the files are read: a command that comes later may mean a later version of a file.
    let clients = commands.take()
    do throws(CommandFailure) {
      let admission = try Configuration.find(options.configuration, context).admission
      desk.reload(for: clients, nil) { [self] in apply(admission) }
    } catch {
      for line in error.lines { console.tell(line) }
      console.tell("multiroute: the configuration could not be reloaded; \(PresetDesk.effect)")
      desk.reload(for: clients, error.reason(PresetDesk.effect)) {}
    }
  }

  /// Replaces the permissions of hosts.
  private func apply(_ admission: Admission) {
    guard front.admit(admission, by: service) else { return }
    let hosts = admission.hosts.map(\.description)
    console.tell(
      "multiroute: reloaded the hosts of the configuration: "
        + (hosts.isEmpty ? "none but this machine is allowed" : hosts.joined(separator: ", ")))
    for warning in admission.warnings(receivingAt: front.endpoints) {
      console.tell("multiroute: \(warning)")
    }
  }
}

extension CommandFailure {
  /// The failure as the answer to a client: its effect, its first message, and how many more the log has.
  func reason(_ effect: String) -> SessionError {
    let more = lines.count > 1 ? " (and \(lines.count - 1) more lines in the router's log)" : ""
    let program = "multiroute: "
    let first = lines.first ?? ""
    let reason = first.hasPrefix(program) ? String(first.dropFirst(program.count)) : first
    return SessionError(exitCode == .badPreset ? .badValue : .io, "\(effect): \(reason)\(more)")
  }
}
