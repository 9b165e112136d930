import EffectsHost
public import Presets
public import SessionModel
import Version

/// The program `multiroute` without its router: reads the command line and performs the command.
public struct Program: Sendable {
  /// The commands that need JACK or the engine; the executable supplies them.
  public struct Runners: Sendable {
    public typealias Runner<Options> = @Sendable (Options, Context) throws(CommandFailure) -> Void
    let run: Runner<RunOptions>
    let demo: Runner<DemoOptions>
    let render: Runner<RenderOptions>
    /// The ports and connections at a JACK server of this name; nil is the default server.
    let graph: @Sendable (String?) throws(CommandFailure) -> JackGraph
    /// The devices and programs at such a server.
    let equipment: @Sendable (String?) throws(CommandFailure) -> Equipment
    /// What a program that joins such a server sees.
    let server: @Sendable (String?) -> JoinedServer
    /// The path of `multiroute-effects`; nil if it is not installed.
    let effects: String?

    public init(
      run: @escaping Runner<RunOptions>, demo: @escaping Runner<DemoOptions>,
      render: @escaping Runner<RenderOptions>,
      graph: @escaping @Sendable (String?) throws(CommandFailure) -> JackGraph,
      equipment: @escaping @Sendable (String?) throws(CommandFailure) -> Equipment,
      server: @escaping @Sendable (String?) -> JoinedServer, effects: String?
    ) {
      (self.run, self.demo, self.render) = (run, demo, render)
      (self.graph, self.equipment, self.server, self.effects) = (graph, equipment, server, effects)
    }
  }

  private let runners: Runners
  private let context: Context

  public init(_ runners: Runners, _ context: Context = .process) {
    (self.runners, self.context) = (runners, context)
  }

  /// Performs a command line (without the program's name) and returns its exit code.
  public func execute(_ arguments: [String]) -> ExitCode {
    do {
      try perform(arguments)
      return .success
    } catch {
      for line in error.lines { context.console.tell(line) }
      return error.exitCode
    }
  }

  private func perform(_ arguments: [String]) throws(CommandFailure) {
    guard let first = arguments.first else {
      // A session manager starts programs by their name alone.
      if context.environment["NSM_URL"]?.isEmpty == false { return try perform([CommandName.run.rawValue]) }
      guard context.console.isInteractive, context.folders.sockets.live.isEmpty,
        let line = try Welcome.ask(hasServer: { runners.server(nil).settings != nil }, context)
      else { throw CommandFailure(.usage, HelpPage.overview(context.console.error)) }
      return try perform(line)
    }
    switch first {
    case "--version": return context.console.print("multiroute \(Version.current)")
    case "--help", "-h": return showHelp(HelpPage.overview(context.console.output))
    default: break
    }
    guard let name = CommandName(rawValue: first) else { throw Self.unknown(first) }
    let command = CommandTable.description(of: name)
    let rest = arguments.dropFirst()
    if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      return showHelp(HelpPage.page(of: command, context.console.output))
    }
    try perform(name, try ArgumentReader.read(rest, of: command))
  }

  private func perform(_ name: CommandName, _ arguments: ParsedArguments) throws(CommandFailure) {
    switch name {
    case .run: try runners.run(RunOptions(arguments), context)
    case .demo: try runners.demo(DemoOptions(arguments), context)
    case .render: try runners.render(RenderOptions(arguments), context)
    case .check:
      let graph = arguments.has(.live) ? try runners.graph(arguments.text(.server)) : nil
      try CheckCommand.perform(
        arguments.positionals, LibraryOptions(arguments), at: graph, installedEffects, context)
    case .presets:
      try PresetsCommand.perform(
        PresetsCommand.Options(arguments, context), at: runners.equipment, installedEffects, context)
    case .library: try LibraryCommand.perform(LibraryCommand.Options(arguments), context)
    case .record: try RecordCommand.perform(RecordCommand.Options(arguments, context), context)
    case .recall:
      try RecallCommand.recall(
        arguments.positionals[0], fade: arguments.seconds(.fade), ClientOptions(arguments, context))
    case .go: try RecallCommand.go(ClientOptions(arguments, context))
    case .token: try TokenCommand.perform(TokenCommand.Options(arguments, context), context)
    case .layout: try LayoutCommand.perform(LayoutCommand.Options(arguments), context)
    case .send:
      let send = arguments.has(.dryRun) ? SendCommand.suppose : SendCommand.perform
      try send(arguments.positionals, ClientOptions(arguments, context), context)
    case .get: try GetCommand.perform(arguments.positionals[0], ClientOptions(arguments, context), context)
    case .watch:
      try WatchCommand.perform(
        arguments.positionals.first, seconds: arguments.seconds(.watchSeconds),
        ClientOptions(arguments, context),
        context)
    case .events: try EventsCommand.perform(EventsCommand.Options(arguments, context), context)
    case .console:
      try ConsoleCommand.perform(
        ClientOptions(arguments, context), stateFolder: arguments.text(.state) ?? context.folders.state,
        context)
    case .status: try StatusCommand.perform(StatusCommand.Options(arguments, context), context)
    case .why: try WhyCommand.perform(WhyCommand.Options(arguments, context), context)
    case .ports: try PortsCommand.perform(PortsCommand.Options(arguments, context), context)
    case .top: try TopCommand.perform(TopCommand.Options(arguments, context), context)
    case .doctor:
      try DoctorCommand.perform(
        DoctorCommand.Options(arguments, context),
        at: DoctorSurvey.Servers(
          join: runners.server, graph: runners.graph, effects: runners.effects), context)
    case .metrics: try MetricsCommand.perform(MetricsCommand.Options(arguments, context), context)
    case .find: try FindCommand.perform(FindCommand.Options(arguments), context)
    case .reload: try ReloadCommand.perform(ClientOptions(arguments, context))
    case .setup:
      try SetupCommand.perform(SetupCommand.Options(arguments), joining: runners.server, context)
    case .complete: CompleteCommand.perform(arguments.positionals, context)
    case .help: try help(arguments)
    }
  }

  private var installedEffects: InstalledEffects {
    InstalledEffects(program: runners.effects, pluginPath: context.environment["LV2_PATH"])
  }

  private func help(_ arguments: ParsedArguments) throws(CommandFailure) {
    if let folder = arguments.text(.man) { return try ManPages.write(into: folder, context) }
    if arguments.has(.markdown) { return context.console.write(CommandReference.markdown) }
    guard let name = arguments.positionals.first else {
      return showHelp(HelpPage.overview(context.console.output))
    }
    guard let command = CommandName(rawValue: name) else { throw Self.unknown(name) }
    showHelp(HelpPage.page(of: CommandTable.description(of: command), context.console.output))
  }

  private func showHelp(_ lines: [String]) {
    for line in lines { context.console.print(line) }
  }

  private static func unknown(_ name: String) -> CommandFailure {
    if name.hasPrefix("-") {
      let flags = CommandTable.commands.flatMap(\.flags).map(\.name)
      let flag = name.prefix { $0 != "=" }
      if flags.contains(String(flag)) {
        return CommandFailure(.usage, "multiroute: \(flag) belongs behind a command", "See: multiroute help")
      }
      return CommandFailure(
        .usage, "multiroute: there is no flag \(flag) before the command", "See: multiroute help")
    }
    let near = NearestName.suggestion(for: name, among: CommandName.allCases.map(\.rawValue))
    let hint = near.map { "; did you mean \($0)?" } ?? ""
    return CommandFailure(.usage, "multiroute: there is no command '\(name)'\(hint)", "See: multiroute help")
  }
}
